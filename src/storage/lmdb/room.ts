import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreFull } from '../contract.ts'

/** More than lmdb's lock file and head pages need. */
const neededAtStartBytes = 128 * 1024
/** More than the tree pages that one commit rewrites, in addition to the stored data. */
const reserveBytes = 16 * 1024 * 1024

const fullDisk =
  'the disk of the store is full and nothing was changed: free space on the volume of the data directory, then try again'

/**
 * Throws ENOSPC if the disk is full. lmdb maps its lock file into memory, and on a full disk the first access to a page
 * without space would end the process (SIGBUS).
 */
export function requireRoomToStart(directory: string): void {
  const file = join(directory, 'room.draft')
  try {
    writeFileSync(file, Buffer.alloc(neededAtStartBytes, 1), { mode: 0o600, flush: true })
  } finally {
    rmSync(file, { force: true })
  }
}

/**
 * Throws StoreFull unless there is room for the bytes and for what lmdb writes around them. lmdb must not discover this
 * itself: a commit that fails for lack of space corrupts its memory, and the process crashes some time later.
 */
export function requireRoomFor(directory: string, bytes: number): void {
  const { blocks, bavail, bsize } = statfsSync(directory)
  // Some file systems do not report it.
  if (blocks > 0 && bavail * bsize < 2 * bytes + reserveBytes) throw new StoreFull(fullDisk)
}
