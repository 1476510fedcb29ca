import type { StoredValue } from '../../storage/contract.ts'
import { entryHeadLength, recordCodes, recordHeadLength, type StateHead } from './record.ts'
import type { BackupTotals } from './tally.ts'

/** Copies the value. */
export function encodeEntry({ key, value, revision }: StoredValue): Buffer {
  const keyLength = Buffer.byteLength(key)
  const length = entryHeadLength + keyLength + value.byteLength
  const bytes = Buffer.allocUnsafe(recordHeadLength + length)
  bytes[0] = recordCodes.entry
  bytes.writeUInt32BE(length, 1)
  bytes.writeBigUInt64BE(BigInt(revision), recordHeadLength)
  bytes.writeUInt16BE(keyLength, recordHeadLength + 8)
  bytes.write(key, recordHeadLength + entryHeadLength, 'utf8')
  bytes.set(value, recordHeadLength + entryHeadLength + keyLength)
  return bytes
}

export function encodeHead(head: StateHead): Buffer {
  return encodeJson(recordCodes.head, head)
}

export function encodeEnd(totals: BackupTotals): Buffer {
  return encodeJson(recordCodes.end, totals)
}

export function encodeFailure(message: string, isWorthRetry: boolean): Buffer {
  return encodeJson(recordCodes.failure, { message, isWorthRetry })
}

function encodeJson(code: number, value: object): Buffer {
  const json = Buffer.from(JSON.stringify(value))
  const head = Buffer.alloc(recordHeadLength)
  head[0] = code
  head.writeUInt32BE(json.length, 1)
  return Buffer.concat([head, json])
}
