import { inDeletionOrder } from '../pods/deletion-order.ts'
import { isActive, type PodFacts } from '../pods/pod-facts.ts'

/** How many are written in one reconciliation; the rest follows in the next. */
const mostPerReconcile = 500

export interface ReplicaPlan {
  readonly create: number
  readonly remove: readonly PodFacts[]
}

/**
 * `related` returns the Pods of the whole workload, of which `active` may be a part. They matter only if some must be
 * deleted.
 */
export function planReplicas(
  wanted: number,
  active: readonly PodFacts[],
  related: () => readonly PodFacts[],
  nowMs: number,
): ReplicaPlan {
  const missing = wanted - active.length
  if (missing >= 0) return { create: Math.min(missing, mostPerReconcile), remove: [] }
  const surplus = Math.min(-missing, mostPerReconcile)
  return { create: 0, remove: inDeletionOrder(active, related().filter(isActive), nowMs).slice(0, surplus) }
}
