import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const known = new Map<string, Buffer>()

/** Reuses the certificates and keys of an earlier server, because creating new ones takes longer than starting. */
export function restoreKeys(directory: string): void {
  for (const [file, content] of known) {
    const path = join(directory, file)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, content, { mode: 0o600 })
  }
}

/** Call this when a server has started with that directory. */
export function rememberKeys(directory: string): void {
  if (known.size > 0) return
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) known.set(path.slice(directory.length + 1), readFileSync(path))
  }
}
