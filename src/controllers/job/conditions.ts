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

/** Only what is true. */
export function holdingCondition(conditions: JobConditions, type: JobConditionType): JobCondition | undefined {
  return conditions.find((each) => each.type === type && each.status === 'True')
}

/** The same list if it says so already. That something never was needs no condition. */
export function stating(conditions: JobConditions, stated: JobStatement, nowMs: number): JobConditions {
  const { type, status, reason, message } = stated
  const before = conditions.find((each) => each.type === type)
  if (before === undefined && status === 'False') return conditions
  if (before?.status === status && before.reason === reason && before.message === message) return conditions
  const now = timestamp(nowMs)
  const after: JobCondition = { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message }
  return before === undefined ? [...conditions, after] : conditions.map((each) => (each === before ? after : each))
}
