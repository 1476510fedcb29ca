import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** More than lmdb's lock file and head pages take. */
const neededBytes = 128 * 1024

/**
 * Throws ENOSPC when the disk is full. lmdb maps its lock file into memory, and on a full disk the first touch of a page
 * without room would end the process (SIGBUS).
 */
export function requireRoom(directory: string): void {
  const file = join(directory, 'room.draft')
  try {
    writeFileSync(file, Buffer.alloc(neededBytes, 1), { mode: 0o600, flush: true })
  } finally {
    rmSync(file, { force: true })
  }
}
