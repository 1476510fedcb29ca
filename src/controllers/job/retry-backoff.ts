import type { JobPod } from './job-facts.ts'

/** How long Kubernetes waits before it replaces a failed Pod: the time doubles with each failure, up to ten minutes. */
const firstPauseMs = 10_000
const longestPauseMs = 600_000

/** Failures since the last success. */
export interface RetryBackoff {
  readonly failures: number
  readonly lastFailureMs: number
}

export const noFailures: RetryBackoff = { failures: 0, lastFailureMs: 0 }

/** The backoff after these Pods have finished as well. */
export function backoffAfter(
  before: RetryBackoff,
  succeeded: readonly JobPod[],
  failed: readonly JobPod[],
): RetryBackoff {
  const lastSuccessMs = latest(succeeded)
  const since = failed.filter(({ job }) => lastSuccessMs === undefined || job.finishedMs > lastSuccessMs)
  const start = lastSuccessMs === undefined ? before : noFailures
  return {
    failures: start.failures + since.length,
    lastFailureMs: Math.max(start.lastFailureMs, latest(since) ?? 0),
  }
}

/** From counted Pods that still exist. */
export function backoffFrom(pods: readonly JobPod[]): RetryBackoff {
  const counted = pods.filter(({ job, isBeingDeleted }) => !job.isTracked && !isBeingDeleted)
  return backoffAfter(
    noFailures,
    counted.filter(({ phase }) => phase === 'Succeeded'),
    counted.filter(({ phase }) => phase === 'Failed'),
  )
}

/** When the next Pod may be created. */
export function retryAtMs({ failures, lastFailureMs }: RetryBackoff): number {
  if (failures === 0) return 0
  return lastFailureMs + Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs)
}

/** The same for one index, given its last Pod. */
export function indexRetryAtMs({ job }: JobPod): number {
  return retryAtMs({ failures: job.failuresBefore + job.ignoredBefore + 1, lastFailureMs: job.finishedMs })
}

function latest(pods: readonly JobPod[]): number | undefined {
  return pods.reduce<number | undefined>((last, { job }) => Math.max(last ?? job.finishedMs, job.finishedMs), undefined)
}
