import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** lmdb begins each of its two head pages with these bytes, after the page's own 24-byte header. */
const magic = Buffer.from([0xde, 0xc0, 0xef, 0xbe])
const magicOffset = 24
const headBytes = 64 * 1024
const smallestPage = 4 * 1024

/** Checks before lmdb does: lmdb crashes the process when it opens any other file. */
export function isStoreFile(directory: string): boolean {
  const file = join(directory, 'data.mdb')
  if (!existsSync(file)) return true
  const descriptor = openSync(file, 'r')
  try {
    const head = Buffer.alloc(Math.min(headBytes, fstatSync(descriptor).size))
    readSync(descriptor, head, 0, head.length, 0)
    return head.length === 0 || hasHeadPage(head)
  } finally {
    closeSync(descriptor)
  }
}

/** One of the two is enough: a crash may leave the other half written. The page size is a power of two. */
function hasHeadPage(head: Buffer): boolean {
  if (isMagicAt(head, magicOffset)) return true
  for (let page = smallestPage; page < head.length; page *= 2) if (isMagicAt(head, page + magicOffset)) return true
  return false
}

function isMagicAt(head: Buffer, offset: number): boolean {
  return head.subarray(offset, offset + magic.length).equals(magic)
}
