import { readRevision, writeRevision } from './log-entry.ts'

/** lmdb's limit at its usual page size of 4 KiB. */
export const maximumKeyBytes = 1_978

export type KeyBound = string | Uint8Array

/** Orders keys by their UTF-8 bytes, as etcd does. */
export const textKeys = {
  writeKey(key: KeyBound, target: Buffer, position: number): number {
    if (typeof key === 'string') return position + target.write(key, position, 'utf8')
    target.set(key, position)
    return position + key.byteLength
  },
  readKey(source: Buffer, start: number, end: number): string {
    return source.toString('utf8', start, end)
  },
}

export const revisionKeys = {
  writeKey(revision: number, target: Buffer, position: number): number {
    return writeRevision(target, position, revision)
  },
  readKey(source: Buffer, start: number): number {
    return readRevision(source, start)
  },
}

export function fitsInKey(key: string): boolean {
  if (key.length === 0) return false
  return key.length * 3 <= maximumKeyBytes || Buffer.byteLength(key) <= maximumKeyBytes
}

/** Every key with the prefix lies in [start, end). Without an end, the range extends to the last key. */
export function prefixRange(prefix: string): { readonly start: KeyBound; readonly end?: KeyBound } {
  if (prefix === '') return { start: Uint8Array.of(0) }
  const end = Buffer.from(prefix)
  const last = end.length - 1
  // A byte of UTF-8 is never 0xff, so it can be incremented.
  end[last] = (end[last] ?? 0) + 1
  return { start: prefix, end }
}
