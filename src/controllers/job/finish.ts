import type { Job, JobStatus } from '../../api/types/batch-v1.ts'
import { holdingCondition, type JobStatement } from './conditions.ts'
import { type IndexSet, indexCount } from './index-set.ts'
import type { JobPod } from './job-facts.ts'
import type { FailureReader } from './pod-failure-rules.ts'
import { metSuccessRule } from './success-rules.ts'

/** Why a Job ends. It has ended when all its Pods are gone or counted. */
export interface JobFinish {
  readonly outcome: 'success' | 'failure'
  readonly reason: string
  readonly message: string
  /** Whether the stored status has it: only then may Pods be deleted because of it. */
  readonly isStored: boolean
}

/** The progress of a Job, including what has not been written yet. */
export interface JobTally {
  readonly active: readonly JobPod[]
  readonly tracked: readonly JobPod[]
  readonly succeeded: number
  readonly failed: number
  readonly newFailed: readonly JobPod[]
  readonly failureOf: FailureReader
  readonly succeededIndexes: IndexSet | undefined
  readonly failedIndexes: IndexSet | undefined
}

/** Each check runs only if those before have no result. A stored decision stays. */
export function finishOf(job: Job, tally: JobTally, nowMs: number): JobFinish | undefined {
  return (
    storedFinish(job.status) ??
    failedByRule(job, tally) ??
    failedTooOften(job, tally) ??
    tookTooLong(job, nowMs) ??
    failedIndexesOf(job, tally) ??
    succeededByRule(job, tally) ??
    completed(job, tally)
  )
}

/** The condition that is written before any Pod is deleted because of it. */
export function intermediateCondition({ outcome, reason, message }: JobFinish): JobStatement {
  return { type: outcome === 'success' ? 'SuccessCriteriaMet' : 'FailureTarget', status: 'True', reason, message }
}

export function finalCondition({ outcome, reason, message }: JobFinish): JobStatement {
  return { type: outcome === 'success' ? 'Complete' : 'Failed', status: 'True', reason, message }
}

/** When the current uninterrupted run began; undefined if the Job has not started. */
export function startedMs({ status }: Job, nowMs: number): number | undefined {
  if (status.startTime === undefined) return undefined
  const isResumed = holdingCondition(status.conditions ?? [], 'Suspended') !== undefined
  return isResumed ? nowMs : Date.parse(status.startTime) || nowMs
}

/** Whether the status records how the Job ends. */
export function isDecided(status: JobStatus): boolean {
  return storedFinish(status) !== undefined
}

function storedFinish({ conditions = [] }: JobStatus): JobFinish | undefined {
  const success = holdingCondition(conditions, 'SuccessCriteriaMet')
  const stored = success ?? holdingCondition(conditions, 'FailureTarget')
  if (stored === undefined) return undefined
  const { reason = '', message = '' } = stored
  return { outcome: success === undefined ? 'failure' : 'success', reason, message, isStored: true }
}

function failure(reason: string, message: string): JobFinish {
  return { outcome: 'failure', reason, message, isStored: false }
}

function success(reason: string, message: string): JobFinish {
  return { outcome: 'success', reason, message, isStored: false }
}

function failedByRule({ spec }: Job, { newFailed, failureOf }: JobTally): JobFinish | undefined {
  if (spec.podFailurePolicy === undefined) return undefined
  for (const pod of newFailed) {
    const meaning = failureOf(pod)
    if (meaning.action === 'FailJob') return failure('PodFailurePolicy', meaning.message)
  }
  return undefined
}

function failedTooOften({ spec }: Job, { failed, tracked }: JobTally): JobFinish | undefined {
  const { backoffLimit = 6, template } = spec
  const restarts = tracked.reduce((sum, { job }) => sum + job.containerRestarts, 0)
  const restartsTooMany = template.spec.restartPolicy === 'OnFailure' && restarts >= Math.max(backoffLimit, 1)
  if (failed <= backoffLimit && !restartsTooMany) return undefined
  return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
}

function tookTooLong(job: Job, nowMs: number): JobFinish | undefined {
  const { activeDeadlineSeconds: seconds, suspend } = job.spec
  const sinceMs = startedMs(job, nowMs)
  if (seconds === undefined || suspend === true || sinceMs === undefined) return undefined
  if (nowMs < sinceMs + seconds * 1000) return undefined
  return failure('DeadlineExceeded', 'Job was active longer than specified deadline')
}

function failedIndexesOf({ spec }: Job, { failedIndexes, succeeded }: JobTally): JobFinish | undefined {
  const failed = indexCount(failedIndexes ?? [])
  if (failed === 0) return undefined
  if (spec.maxFailedIndexes !== undefined && failed > spec.maxFailedIndexes) {
    return failure('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes')
  }
  return failed + succeeded >= (spec.completions ?? 0) ? failure('FailedIndexes', 'Job has failed indexes') : undefined
}

function succeededByRule({ spec }: Job, { succeededIndexes }: JobTally): JobFinish | undefined {
  const rule = metSuccessRule(spec.successPolicy, succeededIndexes ?? [], spec.completions ?? 0)
  return rule === undefined ? undefined : success('SuccessPolicy', rule)
}

/** Without `completions`, one successful Pod is enough. */
function completed({ spec }: Job, { active, succeeded }: JobTally): JobFinish | undefined {
  const isEnough = spec.completions === undefined ? succeeded > 0 : succeeded >= spec.completions
  if (!isEnough || active.length > 0) return undefined
  return success('CompletionsReached', 'Reached expected number of succeeded pods')
}
