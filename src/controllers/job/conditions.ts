import type { JobCondition } from '../../api/types/batch-v1.ts'
import { timestamp } from '../../base/clock.ts'

export type JobConditions = readonly JobCondition[]

export type JobConditionType = 'Complete' | 'Failed' | 'FailureTarget' | 'SuccessCriteriaMet' | 'Suspended'

export interface JobStatement {
  readonly type: JobConditionType
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

export const jobSuspended: JobStatement = {
  type: 'Suspended',
  status: 'True',
  reason: 'JobSuspended',
  message: 'Job suspended',
}

export const jobResumed: JobStatement = {
  type: 'Suspended',
  status: 'False',
  reason: 'JobResumed',
  message: 'Job resumed',
}

/** The condition, if its status is True. */
export function holdingCondition(conditions: JobConditions, type: JobConditionType): JobCondition | undefined {
  return conditions.find((each) => each.type === type && each.status === 'True')
}

/** Returns the same list if it already has the condition. A condition that was never true is not added as False. */
export function stating(conditions: JobConditions, stated: JobStatement, nowMs: number): JobConditions {
  const { type, status, reason, message } = stated
  const before = conditions.find((each) => each.type === type)
  if (before === undefined && status === 'False') return conditions
  if (before?.status === status && before.reason === reason && before.message === message) return conditions
  const now = timestamp(nowMs)
  const after: JobCondition = { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message }
  return before === undefined ? [...conditions, after] : conditions.map((each) => (each === before ? after : each))
}
