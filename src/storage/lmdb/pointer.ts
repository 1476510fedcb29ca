import { readRevision, writeRevision } from './log-entry.ts'

/**
 * The latest revision of a key as one number, negative if that revision deleted the key. A number rather than an
 * object, because listing decodes one per key.
 */
export type Pointer = number

export function livePointer(revision: number): Pointer {
  return revision
}

export function deletedPointer(revision: number): Pointer {
  return -revision
}

export function pointerRevision(pointer: Pointer): number {
  return Math.abs(pointer)
}

export function isDeletedPointer(pointer: Pointer): boolean {
  return pointer < 0
}

/** On disk: one byte that is 1 for a deletion, then the revision in 8 bytes. */
export const pointerEncoding = {
  encode(pointer: Pointer): Buffer {
    const bytes = Buffer.allocUnsafe(9)
    bytes[0] = isDeletedPointer(pointer) ? 1 : 0
    writeRevision(bytes, 1, pointerRevision(pointer))
    return bytes
  },
  decode(bytes: Uint8Array): Pointer {
    const revision = readRevision(bytes, 1)
    return bytes[0] === 1 ? -revision : revision
  },
}
