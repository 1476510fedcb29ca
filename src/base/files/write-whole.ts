import { renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Writes a file that only its owner can read; no reader sees it half written. An existing draft is not written to: it
 * may be another user's.
 */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.draft`
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  renameSync(draft, file)
}
