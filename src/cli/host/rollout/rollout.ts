import type { KubeObject } from '../../../api/object.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import type { RolloutState } from './rollout-state.ts'
import { whyWaiting } from './why-waiting.ts'

export type Rollout = { readonly state: 'ready' } | { readonly state: 'waiting'; readonly message: string }

/** The progress of a StatefulSet or Deployment, and what its Pods wait for. */
export function rolloutOf(seen: RolloutState): Rollout {
  const { workload } = seen
  const [spec, status] = [asMembers(workload?.spec), asMembers(workload?.status)]
  const wanted = Number(spec.replicas ?? 1)
  const ready = Number(status.readyReplicas ?? 0)
  const isSeen = Number(status.observedGeneration ?? 0) >= (workload?.metadata.generation ?? 1)
  if (workload !== undefined && isSeen && isUpdated(workload, wanted) && ready >= wanted) return { state: 'ready' }
  const reason = whyWaiting(seen)
  return { state: 'waiting', message: `${Math.min(ready, wanted)} of ${wanted} ready${reason ? `; ${reason}` : ''}` }
}

/** Whether all Pods have the wanted revision. */
function isUpdated({ kind, status }: KubeObject, wanted: number): boolean {
  const { updatedReplicas, replicas, updateRevision, currentRevision } = asMembers(status)
  const updated = Number(updatedReplicas ?? 0)
  if (kind === 'Deployment') return updated >= wanted && Number(replicas ?? 0) <= updated
  return updateRevision === currentRevision || updated >= wanted
}
