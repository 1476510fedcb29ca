import { BackupRefused } from '../backup-refused.ts'
import type { ByteSource } from '../byte-source.ts'
import { decodeRecord, recordLength } from './decode-record.ts'
import { recordHeadLength, type StateRecord } from './record.ts'

/** One record after the other, until the bytes end. Throws BackupRefused if they end within one. */
export async function* readRecords(source: ByteSource): AsyncGenerator<StateRecord> {
  for (;;) {
    const head = await source.take(recordHeadLength)
    if (head.length === 0) return
    const code = head[0]
    const length = head.length < recordHeadLength ? 0 : recordLength(head)
    const bytes = await source.take(length)
    if (head.length < recordHeadLength || bytes.length < length) throw new BackupRefused('it ends too early')
    yield decodeRecord(code, bytes)
  }
}

/** The same for bytes that are all available. */
export function* recordsIn(bytes: Buffer): Generator<StateRecord> {
  for (let at = 0; at < bytes.length; ) {
    const head = bytes.subarray(at, at + recordHeadLength)
    if (head.length < recordHeadLength) throw new BackupRefused('it ends in the middle of a part')
    const start = at + recordHeadLength
    const end = start + recordLength(head)
    if (end > bytes.length) throw new BackupRefused('it ends in the middle of a part')
    yield decodeRecord(head[0], bytes.subarray(start, end))
    at = end
  }
}
