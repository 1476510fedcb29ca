import type { Deployment, ReplicaSet } from '../../api/types/apps-v1.ts'
import { maxInt32 } from '../pods/share.ts'
import { byRevision, sizeOf } from './replica-sets.ts'

/** Old ReplicaSets beyond the limit, if they are empty and report it. */
export function surplusHistory({ spec }: Deployment, older: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const { revisionHistoryLimit: limit = maxInt32 } = spec
  if (limit === maxInt32) return []
  const alive = older.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const surplus = alive.toSorted(byRevision).slice(0, Math.max(0, alive.length - limit))
  return surplus.filter(isEmpty)
}

function isEmpty(replicaSet: ReplicaSet): boolean {
  const { metadata, status } = replicaSet
  const isObserved = (metadata.generation ?? 0) <= (status.observedGeneration ?? 0)
  return sizeOf(replicaSet) === 0 && status.replicas === 0 && isObserved
}
