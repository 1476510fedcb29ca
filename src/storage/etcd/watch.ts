import { backoffMs } from '../../base/backoff.ts'
import { rest } from '../../base/pause.ts'
import type { Random } from '../../base/random.ts'
import { type ChangeBatch, RevisionCompacted, type StoreChange } from '../contract.ts'
import type { Barrier } from './barrier.ts'
import { CallFailure } from './call-failure.ts'
import type { EtcdConnection } from './connection.ts'
import type { Keyspace } from './keyspace.ts'
import { rangeMethod } from './methods.ts'
import type { EtcdWatchEvent, WatchResponse } from './responses.ts'
import { watchResponses } from './watch-stream.ts'

export interface WatchContext {
  readonly connection: EtcdConnection
  readonly keys: Keyspace
  readonly barrier: Barrier
  readonly random: Random
  compactedRevision(): Promise<number>
}

const pauses = { firstMs: 50, longestMs: 5_000 }

/**
 * Yields every change of the store after that revision, across any number of connections, until the signal aborts.
 * Batches without changes report that the revision has advanced.
 */
export async function* watchBatches(
  context: WatchContext,
  afterRevision: number,
  signal: AbortSignal,
): AsyncGenerator<ChangeBatch> {
  let position = afterRevision
  let failures = 0
  while (!signal.aborted) {
    try {
      for await (const batch of watchOnce(context, position, signal)) {
        if (batch.revision <= position) continue
        failures = 0
        position = batch.revision
        yield batch
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof CallFailure)) throw error
    }
    failures += 1
    await rest(backoffMs(failures, pauses, context.random), signal)
  }
}

async function* watchOnce(
  context: WatchContext,
  afterRevision: number,
  signal: AbortSignal,
): AsyncGenerator<ChangeBatch> {
  const { connection, keys } = context
  const quietUntil = await nothingHappenedUntil(context, afterRevision)
  yield { changes: [], revision: quietUntil }
  const request = { key: keys.start, rangeEnd: keys.end, startRevision: quietUntil + 1 }
  let isVerified = false
  for await (const response of watchResponses(connection, request, signal)) {
    if (response.canceled) throw canceled(connection, response)
    if (response.created) continue
    // etcd accepts a start that it has just compacted, and omits deletions. If the start is still readable now, none
    // was omitted.
    if (!isVerified) await assertReadable(connection, keys, quietUntil)
    isVerified = true
    yield batchFrom(keys, response)
  }
}

/**
 * Where to start. If the last write of the store is not newer than what the watcher has seen, there is nothing to catch
 * up with, even if other users of etcd have advanced its revision and compacted it.
 */
async function nothingHappenedUntil(context: WatchContext, afterRevision: number): Promise<number> {
  const { connection, keys, barrier } = context
  const { lastWrite, etcdRevision } = await barrier.read()
  if (lastWrite <= afterRevision) return Math.max(afterRevision, etcdRevision)
  try {
    await assertReadable(connection, keys, afterRevision)
  } catch (error) {
    if (!(error instanceof CallFailure) || error.kind !== 'compacted') throw error
    throw new RevisionCompacted(afterRevision, await context.compactedRevision())
  }
  return afterRevision
}

/** Fails with `compacted` if the state at that revision has been compacted. */
async function assertReadable(connection: EtcdConnection, keys: Keyspace, revision: number): Promise<void> {
  const request = { key: keys.barrier, revision: Math.max(1, revision), countOnly: true }
  await connection.call(rangeMethod, request, 'repeatable')
}

function canceled(connection: EtcdConnection, response: WatchResponse): CallFailure {
  if (response.compactRevision === 0) connection.forgetToken()
  return new CallFailure('broken', response.cancelReason || 'etcd canceled the watch')
}

/** A response without events reports that everything up to its revision has been sent. */
function batchFrom(keys: Keyspace, response: WatchResponse): ChangeBatch {
  if (response.events.length === 0) return { changes: [], revision: response.revision }
  const changes: StoreChange[] = []
  for (const event of response.events) {
    const change = changeFrom(keys, event)
    if (change !== undefined) changes.push(change)
  }
  return { changes, revision: lastRevision(response.events) }
}

/** What an event means for the store; `undefined` for the barrier, which only advances the revision. */
function changeFrom(keys: Keyspace, event: EtcdWatchEvent): StoreChange | undefined {
  const { item } = event
  if (keys.isBarrier(item.key)) return undefined
  const key = keys.fromEtcd(item.key)
  const revision = item.modRevision
  if (event.type === 'delete') return { type: 'deleted', key, revision, value: deletedValue(event) }
  return { type: item.createRevision === revision ? 'created' : 'updated', key, revision, value: item.value }
}

/** etcd omits the previous value if compaction has overtaken the watch. */
function deletedValue(event: EtcdWatchEvent): Buffer {
  const revision = event.item.modRevision
  if (event.previous === undefined) throw new RevisionCompacted(revision - 1, revision)
  return event.previous.value
}

function lastRevision(events: readonly EtcdWatchEvent[]): number {
  return events.reduce((last, event) => Math.max(last, event.item.modRevision), 0)
}
