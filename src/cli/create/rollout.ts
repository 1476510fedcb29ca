import type { KubeObject } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'

export type Rollout = { readonly state: 'ready' } | { readonly state: 'waiting'; readonly message: string }

/** How far a StatefulSet has got, and if not far enough, what its pods are waiting for. */
export function rolloutOf(set: KubeObject | undefined, pods: readonly KubeObject[]): Rollout {
  const [spec, status] = [part(set?.spec), part(set?.status)]
  const wanted = Number(spec.replicas ?? 1)
  const ready = Number(status.readyReplicas ?? 0)
  const isSeen = Number(status.observedGeneration ?? 0) >= (set?.metadata.generation ?? 1)
  const isNew = status.updateRevision === status.currentRevision || Number(status.updatedReplicas ?? 0) >= wanted
  if (set !== undefined && isSeen && isNew && ready >= wanted) return { state: 'ready' }
  const [reason] = pods.flatMap(waitingReasons)
  return { state: 'waiting', message: `${Math.min(ready, wanted)} of ${wanted} ready${reason ? `; ${reason}` : ''}` }
}

/** `demo-0: ImagePullBackOff: …`, or why it has no node yet. */
function waitingReasons({ metadata, status }: KubeObject): readonly string[] {
  const { containerStatuses, conditions } = part(status)
  const waiting = list(containerStatuses).flatMap(({ state }) => {
    const { reason, message } = part(part(state).waiting)
    return typeof reason === 'string' ? [`${reason}${message ? `: ${String(message)}` : ''}`] : []
  })
  const unscheduled = list(conditions).flatMap(({ type, status: is, message }) =>
    type === 'PodScheduled' && is === 'False' ? [String(message ?? 'not scheduled')] : [],
  )
  return [...waiting, ...unscheduled].map((reason) => `${metadata.name}: ${reason}`)
}

function part(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {}
}

function list(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
