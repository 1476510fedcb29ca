import type { KubeObject } from '../../api/object.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'

/** What a Pod says that goes for another reason than its own: those that look after it do not take it for a failure. */
export function asDisrupted(reason: string, message: string, nowMs: number): (object: KubeObject) => KubeObject {
  return (object) => {
    const pod = object as Pod
    const type = 'DisruptionTarget'
    const others = (pod.status.conditions ?? []).filter((each) => each.type !== type)
    const lastTransitionTime = timestamp(nowMs)
    const condition = { type, status: 'True', lastProbeTime: null, lastTransitionTime, reason, message }
    return { ...pod, status: { ...pod.status, conditions: [...others, condition] } }
  }
}
