import { RevisionCompacted, type StoreChange } from '../contract.ts'
import type { Keyspace } from './keyspace.ts'
import type { EtcdWatchEvent } from './responses.ts'

/** What an event means for the store; `undefined` for the barrier, which only tells that time goes on. */
export function changeFrom(keys: Keyspace, event: EtcdWatchEvent): StoreChange | undefined {
  const { item } = event
  if (keys.isBarrier(item.key)) return undefined
  const key = keys.fromEtcd(item.key)
  const revision = item.modRevision
  if (event.type === 'delete') return { type: 'deleted', key, revision, value: deletedValue(event) }
  return { type: item.createRevision === revision ? 'created' : 'updated', key, revision, value: item.value }
}

/** etcd leaves it out when compaction has overtaken the watch. */
function deletedValue(event: EtcdWatchEvent): Buffer {
  const revision = event.item.modRevision
  if (event.previous === undefined) throw new RevisionCompacted(revision - 1, revision)
  return event.previous.value
}

export function lastRevision(events: readonly EtcdWatchEvent[]): number {
  return events.reduce((last, event) => Math.max(last, event.item.modRevision), 0)
}
