import type { PodCondition } from '../../api/types/core-v1.ts'

export type WantedCondition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>

/** The conditions with this one in its place. It keeps the time of its last change if its status is the same. */
export function withPodCondition(
  conditions: readonly PodCondition[],
  { type, status, reason, message }: WantedCondition,
  now: string,
): readonly PodCondition[] {
  const before = conditions.find((each) => each.type === type)
  const condition: PodCondition = {
    type,
    status,
    lastProbeTime: null,
    lastTransitionTime: before?.status === status ? before.lastTransitionTime : now,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  }
  return before === undefined
    ? [...conditions, condition]
    : conditions.map((each) => (each === before ? condition : each))
}

export function podConditionIs(conditions: readonly PodCondition[] = [], type: string, status: string): boolean {
  return conditions.some((each) => each.type === type && each.status === status)
}
