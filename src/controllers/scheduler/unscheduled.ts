import type { Pod } from '../../api/types/core-v1.ts'
import { withPodCondition } from '../pods/pod-conditions.ts'

/** The Pod with the reason why no node was found; undefined if it already has it, or the Pod was replaced. */
export function unscheduled(pod: Pod, uid: string, message: string, now: string): Pod | undefined {
  const { metadata, spec, status } = pod
  if (metadata.uid !== uid || metadata.deletionTimestamp !== undefined || spec.nodeName !== undefined) return undefined
  const wanted = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }
  const told = status.conditions?.find(({ type }) => type === wanted.type)
  if (told?.reason === wanted.reason && told.message === message) return undefined
  return { ...pod, status: { ...status, conditions: withPodCondition(status.conditions ?? [], wanted, now) } }
}
