import type { Job, JobSpec } from '../../api/types/batch-v1.ts'
import { isActive } from '../pods/pod-facts.ts'
import { finishOf, isDecided, type JobFinish, type JobTally } from './finish.ts'
import { hasIndex, type IndexSet, indexCount, parseIndexes, withIndexes } from './index-set.ts'
import type { JobPod } from './job-facts.ts'
import { type FailureReader, failureReader } from './pod-failure-rules.ts'

/** The state of a Job and its Pods at one point in time. */
export interface JobVerdict extends JobTally {
  /** Running Pods that nothing will count: they were given up. */
  readonly abandoned: readonly JobPod[]
  /** Under deletion, but not gone yet. */
  readonly terminating: readonly JobPod[]
  /** Counted for good: Pods without the Job's finalizer. */
  readonly counted: { readonly succeeded: number; readonly failed: number }
  /** Uids of Pods that are about to be counted: they are in the status, and still have the finalizer. */
  readonly uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] }
  readonly newSucceeded: readonly JobPod[]
  /** The last Pod of each failed index that will be retried: its failure counts pass on to the next. */
  readonly toReplace: ReadonlyMap<number, JobPod>
  readonly finish: JobFinish | undefined
}

export function verdictOn(job: Job, pods: readonly JobPod[], nowMs: number): JobVerdict {
  const { spec } = job
  const tracked = pods.filter(({ job: { isTracked } }) => isTracked)
  const active = tracked.filter(isActive)
  const { counted, uncounted } = settled(job, tracked)
  const known = new Set([...uncounted.succeeded, ...uncounted.failed])
  const fresh = tracked.filter((pod) => !known.has(pod.uid) && countsHere(spec, pod))
  const newSucceeded = fresh.filter(({ phase }) => phase === 'Succeeded')
  const newFailed = fresh.filter((pod) => hasFailed(spec, pod))
  const failureOf = failureReader(spec.podFailurePolicy)
  const succeededIndexes = succeededIndexesOf(job, newSucceeded)
  const failedIndexes = failedIndexesOf(job, newFailed, failureOf)
  const tally: JobTally = {
    active,
    tracked,
    succeeded:
      succeededIndexes === undefined
        ? counted.succeeded + uncounted.succeeded.length + newSucceeded.length
        : indexCount(succeededIndexes),
    failed: counted.failed + uncounted.failed.length + newFailed.filter((pod) => isCounted(failureOf, pod)).length,
    newFailed,
    failureOf,
    succeededIndexes,
    failedIndexes,
  }
  return {
    ...tally,
    abandoned: pods.filter((pod) => isActive(pod) && !pod.job.isTracked),
    terminating: pods.filter(isTerminating),
    counted,
    uncounted,
    newSucceeded,
    toReplace: toReplaceOf(spec, tally),
    finish: finishOf(job, tally, nowMs),
  }
}

export function isIndexed({ completionMode }: JobSpec): boolean {
  return completionMode === 'Indexed'
}

/** Terminating Pods are replaced only when they have finished. */
export function replacesOnlyFailed({ podReplacementPolicy }: JobSpec): boolean {
  return podReplacementPolicy === 'Failed'
}

/** A Pod under deletion may never get to report that it failed. */
export function hasFailed(spec: JobSpec, { phase, isBeingDeleted, job }: JobPod): boolean {
  if (phase === 'Failed' || phase === 'Succeeded') return phase === 'Failed'
  return isBeingDeleted && (!replacesOnlyFailed(spec) || job.isCutOff)
}

/** Whether a failure of the Pod counts toward the Job's limit. */
export function isCounted(failureOf: FailureReader, pod: JobPod): boolean {
  return failureOf(pod).action !== 'Ignore'
}

/** Pods without a valid index do not count as completions. */
export function countsHere(spec: JobSpec, { job: { index } }: JobPod): boolean {
  return !isIndexed(spec) || (index !== undefined && index < (spec.completions ?? 0))
}

function isTerminating({ phase, isBeingDeleted }: JobPod): boolean {
  return isBeingDeleted && phase !== 'Succeeded' && phase !== 'Failed'
}

/** Pods in the status that no longer have the finalizer have been counted. */
function settled({ status }: Job, tracked: readonly JobPod[]): Pick<JobVerdict, 'counted' | 'uncounted'> {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  const held = new Set(tracked.map(({ uid }) => uid))
  const stay = (uids: readonly string[]) => uids.filter((uid) => held.has(uid))
  const uncounted = { succeeded: stay(succeeded), failed: stay(failed) }
  return {
    counted: {
      succeeded: (status.succeeded ?? 0) + succeeded.length - uncounted.succeeded.length,
      failed: (status.failed ?? 0) + failed.length - uncounted.failed.length,
    },
    uncounted,
  }
}

function succeededIndexesOf({ spec, status }: Job, newSucceeded: readonly JobPod[]): IndexSet | undefined {
  if (!isIndexed(spec)) return undefined
  return withIndexes(parseIndexes(status.completedIndexes ?? '', spec.completions ?? 0), indexesOf(newSucceeded))
}

/** Undefined if indexes have no separate limits. */
function failedIndexesOf(
  { spec, status }: Job,
  newFailed: readonly JobPod[],
  failureOf: FailureReader,
): IndexSet | undefined {
  const { backoffLimitPerIndex: limit } = spec
  if (limit === undefined || !isIndexed(spec)) return undefined
  const isEnding = isDecided(status)
  const given = newFailed.filter((pod) => {
    // A Pod that is deleted with its Job has not failed on its own.
    if (isEnding && pod.phase !== 'Failed') return false
    const { action } = failureOf(pod)
    return action === 'FailIndex' || (action !== 'Ignore' && pod.job.failuresBefore >= limit)
  })
  return withIndexes(parseIndexes(status.failedIndexes ?? '', spec.completions ?? 0), indexesOf(given))
}

function toReplaceOf(
  { backoffLimitPerIndex }: JobSpec,
  { active, newFailed, succeededIndexes = [], failedIndexes = [] }: JobTally,
): ReadonlyMap<number, JobPod> {
  const last = new Map<number, JobPod>()
  if (backoffLimitPerIndex === undefined) return last
  const running = new Set(indexesOf(active))
  for (const pod of newFailed) {
    const { index } = pod.job
    if (index === undefined || running.has(index)) continue
    if (hasIndex(succeededIndexes, index) || hasIndex(failedIndexes, index)) continue
    const before = last.get(index)
    if (before === undefined || isLater(pod, before)) last.set(index, pod)
  }
  return last
}

function isLater({ job }: JobPod, { job: before }: JobPod): boolean {
  const failures = job.failuresBefore + job.ignoredBefore
  return failures >= before.failuresBefore + before.ignoredBefore && job.finishedMs >= before.finishedMs
}

export function indexesOf(pods: readonly JobPod[]): readonly number[] {
  return pods.flatMap(({ job: { index } }) => (index === undefined ? [] : [index]))
}
