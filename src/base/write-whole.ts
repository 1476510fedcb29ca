import { renameSync, writeFileSync } from 'node:fs'

/** Writes a file for its owner alone. Nobody reads half of it. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.draft`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, file)
}
