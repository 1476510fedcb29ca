import { type ComputedReplicas, isNear, type MeasuredPod, uncountable } from './proposed-replicas.ts'

/** A value of one object, or of an external system, that is not broken down by Pod. */
export interface TotalUsage {
  readonly metric: string
  /** In thousandths, like the goal. */
  readonly value: number
}

/** The number of Pods that brings the total to the goal, in proportion to the ready Pods. */
export function replicasForTotal(
  { metric, value }: TotalUsage,
  goal: number,
  current: number,
  pods: readonly Pick<MeasuredPod, 'phase' | 'ready'>[],
): ComputedReplicas {
  const ratio = value / goal
  if (!Number.isFinite(ratio)) return uncountable(metric)
  const proposal = (replicas: number): ComputedReplicas => ({ replicas, average: value, percent: undefined })
  if (current === 0) return proposal(Math.ceil(ratio))
  if (isNear(ratio)) return proposal(current)
  if (pods.length === 0) {
    return { problem: 'unable to calculate ready pods: no pods returned by selector while calculating replica count' }
  }
  const ready = pods.filter(({ phase, ready }) => phase === 'Running' && ready?.isReady === true).length
  return proposal(Math.ceil(ratio * ready))
}

/** The number of Pods at which each has this share of the total. */
export function replicasForShare({ metric, value }: TotalUsage, goal: number, existing: number): ComputedReplicas {
  const wanted = value / goal
  if (!Number.isFinite(wanted)) return uncountable(metric)
  const isMet = existing > 0 && isNear(wanted / existing)
  const average = Math.ceil(value / Math.max(1, existing))
  return { replicas: isMet ? existing : Math.ceil(wanted), average, percent: undefined }
}
