import type { PodCondition } from '../../api/types/core-v1.ts'

export type WantedCondition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>

/** Replaces the condition of that type. Its transition time stays if the status is unchanged. */
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
