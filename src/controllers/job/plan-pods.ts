import type { Job, JobSpec } from '../../api/types/batch-v1.ts'
import { inDeletionOrder } from '../pods/deletion-order.ts'
import { firstMissing, unionOf, withIndexes } from './index-set.ts'
import type { JobPod } from './job-facts.ts'
import { indexRetryAtMs, type RetryBackoff, retryAtMs } from './retry-backoff.ts'
import { countsHere, indexesOf, isCounted, isIndexed, type JobVerdict, replacesOnlyFailed } from './verdict.ts'

/** How many are written in one reconciliation; the rest follows in the next. */
const mostPerReconcile = 500

/** A Pod that a Job lacks. */
export interface WantedPod {
  /** Undefined: its Job has no indexes. */
  readonly index?: number
  /** Previous failures of its index; undefined: indexes have no separate limits. */
  readonly failures?: { readonly counted: number; readonly ignored: number }
}

export interface JobPodsPlan {
  readonly create: readonly WantedPod[]
  /** Deleted, and counted before that. */
  readonly remove: readonly JobPod[]
  /** Deleted without being counted. */
  readonly giveUp: readonly JobPod[]
  /** When postponed Pods may be created; undefined if there are none. */
  readonly retryAtMs: number | undefined
}

const nothing: JobPodsPlan = { create: [], remove: [], giveUp: [], retryAtMs: undefined }

/** Pods are either deleted or created, never both. */
export function planJobPods(job: Job, verdict: JobVerdict, backoff: RetryBackoff, nowMs: number): JobPodsPlan {
  const { metadata, spec } = job
  const { active, abandoned, finish } = verdict
  if (metadata.deletionTimestamp !== undefined) return nothing
  if (finish !== undefined)
    return finish.isStored ? { ...leaving(abandoned), remove: active.slice(0, mostPerReconcile) } : nothing
  if (spec.suspend === true) return leaving([...abandoned, ...active])
  const wanted = wantedActive(spec, verdict)
  const surplus = surplusOf(spec, active, Math.max(0, active.length - wanted), nowMs)
  if (abandoned.length + surplus.length > 0) return leaving([...abandoned, ...surplus])
  const inTheWay = replacesOnlyFailed(spec) ? verdict.terminating.length : 0
  const missing = wanted - active.length - inTheWay
  return missing > 0 ? creation(spec, verdict, Math.min(missing, mostPerReconcile), backoff, nowMs) : nothing
}

function leaving(pods: readonly JobPod[]): JobPodsPlan {
  return { ...nothing, giveUp: pods.slice(0, mostPerReconcile) }
}

/** Without `completions`, no more Pods are created after the first success. */
function wantedActive({ completions, parallelism = 1 }: JobSpec, { active, succeeded }: JobVerdict): number {
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism
  return Math.max(0, Math.min(completions - succeeded, parallelism))
}

/** Pods with a duplicate or invalid index come first. */
function surplusOf(spec: JobSpec, active: readonly JobPod[], atLeast: number, nowMs: number): readonly JobPod[] {
  if (atLeast === 0 && !isIndexed(spec)) return []
  const ordered = inDeletionOrder(active, [], nowMs)
  const needless = isIndexed(spec) ? needlessOf(spec, ordered) : new Set<JobPod>()
  const others = ordered.filter((pod) => !needless.has(pod))
  return [...needless, ...others.slice(0, Math.max(0, atLeast - needless.size))]
}

/** Of Pods with the same index, the one that would be deleted last stays. */
function needlessOf(spec: JobSpec, ordered: readonly JobPod[]): ReadonlySet<JobPod> {
  const taken = new Set<number>()
  const needless = new Set<JobPod>()
  for (const pod of ordered.toReversed()) {
    const { index } = pod.job
    if (index === undefined || !countsHere(spec, pod) || taken.has(index)) needless.add(pod)
    else taken.add(index)
  }
  return needless
}

function creation(
  spec: JobSpec,
  verdict: JobVerdict,
  count: number,
  backoff: RetryBackoff,
  nowMs: number,
): JobPodsPlan {
  if (spec.backoffLimitPerIndex !== undefined) return creationByIndex(spec, verdict, count, nowMs)
  const atMs = retryAtMs(backoff)
  if (atMs > nowMs) return { ...nothing, retryAtMs: atMs }
  const create = isIndexed(spec)
    ? pendingIndexes(spec, verdict, count).map((index) => ({ index }))
    : Array.from({ length: count }, () => ({}))
  return { ...nothing, create }
}

/** Each index has its own backoff. */
function creationByIndex(spec: JobSpec, verdict: JobVerdict, count: number, nowMs: number): JobPodsPlan {
  const pending = pendingIndexes(spec, verdict, count).map((index) => {
    const replaced = verdict.toReplace.get(index)
    const wanted: WantedPod = { index, failures: failuresAfter(verdict, replaced) }
    return { wanted, atMs: replaced === undefined ? 0 : indexRetryAtMs(replaced) }
  })
  const later = pending.filter(({ atMs }) => atMs > nowMs).map(({ atMs }) => atMs)
  return {
    ...nothing,
    create: pending.filter(({ atMs }) => atMs <= nowMs).map(({ wanted }) => wanted),
    retryAtMs: later.length === 0 ? undefined : later.reduce((first, atMs) => Math.min(first, atMs)),
  }
}

function failuresAfter(
  { failureOf }: JobVerdict,
  replaced: JobPod | undefined,
): { readonly counted: number; readonly ignored: number } {
  if (replaced === undefined) return { counted: 0, ignored: 0 }
  const { failuresBefore, ignoredBefore } = replaced.job
  return isCounted(failureOf, replaced)
    ? { counted: failuresBefore + 1, ignored: ignoredBefore }
    : { counted: failuresBefore, ignored: ignoredBefore + 1 }
}

function pendingIndexes(
  spec: JobSpec,
  { active, terminating, succeededIndexes = [], failedIndexes = [] }: JobVerdict,
  count: number,
): readonly number[] {
  const busy = replacesOnlyFailed(spec) ? [...active, ...terminating] : active
  const taken = withIndexes(unionOf(succeededIndexes, failedIndexes), indexesOf(busy))
  return firstMissing(taken, count, spec.completions ?? 0)
}
