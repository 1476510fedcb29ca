import { deepEqual } from '../../base/equal.ts'
import { checkNotNegative } from '../core/field-checks.ts'
import { duplicateField, type FieldError, invalidField, invalidFieldAs, requiredField } from '../field-error.ts'
import type { Job, JobStatus } from '../types/batch-v1.ts'
import { type IndexInterval, readIndexIntervals } from './index-intervals.ts'

const ownController = 'kubernetes.io/job-controller'

/**
 * What a controller, ours or another, may write about a job. Rules that the change does not affect are not checked
 * again.
 */
export function validateJobStatus(job: Job, old: Job): readonly FieldError[] {
  return [
    ...validateCounts(job.status),
    ...validateUncounted(job.status),
    ...validateConditions(job, old),
    ...validateFinished(job, old),
    ...validateIndexes(job, old),
    ...validateLive(job, old),
    ...validateCriteria(job),
    ...validateTransition(job, old),
  ]
}

function validateCounts({ active, succeeded, failed, ready, terminating }: JobStatus): readonly FieldError[] {
  return Object.entries({ active, succeeded, failed, ready, terminating }).flatMap(([name, count]) =>
    checkNotNegative(`status.${name}`, count),
  )
}

/** No pod may wait to be counted twice. */
function validateUncounted({ uncountedTerminatedPods: uncounted }: JobStatus): readonly FieldError[] {
  const seen = new Set<string>()
  const errors: FieldError[] = []
  for (const member of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (uncounted?.[member] ?? []).entries()) {
      const field = `status.uncountedTerminatedPods.${member}[${index}]`
      if (uid === '') errors.push(invalidField(field, uid, 'must not be empty'))
      else if (seen.has(uid)) errors.push(duplicateField(field, uid))
      seen.add(uid)
    }
  }
  return errors
}

function validateConditions(job: Job, old: Job): readonly FieldError[] {
  const { startTime, completionTime } = job.status
  const isComplete = has(job, 'Complete')
  const changed = (type: string) => isComplete !== has(old, 'Complete') || has(job, type) !== has(old, type)
  const timeChanged = completionTime !== old.status.completionTime
  const completionChanged = isComplete !== has(old, 'Complete') || timeChanged
  const errors: FieldError[] = []
  if (isComplete && has(job, 'Failed') && changed('Failed')) {
    errors.push(wrongConditions('cannot set Complete=True and Failed=true conditions'))
  }
  if (isComplete && has(job, 'FailureTarget') && changed('FailureTarget')) {
    errors.push(wrongConditions('cannot set Complete=True and FailureTarget=true conditions'))
  }
  if (completionTime !== undefined && !isComplete && completionChanged) {
    errors.push(
      wrongTime('completionTime', completionTime, 'cannot set completionTime when there is no Complete=True condition'),
    )
  }
  if (completionTime === undefined && isComplete && completionChanged) {
    errors.push(requiredField('status.completionTime', 'completionTime is required for Complete jobs'))
  }
  const ranBackwards = startTime !== undefined && completionTime !== undefined && isBefore(completionTime, startTime)
  if (ranBackwards && (timeChanged || startTime !== old.status.startTime)) {
    errors.push(wrongTime('completionTime', completionTime, 'completionTime cannot be set before startTime'))
  }
  return [...errors, ...validateIntent(job, old)]
}

/**
 * A job must announce its end before it ends. Managers of Kubernetes before 1.31 do not do so: they may continue with
 * their own jobs.
 */
function validateIntent(job: Job, old: Job): readonly FieldError[] {
  if ((job.spec.managedBy ?? ownController) === ownController) return []
  const lacks = (end: string, intent: string) =>
    has(job, end) && !has(job, intent) && (has(old, end) !== has(job, end) || has(old, intent) !== has(job, intent))
  return [
    ...(lacks('Failed', 'FailureTarget')
      ? [wrongConditions('cannot set Failed=True condition without the FailureTarget=true condition')]
      : []),
    ...(lacks('Complete', 'SuccessCriteriaMet')
      ? [wrongConditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition')]
      : []),
  ]
}

function validateFinished(job: Job, old: Job): readonly FieldError[] {
  if (!isFinished(job)) return []
  const { active = 0, startTime, uncountedTerminatedPods: uncounted } = job.status
  const ends = !isFinished(old)
  const uncountedPods = (uncounted?.failed?.length ?? 0) + (uncounted?.succeeded?.length ?? 0)
  const neverRan = job.spec.suspend === true && job.spec.completions === 0
  const errors: FieldError[] = []
  if (active > 0 && (ends || active !== old.status.active)) {
    errors.push(invalidField('status.active', active, 'active>0 is invalid for finished job'))
  }
  if (startTime === undefined && !neverRan && (ends || old.status.startTime !== undefined)) {
    errors.push(requiredField('status.startTime', 'startTime is required for finished job'))
  }
  if (uncountedPods > 0 && (ends || !deepEqual(uncounted, old.status.uncountedTerminatedPods))) {
    const detail = 'uncountedTerminatedPods needs to be empty for finished job'
    errors.push(invalidField('status.uncountedTerminatedPods', uncounted, detail))
  }
  return errors
}

function validateIndexes(job: Job, old: Job): readonly FieldError[] {
  const { completedIndexes = '', failedIndexes } = job.status
  const { completions, completionMode, backoffLimitPerIndex } = job.spec
  const completedChanged = completedIndexes !== (old.status.completedIndexes ?? '')
  const failedChanged = failedIndexes !== old.status.failedIndexes
  if (!completedChanged && !failedChanged) return []
  const completed = readIndexIntervals(completedIndexes, completions ?? 0)
  const failed = readIndexIntervals(failedIndexes ?? '', completions ?? 0)
  const errors: FieldError[] = []
  if (completedChanged && completions !== undefined && completed.problem !== undefined) {
    const detail = `error parsing completedIndexes: ${completed.problem}`
    errors.push(invalidField('status.completedIndexes', completedIndexes, detail))
  }
  if (
    failedChanged &&
    completions !== undefined &&
    backoffLimitPerIndex !== undefined &&
    failed.problem !== undefined
  ) {
    errors.push(invalidField('status.failedIndexes', failedIndexes, `error parsing failedIndexes: ${failed.problem}`))
  }
  if (completedChanged && completedIndexes !== '' && completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode'
    errors.push(invalidField('status.completedIndexes', completedIndexes, detail))
  }
  if (failedChanged && failedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'
    errors.push(invalidField('status.failedIndexes', failedIndexes, detail))
  }
  const shared = completions === undefined ? undefined : firstShared(completed.intervals ?? [], failed.intervals ?? [])
  if (shared !== undefined) {
    const detail = `failedIndexes and completedIndexes overlap at index: ${shared}`
    errors.push(invalidField('status.failedIndexes', failedIndexes, detail))
  }
  return errors
}

function validateLive(job: Job, old: Job): readonly FieldError[] {
  const { active = 0, ready, terminating = 0 } = job.status
  const ends = isFinished(job) && !isFinished(old)
  const readyChanged = ready !== old.status.ready || active !== (old.status.active ?? 0)
  return [
    ...(isFinished(job) && terminating > 0 && (ends || terminating !== old.status.terminating)
      ? [invalidField('status.terminating', terminating, 'terminating>0 is invalid for finished job')]
      : []),
    ...(ready !== undefined && ready > active && readyChanged
      ? [invalidField('status.ready', ready, 'cannot set more ready pods than active')]
      : []),
  ]
}

function validateCriteria(job: Job): readonly FieldError[] {
  const isMet = has(job, 'SuccessCriteriaMet')
  const conflicting = (['Failed', 'FailureTarget'] as const).filter((type) => isMet && has(job, type))
  return [
    ...conflicting.map((type) => wrongConditions(`cannot set SuccessCriteriaMet=True and ${type}=true conditions`)),
    ...(job.spec.successPolicy !== undefined && !isMet && has(job, 'Complete')
      ? [wrongConditions('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True')]
      : []),
  ]
}

/** What was once reported about a job stays true. */
function validateTransition(job: Job, old: Job): readonly FieldError[] {
  const { failed = 0, succeeded = 0, completionTime, startTime } = job.status
  const {
    failed: oldFailed = 0,
    succeeded: oldSucceeded = 0,
    completionTime: oldCompletion,
    startTime: oldStart,
  } = old.status
  const { completionMode, completions, parallelism, suspend } = job.spec
  const mayShrink = completionMode === 'Indexed' && completions === parallelism
  const lost = (type: string) => has(old, type) && !has(job, type)
  const errors = ['Failed', 'Complete', 'FailureTarget']
    .filter(lost)
    .map((type) => wrongConditions(`cannot disable the terminal ${type}=True condition`))
  if (failed < oldFailed) errors.push(invalidField('status.failed', failed, 'cannot decrease the failed counter'))
  if (succeeded < oldSucceeded && !mayShrink) {
    errors.push(invalidField('status.succeeded', succeeded, 'cannot decrease the succeeded counter'))
  }
  if (completionTime !== undefined && oldCompletion !== undefined && completionTime !== oldCompletion) {
    errors.push(wrongTime('completionTime', completionTime, 'completionTime cannot be mutated'))
  }
  // A resumed job starts anew.
  if (oldStart !== undefined && startTime === undefined && suspend !== true) {
    errors.push(requiredField('status.startTime', 'startTime cannot be removed for unsuspended job'))
  }
  if (lost('SuccessCriteriaMet')) errors.push(wrongConditions('cannot disable the SuccessCriteriaMet=True condition'))
  if (has(old, 'Complete') && !has(old, 'SuccessCriteriaMet') && has(job, 'SuccessCriteriaMet')) {
    const detail = 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'
    errors.push(wrongConditions(detail))
  }
  return errors
}

function has({ status }: Job, type: string): boolean {
  return (status.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True')
}

function isFinished(job: Job): boolean {
  return has(job, 'Complete') || has(job, 'Failed')
}

function isBefore(left: string, right: string): boolean {
  return Date.parse(left) < Date.parse(right)
}

function wrongConditions(detail: string): FieldError {
  return invalidFieldAs('status.conditions', detail, '')
}

function wrongTime(member: string, time: string, detail: string): FieldError {
  return invalidField(`status.${member}`, time, detail)
}

/** Both lists are sorted. */
function firstShared(left: readonly IndexInterval[], right: readonly IndexInterval[]): number | undefined {
  let place = 0
  for (const [first, last] of left) {
    while (place < right.length && (right[place]?.[1] ?? 0) < first) place += 1
    const other = right[place]
    if (other === undefined) return undefined
    if (other[0] <= last) return Math.max(first, other[0])
  }
  return undefined
}
