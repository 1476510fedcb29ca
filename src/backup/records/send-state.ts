import { RevisionCompacted, type Store } from '../../storage/contract.ts'
import { formatRoot } from '../../storage/format/format-record.ts'
import { formatVersionOf } from '../../storage/format/raise-format.ts'
import { encodeEnd, encodeEntry, encodeFailure, encodeHead } from './encode-record.ts'
import type { StateHead } from './record.ts'
import { Tally } from './tally.ts'

export interface StateReceiver {
  /** A promise makes the sender wait. */
  take(bytes: Buffer): void | Promise<void>
  readonly signal: AbortSignal
}

/**
 * Sends the whole content of a store at one revision, while others continue to write. A slow receiver slows down the
 * reading, so memory use stays constant. A failure is reported to the receiver, and then thrown.
 */
export async function sendState(
  store: Store,
  about: Omit<StateHead, 'revision' | 'storeFormat'>,
  receiver: StateReceiver,
): Promise<void> {
  const { signal } = receiver
  const revision = await store.currentRevision()
  // Read after the revision: content in a newer format is written after the record of that format.
  const storeFormat = await formatVersionOf(store)
  await receiver.take(encodeHead({ ...about, storeFormat, revision }))
  const tally = new Tally()
  try {
    await store.list('', {
      atRevision: revision,
      signal,
      each: (item) => {
        if (item.key.startsWith(formatRoot)) return undefined
        tally.add(item)
        return receiver.take(encodeEntry(item)) ?? undefined
      },
    })
  } catch (error) {
    if (!signal.aborted) await receiver.take(failureRecord(error, revision))
    throw error
  }
  await receiver.take(encodeEnd(tally.totals()))
}

function failureRecord(error: unknown, revision: number): Buffer {
  if (error instanceof RevisionCompacted)
    return encodeFailure(`the store forgot revision ${revision} while it was read: its history is compacted`, true)
  return encodeFailure('the store could not be read to its end: see the log of the server', false)
}
