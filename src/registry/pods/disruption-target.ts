import type { KubeObject } from '../../api/object.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'

/** Marks a Pod that is deleted for an external reason, so that its controllers do not count it as failed. */
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
