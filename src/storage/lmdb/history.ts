import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ChangeBatch, RevisionCompacted, type StoreChange, StoreDamaged } from '../contract.ts'
import type { Environment } from './environment.ts'
import { decodeEntry, type LogEntry, soundValueBytes } from './log-entry.ts'

/** How many entries are read before other work gets a turn. */
const entriesPerTurn = 500
/** Fewer entries are read if they hold this much. */
const bytesPerTurn = 1024 * 1024

export interface HistoryBounds {
  /** The newest revision that may be returned. */
  revision(): number
  compactedRevision(): number
  /** Throws when the store is closed. */
  checkpoint(): void
}

/** Yields batches from the log until its end. */
export async function* readHistory(
  environment: Environment,
  bounds: HistoryBounds,
  afterRevision: number,
): AsyncGenerator<ChangeBatch> {
  let position = afterRevision
  while (position < bounds.revision()) {
    bounds.checkpoint()
    if (position < bounds.compactedRevision()) throw new RevisionCompacted(position, bounds.compactedRevision())
    const batch = readBatch(environment, position, bounds.revision())
    position = batch.revision
    yield batch
    await nextTurn()
  }
}

function readBatch(environment: Environment, afterRevision: number, upToRevision: number): ChangeBatch {
  const end = Math.min(upToRevision, afterRevision + entriesPerTurn)
  const changes: StoreChange[] = []
  let bytes = 0
  for (const { key: revision, value } of environment.log.getRange({
    start: afterRevision + 1,
    end,
    inclusiveEnd: true,
  })) {
    const entry = decodeEntry(value, revision)
    const change = { type: entry.type, key: entry.key, revision, value: changedValue(environment, entry) }
    changes.push(change)
    bytes += change.value.length
    if (bytes >= bytesPerTurn) return { changes, revision }
  }
  return { changes, revision: end }
}

function changedValue(environment: Environment, entry: LogEntry): Uint8Array {
  if (entry.type !== 'deleted') return entry.value
  const previous = environment.log.get(entry.previousRevision)
  if (previous === undefined) throw new StoreDamaged(`the log lacks revision ${entry.previousRevision} of ${entry.key}`)
  return soundValueBytes(previous, entry.previousRevision)
}
