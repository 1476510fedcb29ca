import type { Job, JobSpec, JobStatus } from '../../api/types/batch-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { isActive } from '../pods/pod-facts.ts'
import type { News } from '../run/event-limits.ts'
import { holdingCondition, type JobConditions, jobResumed, jobSuspended, stating } from './conditions.ts'
import { finalCondition, intermediateCondition, type JobFinish } from './finish.ts'
import { printIndexes } from './index-set.ts'
import type { JobPod } from './job-facts.ts'
import { countsHere, hasFailed, isCounted, isIndexed, type JobVerdict } from './verdict.ts'

/** How many Pods are released in one reconciliation; the others follow. */
const mostLetGo = 500

interface LetGo {
  /** They lose the Job's finalizer once the status is stored, and not before: then they may be deleted. */
  readonly untrack: readonly JobPod[]
  /** Of these, the Pods that no status has recorded yet. */
  readonly succeeded: readonly JobPod[]
  readonly failed: readonly JobPod[]
}

export interface JobStatusPlan {
  readonly status: JobStatus
  readonly letGo: LetGo
  /** Recorded once the status is stored. */
  readonly news: readonly News[]
}

/** Plans the next status. A Pod is first recorded in it, then released, and then counted. */
export function planJobStatus(job: Job, verdict: JobVerdict, nowMs: number): JobStatusPlan {
  const letGo = letGoOf(job, verdict)
  const isOver = isAtItsEnd(verdict, letGo)
  const before = job.status.conditions ?? []
  const conditions = conditionsAfter(job, verdict.finish, isOver, nowMs)
  const isResumed = isSuspended(before) && !isSuspended(conditions)
  const startTime = startTimeAfter(job, isResumed, nowMs)
  const completionTime = isOver && verdict.finish?.outcome === 'success' ? timestamp(nowMs) : job.status.completionTime
  return {
    status: {
      ...(conditions.length > 0 && { conditions }),
      ...(startTime !== undefined && { startTime }),
      ...(completionTime !== undefined && { completionTime }),
      ...countsAfter(job.spec, verdict, letGo),
    },
    letGo,
    news: [...suspensionNews(before, conditions), ...(isOver ? endNews(job, verdict) : [])],
  }
}

/** Kubernetes omits most zero values. */
function countsAfter(spec: JobSpec, verdict: JobVerdict, letGo: LetGo): JobStatus {
  const { active, terminating, uncounted, counted, succeededIndexes, failedIndexes, failureOf } = verdict
  const succeeded = succeededIndexes === undefined ? counted.succeeded : verdict.succeeded
  const completedIndexes = printIndexes(succeededIndexes ?? [])
  const newFailed = letGo.failed.filter((pod) => isCounted(failureOf, pod))
  // The success of an index is recorded separately.
  const succeededUids = [...uncounted.succeeded, ...(isIndexed(spec) ? [] : uidsOf(letGo.succeeded))]
  const failedUids = [...uncounted.failed, ...uidsOf(newFailed)]
  return {
    ...(active.length > 0 && { active: active.length }),
    ...(succeeded > 0 && { succeeded }),
    ...(counted.failed > 0 && { failed: counted.failed }),
    terminating: terminating.length,
    ...(completedIndexes !== '' && { completedIndexes }),
    ...(failedIndexes !== undefined && { failedIndexes: printIndexes(failedIndexes) }),
    uncountedTerminatedPods: {
      ...(succeededUids.length > 0 && { succeeded: succeededUids }),
      ...(failedUids.length > 0 && { failed: failedUids }),
    },
    ready: active.filter(({ isReady }) => isReady).length,
  }
}

function letGoOf(job: Job, verdict: JobVerdict): LetGo {
  const { uncounted, tracked } = verdict
  const told = new Set([...uncounted.succeeded, ...uncounted.failed])
  const untrack = tracked.filter((pod) => mayGo(job, verdict, pod)).slice(0, mostLetGo)
  const ended = untrack.filter((pod) => !told.has(pod.uid) && countsHere(job.spec, pod))
  return {
    untrack,
    succeeded: ended.filter(({ phase }) => phase === 'Succeeded'),
    failed: ended.filter((pod) => pod.phase !== 'Succeeded' && isFailure(job, verdict.finish, pod)),
  }
}

/** The failure counts of an index stay on its Pod until the next Pod has them. */
function mayGo({ metadata, spec }: Job, { finish, toReplace }: JobVerdict, pod: JobPod): boolean {
  if (metadata.deletionTimestamp !== undefined || pod.phase === 'Succeeded') return true
  if (finish !== undefined) return !isActive(pod)
  const { index = -1 } = pod.job
  return hasFailed(spec, pod) && toReplace.get(index)?.uid !== pod.uid
}

/** A failing Job takes all its Pods with it; a successful one needs no more of them. */
function isFailure({ spec }: Job, finish: JobFinish | undefined, pod: JobPod): boolean {
  switch (finish?.outcome) {
    case 'failure':
      return true
    case 'success':
      return pod.phase === 'Failed'
    case undefined:
      return hasFailed(spec, pod)
  }
}

/** All its Pods are counted, and none is running or being deleted. */
function isAtItsEnd({ finish, active, terminating, uncounted }: JobVerdict, { untrack }: LetGo): boolean {
  const left = active.length + terminating.length + untrack.length
  return finish?.isStored === true && left + uncounted.succeeded.length + uncounted.failed.length === 0
}

function conditionsAfter(
  { metadata, spec, status }: Job,
  finish: JobFinish | undefined,
  isOver: boolean,
  nowMs: number,
): JobConditions {
  const before = status.conditions ?? []
  if (finish !== undefined) {
    const said = finish.isStored ? before : stating(before, intermediateCondition(finish), nowMs)
    return isOver ? stating(said, finalCondition(finish), nowMs) : said
  }
  if (metadata.deletionTimestamp !== undefined) return before
  return stating(before, spec.suspend === true ? jobSuspended : jobResumed, nowMs)
}

function isSuspended(conditions: JobConditions): boolean {
  return holdingCondition(conditions, 'Suspended') !== undefined
}

/** The time starts again when the Job is resumed. */
function startTimeAfter({ spec, status }: Job, isResumed: boolean, nowMs: number): string | undefined {
  const isFirst = status.startTime === undefined && spec.suspend !== true
  return isFirst || isResumed ? timestamp(nowMs) : status.startTime
}

function suspensionNews(before: JobConditions, after: JobConditions): readonly News[] {
  if (isSuspended(before) === isSuspended(after)) return []
  return isSuspended(after)
    ? [{ type: 'Normal', reason: 'Suspended', message: 'Job suspended' }]
    : [{ type: 'Normal', reason: 'Resumed', message: 'Job resumed' }]
}

function endNews({ spec }: Job, { finish, succeeded }: JobVerdict): readonly News[] {
  if (finish === undefined) return []
  const { outcome, reason, message } = finish
  if (outcome === 'failure') return [{ type: 'Warning', reason, message }]
  const isMore = spec.completions !== undefined && succeeded > spec.completions
  const tooMany = 'Too many succeeded pods running after completion count reached'
  return [
    ...(isMore ? [{ type: 'Warning', reason: 'TooManySucceededPods', message: tooMany } as const] : []),
    { type: 'Normal', reason: 'Completed', message: 'Job completed' },
  ]
}

function uidsOf(pods: readonly JobPod[]): readonly string[] {
  return pods.map(({ uid }) => uid)
}
