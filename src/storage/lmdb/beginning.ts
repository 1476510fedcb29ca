import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Beside a store that is made to be filled, until the store itself records where its revisions begin. */
const beginningFile = 'filling'

/** Call it before the file of the store is made. The returned function is called when the store has its state. */
export function markBeginning(directory: string): () => void {
  const file = join(directory, beginningFile)
  // Beside a store that exists, the mark would make its next server refuse it.
  if (!existsSync(join(directory, 'data.mdb'))) writeFileSync(file, '', { mode: 0o600, flush: true })
  return () => rmSync(file, { force: true })
}

/** Refuses a store whose filling ended before its first record. */
export function requireBegun(directory: string): void {
  if (!existsSync(join(directory, beginningFile))) return
  throw new Error(`the store in ${directory} is incomplete: a copy into it did not finish; remove it, and start again`)
}
