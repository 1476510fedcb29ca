import { crc32 } from 'node:zlib'
import { StoreDamaged } from '../contract.ts'

/**
 * One log entry as bytes: type (1), previous revision of the key (8, big-endian, 0 for none), length of the key (2),
 * checksum of everything else (4), key in UTF-8, value. Entries of format 1 have their own types and no checksum.
 */
export type EntryType = 'created' | 'updated' | 'deleted'

export interface LogEntry {
  readonly type: EntryType
  readonly key: string
  readonly previousRevision: number
  readonly value: Uint8Array
}

const typeCodes: Readonly<Record<EntryType, number>> = { created: 4, updated: 5, deleted: 6 }
const entryTypes: readonly (EntryType | undefined)[] = [
  undefined,
  ...(['created', 'updated', 'deleted'] as const),
  ...(['created', 'updated', 'deleted'] as const),
]
const lastTypeWithoutChecksum = 3
const checksumOffset = 11
const headerLength = 15
const twoToThe32 = 0x1_0000_0000

/** Copies the value. `stampEntry` fills in type, previous revision and checksum once they are decided. */
export function draftEntry(key: string, value: Uint8Array): Buffer {
  const keyLength = Buffer.byteLength(key)
  const bytes = Buffer.allocUnsafe(headerLength + keyLength + value.byteLength)
  bytes.writeUInt16BE(keyLength, 9)
  bytes.write(key, headerLength, 'utf8')
  bytes.set(value, headerLength + keyLength)
  return bytes
}

export function stampEntry(bytes: Buffer, type: EntryType, previousRevision: number): void {
  bytes[0] = typeCodes[type]
  writeRevision(bytes, 1, previousRevision)
  bytes.writeUInt32BE(checksumOf(bytes), checksumOffset)
}

/** Throws StoreDamaged if the entry has changed since it was written. */
export function decodeEntry(bytes: Buffer, revision: number): LogEntry {
  requireSound(bytes, revision)
  const keyStart = headerLengthOf(bytes)
  const keyEnd = keyStart + bytes.readUInt16BE(9)
  return {
    type: entryTypeOf(bytes),
    key: bytes.toString('utf8', keyStart, keyEnd),
    previousRevision: previousRevisionOf(bytes),
    value: bytes.subarray(keyEnd),
  }
}

export function entryTypeOf(bytes: Uint8Array): EntryType {
  const type = entryTypes[bytes[0] ?? 0]
  if (type === undefined) throw new StoreDamaged(`the log holds an entry of the unknown type ${bytes[0]}`)
  return type
}

export function previousRevisionOf(bytes: Uint8Array): number {
  return readRevision(bytes, 1)
}

/** Throws StoreDamaged if the entry has changed since it was written. */
export function soundValueBytes(bytes: Uint8Array, revision: number): Uint8Array {
  requireSound(bytes, revision)
  return valueBytes(bytes)
}

export function valueBytes(bytes: Uint8Array): Uint8Array {
  // With an end, since a buffer shared by lmdb is longer than its `length`.
  return bytes.subarray(headerLengthOf(bytes) + (bytes[9] ?? 0) * 256 + (bytes[10] ?? 0), bytes.length)
}

function requireSound(bytes: Uint8Array, revision: number): void {
  if (!hasChecksum(bytes) || readUint32(bytes, checksumOffset) === checksumOf(bytes)) return
  throw new StoreDamaged(`revision ${revision} in data.mdb is not what was written`)
}

function checksumOf(bytes: Uint8Array): number {
  return crc32(bytes.subarray(headerLength, bytes.length), crc32(bytes.subarray(0, checksumOffset)))
}

function hasChecksum(bytes: Uint8Array): boolean {
  return (bytes[0] ?? 0) > lastTypeWithoutChecksum
}

function headerLengthOf(bytes: Uint8Array): number {
  return hasChecksum(bytes) ? headerLength : checksumOffset
}

export function writeRevision(target: Buffer, offset: number, revision: number): number {
  target.writeUInt32BE(Math.floor(revision / twoToThe32), offset)
  return target.writeUInt32BE(revision % twoToThe32, offset + 4)
}

export function readRevision(bytes: Uint8Array, offset: number): number {
  return readUint32(bytes, offset) * twoToThe32 + readUint32(bytes, offset + 4)
}

// By index, since lmdb returns one shared buffer whose `length` it changes between reads.
function readUint32(bytes: Uint8Array, offset: number): number {
  const high = (bytes[offset] ?? 0) * 0x100_0000
  return high + (bytes[offset + 1] ?? 0) * 0x1_0000 + (bytes[offset + 2] ?? 0) * 0x100 + (bytes[offset + 3] ?? 0)
}
