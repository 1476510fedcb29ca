/**
 * One line of the log, as bytes: type (1), previous revision of the key (8, big-endian, 0 for none), length of the key
 * (2), key in UTF-8, value.
 */
export type EntryType = 'created' | 'updated' | 'deleted'

export interface LogEntry {
  readonly type: EntryType
  readonly key: string
  readonly previousRevision: number
  readonly value: Uint8Array
}

const typeCodes: Readonly<Record<EntryType, number>> = { created: 1, updated: 2, deleted: 3 }
const entryTypes: readonly (EntryType | undefined)[] = [undefined, 'created', 'updated', 'deleted']
const headerLength = 11
const twoToThe32 = 0x1_0000_0000

/** Copies the value. Type and previous revision are filled in by `stampEntry`, once they are decided. */
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
}

export function decodeEntry(bytes: Buffer): LogEntry {
  const keyEnd = headerLength + bytes.readUInt16BE(9)
  return {
    type: typeOf(bytes),
    key: bytes.toString('utf8', headerLength, keyEnd),
    previousRevision: previousRevisionOf(bytes),
    value: bytes.subarray(keyEnd),
  }
}

export function typeOf(bytes: Uint8Array): EntryType {
  const type = entryTypes[bytes[0] ?? 0]
  if (type === undefined) throw new Error(`the log holds an entry of the unknown type ${bytes[0]}`)
  return type
}

export function previousRevisionOf(bytes: Uint8Array): number {
  return readRevision(bytes, 1)
}

export function valueBytes(bytes: Uint8Array): Uint8Array {
  // With an end, since a buffer shared by lmdb is longer than its `length`.
  return bytes.subarray(headerLength + (bytes[9] ?? 0) * 256 + (bytes[10] ?? 0), bytes.length)
}

export function writeRevision(target: Buffer, offset: number, revision: number): number {
  target.writeUInt32BE(Math.floor(revision / twoToThe32), offset)
  return target.writeUInt32BE(revision % twoToThe32, offset + 4)
}

export function readRevision(bytes: Uint8Array, offset: number): number {
  return readUint32(bytes, offset) * twoToThe32 + readUint32(bytes, offset + 4)
}

// By index, since lmdb hands out one shared buffer whose `length` it changes between reads.
function readUint32(bytes: Uint8Array, offset: number): number {
  const high = (bytes[offset] ?? 0) * 0x100_0000
  return high + (bytes[offset + 1] ?? 0) * 0x1_0000 + (bytes[offset + 2] ?? 0) * 0x100 + (bytes[offset + 3] ?? 0)
}
