import type { Deployment, ReplicaSet } from '../../api/types/apps-v1.ts'
import { byRevision, sizeOf } from './replica-sets.ts'

const noLimit = 2_147_483_647

/** Old ReplicaSets beyond the limit, as far as they are empty and know it. */
export function surplusHistory({ spec }: Deployment, older: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const { revisionHistoryLimit: limit = noLimit } = spec
  if (limit === noLimit) return []
  const alive = older.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const surplus = alive.toSorted(byRevision).slice(0, Math.max(0, alive.length - limit))
  return surplus.filter(isEmpty)
}

function isEmpty(replicaSet: ReplicaSet): boolean {
  const { metadata, status } = replicaSet
  const isObserved = (metadata.generation ?? 0) <= (status.observedGeneration ?? 0)
  return sizeOf(replicaSet) === 0 && status.replicas === 0 && isObserved
}
