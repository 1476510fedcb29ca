import { BackupRefused } from './backup-refused.ts'
import { FrameSealer, frameFullBytes } from './envelope/frames.ts'
import { type BackupHeader, encodeHeader } from './envelope/header.ts'
import type { BackupKey } from './envelope/keyring.ts'
import { encodeEnd, encodeEntry } from './records/encode-record.ts'
import type { StateRecord } from './records/record.ts'
import { type BackupTotals, differenceOf, Tally } from './records/tally.ts'

export interface WrittenBackup {
  /** The bytes to store. Ends with an error unless the whole state has arrived. */
  readonly bytes: AsyncIterable<Buffer>
  /** The totals, once `bytes` have ended. */
  totals(): BackupTotals
}

/** `records`: a state without its head. */
export function writeBackup(header: BackupHeader, key: BackupKey, records: AsyncIterable<StateRecord>): WrittenBackup {
  let written: BackupTotals | undefined
  async function* bytes(): AsyncGenerator<Buffer> {
    const headerBytes = encodeHeader(header)
    yield headerBytes
    const sealer = new FrameSealer({ key, salt: Buffer.from(header.salt, 'base64'), headerBytes })
    const tally = new Tally()
    const frame = new OpenFrame()
    for await (const record of records) {
      if (record.type !== 'entry') {
        written = settled(record, tally)
        break
      }
      tally.add(record.entry)
      frame.add(encodeEntry(record.entry))
      if (frame.isFull) yield sealer.seal(frame.take(), false)
    }
    if (written === undefined) throw new StateNotSent('the server ended before it had sent everything', true)
    if (!frame.isEmpty) yield sealer.seal(frame.take(), false)
    yield sealer.seal(encodeEnd(written), true)
  }
  return {
    bytes: bytes(),
    totals: () => {
      if (written === undefined) throw new Error('The backup has not been written to its end.')
      return written
    },
  }
}

/** What was received must match what the source claims to have sent. */
function settled(record: Exclude<StateRecord, { type: 'entry' }>, tally: Tally): BackupTotals {
  switch (record.type) {
    case 'end': {
      const totals = tally.totals()
      const difference = differenceOf(record.totals, totals)
      if (difference === undefined) return totals
      throw new BackupRefused(`the state did not arrive as it was sent: ${difference}`)
    }
    case 'failure':
      throw new StateNotSent(record.message, record.isWorthRetry)
    case 'head':
      throw new BackupRefused('the server began twice')
  }
}

/** The source of a backup ended early. */
export class StateNotSent extends Error {
  readonly isWorthRetry: boolean

  constructor(message: string, isWorthRetry: boolean) {
    super(message)
    this.name = 'StateNotSent'
    this.isWorthRetry = isWorthRetry
  }
}

/** Records for the next frame. */
class OpenFrame {
  #records: Buffer[] = []
  #bytes = 0

  get isFull(): boolean {
    return this.#bytes >= frameFullBytes
  }

  get isEmpty(): boolean {
    return this.#bytes === 0
  }

  add(record: Buffer): void {
    this.#records.push(record)
    this.#bytes += record.length
  }

  take(): Buffer {
    const content = Buffer.concat(this.#records, this.#bytes)
    this.#records = []
    this.#bytes = 0
    return content
  }
}
