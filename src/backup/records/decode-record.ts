import type { StoredValue } from '../../storage/contract.ts'
import { BackupRefused } from '../backup-refused.ts'
import { parsedObject } from '../parsed-object.ts'
import { entryHeadLength, maxRecordBytes, recordCodes, recordHeadLength, type StateRecord } from './record.ts'
import { totalsOf } from './tally.ts'

/** The length of the rest of a record. Throws BackupRefused for more than any record can have. */
export function recordLength(head: Buffer): number {
  const length = head.length < recordHeadLength ? Number.NaN : head.readUInt32BE(1)
  if (length <= maxRecordBytes) return length
  throw new BackupRefused(`a part of it claims ${length} bytes; the most is ${maxRecordBytes}`)
}

export function decodeRecord(code: number | undefined, bytes: Buffer): StateRecord {
  switch (code) {
    case recordCodes.entry:
      return { type: 'entry', entry: decodeEntry(bytes) }
    case recordCodes.head:
      return { type: 'head', head: headOf(parsed(bytes)) }
    case recordCodes.end:
      return { type: 'end', totals: totalsOf(parsed(bytes)) }
    case recordCodes.failure:
      return failureOf(parsed(bytes))
    default:
      throw new BackupRefused(`it holds a part of the unknown type ${code}: it is damaged, or a newer program wrote it`)
  }
}

function decodeEntry(bytes: Buffer): StoredValue {
  const keyLength = bytes.length < entryHeadLength ? Number.POSITIVE_INFINITY : bytes.readUInt16BE(8)
  const keyEnd = entryHeadLength + keyLength
  if (keyEnd > bytes.length) throw new BackupRefused('an entry of it is shorter than its key')
  const revision = Number(bytes.readBigUInt64BE(0))
  const key = bytes.toString('utf8', entryHeadLength, keyEnd)
  if (!Number.isSafeInteger(revision) || !isStorageKey(key)) throw new BackupRefused('an entry of it has no valid key')
  return { key, revision, value: bytes.subarray(keyEnd) }
}

/** A valid storage key: a path whose bytes are valid UTF-8. */
function isStorageKey(key: string): boolean {
  return key.startsWith('/') && !key.includes('\u0000') && !key.includes('\ufffd')
}

function headOf({ revision, storeFormat, program, clusterUid }: Readonly<Record<string, unknown>>) {
  const isHead = isCount(revision) && isCount(storeFormat) && typeof program === 'string'
  if (isHead && typeof clusterUid === 'string') return { revision, storeFormat, program, clusterUid }
  throw new BackupRefused('what the server said about its state cannot be read')
}

function failureOf({ message, isWorthRetry }: Readonly<Record<string, unknown>>): StateRecord {
  return { type: 'failure', message: String(message).slice(0, 1_000), isWorthRetry: isWorthRetry === true }
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> {
  const value = parsedObject(() => JSON.parse(bytes.toString()))
  if (value === undefined) throw new BackupRefused('a part of it cannot be read')
  return value
}
