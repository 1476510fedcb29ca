import type { JobPod } from './job-facts.ts'

/** As long as Kubernetes waits before it replaces a Pod that failed: twice as long each time, and ten minutes at most. */
const firstPauseMs = 10_000
const longestPauseMs = 600_000

/** Failures since the last success. */
export interface RetryBackoff {
  readonly failures: number
  readonly lastFailureMs: number
}

export const noFailures: RetryBackoff = { failures: 0, lastFailureMs: 0 }

/** After these Pods, too, have ended. */
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

/** From Pods that were counted, as far as they are still there. */
export function backoffFrom(pods: readonly JobPod[]): RetryBackoff {
  const counted = pods.filter(({ job, isBeingDeleted }) => !job.isTracked && !isBeingDeleted)
  return backoffAfter(
    noFailures,
    counted.filter(({ phase }) => phase === 'Succeeded'),
    counted.filter(({ phase }) => phase === 'Failed'),
  )
}

/** When the next Pod may be made. */
export function retryAtMs({ failures, lastFailureMs }: RetryBackoff): number {
  if (failures === 0) return 0
  return lastFailureMs + Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs)
}

/** The same for one index, whose last Pod is this. */
export function indexRetryAtMs({ job }: JobPod): number {
  return retryAtMs({ failures: job.failuresBefore + job.ignoredBefore + 1, lastFailureMs: job.finishedMs })
}

function latest(pods: readonly JobPod[]): number | undefined {
  return pods.reduce<number | undefined>((last, { job }) => Math.max(last ?? job.finishedMs, job.finishedMs), undefined)
}
