import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a file for its owner alone; no reader sees half of it. A draft that is there already is not written into: it may be another user's. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.draft`
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  renameSync(draft, file)
}
