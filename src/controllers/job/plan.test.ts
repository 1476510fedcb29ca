import { describe, expect, it } from 'vitest'
import { type JobPodGiven, jobPodOf } from '../../../tests/support/examples/job-pod.ts'
import type { Job, JobSpec, JobStatus, PodFailurePolicyRule, SuccessPolicyRule } from '../../api/types/batch-v1.ts'
import { endConditionKey } from '../pods/job-pod-facts.ts'
import type { JobPod } from './job-facts.ts'
import { planJobPods } from './plan-pods.ts'
import { planJobStatus } from './plan-status.ts'
import { backoffAfter, noFailures, retryAtMs } from './retry-backoff.ts'
import { verdictOn } from './verdict.ts'

const nowMs = Date.UTC(2030, 0, 1)
const startTime = '2029-12-31T23:59:00Z'

function jobOf(spec: Partial<JobSpec> = {}, status: JobStatus = { startTime }): Job {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j', namespace: 'a', uid: 'j' },
    spec: {
      parallelism: 2,
      completions: 4,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      podReplacementPolicy: 'TerminatingOrFailed',
      template: { metadata: {}, spec: { containers: [], restartPolicy: 'Never' } },
      ...spec,
    },
    status,
  }
}

function withoutCompletions(): Job {
  const job = jobOf()
  const { completions: _, ...spec } = job.spec
  return { ...job, spec }
}

function indexed(phase: Parameters<typeof jobPodOf>[0], index: number, given: JobPodGiven = {}): JobPod {
  return jobPodOf(phase, { ...given, job: { index, ...given.job } })
}

function exited(exitCode: number, conditions: readonly { type: string; status: string }[] = []): JobPodGiven {
  const exits = exitCode === 0 ? [] : [{ container: 'c', exitCode }]
  const keys = conditions.map(({ type, status }) => endConditionKey(type, status))
  return { name: 'p', job: { end: { exits, conditions: new Set(keys) } } }
}

function finishOf(job: Job, pods: readonly JobPod[] = []) {
  return verdictOn(job, pods, nowMs).finish
}

function podsPlan(job: Job, pods: readonly JobPod[] = []) {
  return planJobPods(job, verdictOn(job, pods, nowMs), noFailures, nowMs)
}

function statusPlan(job: Job, pods: readonly JobPod[] = []) {
  return planJobStatus(job, verdictOn(job, pods, nowMs), nowMs)
}

const many = (count: number, phase: Parameters<typeof jobPodOf>[0]) =>
  Array.from({ length: count }, () => jobPodOf(phase))

describe('a Job creates Pods', () => {
  it.each([
    ['up to its parallelism', jobOf(), [], 2],
    ['up to its completions', jobOf({ completions: 1 }), [], 1],
    ['but none while enough of them run', jobOf(), many(2, 'Running'), 0],
    ['but none for uncounted successes', jobOf(), many(3, 'Succeeded'), 1],
    ['but none while it is suspended', jobOf({ suspend: true }), [], 0],
    ['at most 500 at a time', jobOf({ parallelism: 1_000_000_000, completions: 2_000_000_000 }), [], 500],
    ['but none after the first success without completions', withoutCompletions(), many(1, 'Succeeded'), 0],
  ])('%s', (_, job, pods, expected) => {
    expect(podsPlan(job, pods).create).toHaveLength(expected)
  })

  it('for a terminating Pod at once, or after it has failed with podReplacementPolicy Failed', () => {
    const going = [jobPodOf('Running', { isBeingDeleted: true })]
    expect(podsPlan(jobOf(), going).create).toHaveLength(2)
    expect(podsPlan(jobOf({ podReplacementPolicy: 'Failed' }), going).create).toHaveLength(1)
  })

  it('for the first missing indexes', () => {
    const job = jobOf(
      { completionMode: 'Indexed', parallelism: 4, completions: 1_000_000_000 },
      { startTime, completedIndexes: '0,2-4' },
    )
    expect(podsPlan(job, [indexed('Running', 5)]).create).toEqual([{ index: 1 }, { index: 6 }, { index: 7 }])
  })

  it('for a terminating index only after it has failed, with podReplacementPolicy Failed', () => {
    const spec = { completionMode: 'Indexed', podReplacementPolicy: 'Failed' }
    const going = [indexed('Running', 0, { isBeingDeleted: true })]
    expect(podsPlan(jobOf(spec), going).create).toEqual([{ index: 1 }])
  })
})

describe('Pods are deleted', () => {
  it('that exceed the parallelism, the least active first', () => {
    const [idle, busy, other] = [jobPodOf('Pending', { nodeName: '' }), jobPodOf('Running'), jobPodOf('Running')]
    expect(podsPlan(jobOf({ parallelism: 2 }), [busy, idle, other])).toMatchObject({ giveUp: [idle], remove: [] })
  })

  it('that have a duplicate or invalid index', () => {
    const pods = [
      indexed('Running', 0),
      indexed('Pending', 0),
      indexed('Running', 9),
      jobPodOf('Running'),
      indexed('Running', 1),
    ]
    const { giveUp } = podsPlan(jobOf({ completionMode: 'Indexed' }), pods)
    expect(new Set(giveUp)).toEqual(new Set([pods[1], pods[2], pods[3]]))
  })

  it('that run without the finalizer', () => {
    const lost = jobPodOf('Running', { job: { isTracked: false } })
    expect(podsPlan(jobOf(), [lost, jobPodOf('Running')])).toMatchObject({ giveUp: [lost], create: [] })
  })

  it('of a failed Job, once its failure is stored', () => {
    const running = jobPodOf('Running')
    const job = jobOf({ activeDeadlineSeconds: 10 })
    expect(podsPlan(job, [running])).toMatchObject({ remove: [], giveUp: [], create: [] })
    const { status, letGo } = statusPlan(job, [running])
    expect(status.conditions).toMatchObject([{ type: 'FailureTarget', reason: 'DeadlineExceeded' }])
    expect(letGo.untrack).toEqual([])
    expect(podsPlan({ ...job, status }, [running])).toMatchObject({ remove: [running], create: [] })
  })
})

describe('a Job ends', () => {
  it.each([
    ['with enough successes', jobOf(), many(4, 'Succeeded'), 'CompletionsReached'],
    ['not while one runs', jobOf(), [...many(4, 'Succeeded'), jobPodOf('Running')], undefined],
    ['with more failures than allowed', jobOf({ backoffLimit: 1 }), many(2, 'Failed'), 'BackoffLimitExceeded'],
    ['not with as many as allowed', jobOf({ backoffLimit: 2 }), many(2, 'Failed'), undefined],
    [
      'with failures that were counted before',
      jobOf({ backoffLimit: 1 }, { startTime, failed: 1 }),
      many(1, 'Failed'),
      'BackoffLimitExceeded',
    ],
    ['when its time is over', jobOf({ activeDeadlineSeconds: 60 }), [], 'DeadlineExceeded'],
    ['not before', jobOf({ activeDeadlineSeconds: 61 }), [], undefined],
    ['not while it is suspended', jobOf({ activeDeadlineSeconds: 1, suspend: true }), [], undefined],
  ])('%s', (_, job, pods, reason) => {
    expect(finishOf(job, pods)?.reason).toBe(reason)
  })

  it('but not because of time before it was suspended', () => {
    const suspended = { type: 'Suspended', status: 'True', lastProbeTime: null, lastTransitionTime: null }
    expect(finishOf(jobOf({ activeDeadlineSeconds: 1 }, { startTime, conditions: [suspended] }))).toBeUndefined()
  })

  it.each([
    [0, 1, true],
    [2, 1, false],
    [2, 2, true],
  ])('with a limit of %d if containers were started again %d times: %s', (backoffLimit, restarts, isOver) => {
    const template = { metadata: {}, spec: { containers: [], restartPolicy: 'OnFailure' } }
    const pods = [jobPodOf('Running', { job: { containerRestarts: restarts } })]
    expect(finishOf(jobOf({ backoffLimit, template }), pods) !== undefined).toBe(isOver)
  })
})

describe('a Pod failure policy', () => {
  const byCode = (action: string, operator: string, containerName?: string): PodFailurePolicyRule => ({
    action,
    onExitCodes: { operator, values: [42], ...(containerName && { containerName }) },
  })
  const byCondition = (action: string): PodFailurePolicyRule => ({
    action,
    onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }],
  })
  const disrupted = [{ type: 'DisruptionTarget', status: 'True' }]
  const codeMessage = 'Container c for pod a/p failed with exit code 42 matching FailJob rule at index 0'

  it.each([
    [byCode('FailJob', 'In'), exited(42), codeMessage],
    [byCode('FailJob', 'In'), exited(1), undefined],
    [byCode('FailJob', 'In', 'other'), exited(42), undefined],
    [
      byCode('FailJob', 'NotIn'),
      exited(1),
      'Container c for pod a/p failed with exit code 1 matching FailJob rule at index 0',
    ],
    [byCode('FailJob', 'NotIn'), exited(0), undefined],
    [
      byCondition('FailJob'),
      exited(1, disrupted),
      'Pod a/p has condition DisruptionTarget matching FailJob rule at index 0',
    ],
    [byCondition('FailJob'), exited(1, [{ type: 'DisruptionTarget', status: 'False' }]), undefined],
  ])('%j', (rule, given, message) => {
    const job = jobOf({ podFailurePolicy: { rules: [rule] }, podReplacementPolicy: 'Failed' })
    expect(finishOf(job, [jobPodOf('Failed', given)])?.message).toBe(message)
  })

  it('counts or ignores a failure by the first matching rule', () => {
    const rules = [byCondition('Ignore'), byCode('Count', 'In')]
    const job = jobOf({ podFailurePolicy: { rules }, podReplacementPolicy: 'Failed' })
    const ignored = jobPodOf('Failed', exited(42, disrupted))
    const counted = jobPodOf('Failed', exited(42))
    const { status, letGo } = statusPlan(job, [ignored, counted])
    expect(status.uncountedTerminatedPods).toEqual({ failed: [counted.uid] })
    expect(letGo.untrack).toEqual([ignored, counted])
  })

  it('fails an index at once', () => {
    const rules = [byCode('FailIndex', 'In')]
    const spec = { completionMode: 'Indexed', backoffLimitPerIndex: 5, podReplacementPolicy: 'Failed' }
    const pods = [indexed('Failed', 1, exited(42)), indexed('Failed', 2, exited(1))]
    expect(statusPlan(jobOf({ ...spec, podFailurePolicy: { rules } }), pods).status.failedIndexes).toBe('1')
  })
})

describe('a success policy', () => {
  const succeeded = [indexed('Succeeded', 0), indexed('Succeeded', 2)]
  it.each<[SuccessPolicyRule, boolean]>([
    [{ succeededIndexes: '0' }, true],
    [{ succeededIndexes: '0-2' }, false],
    [{ succeededIndexes: '0-2', succeededCount: 2 }, true],
    [{ succeededIndexes: '1,3', succeededCount: 1 }, false],
    [{ succeededCount: 2 }, true],
    [{ succeededCount: 3 }, false],
    [{ succeededIndexes: '7' }, false],
  ])('%j is met: %s', (rule, isMet) => {
    const job = jobOf({ completionMode: 'Indexed', successPolicy: { rules: [{ succeededCount: 4 }, rule] } })
    expect(finishOf(job, succeeded)?.message).toBe(isMet ? 'Matched rules at index 1' : undefined)
  })

  it('counts no failures of Pods that are no longer needed', () => {
    const conditions = [
      {
        type: 'SuccessCriteriaMet',
        status: 'True',
        reason: 'SuccessPolicy',
        lastProbeTime: null,
        lastTransitionTime: null,
      },
    ]
    const job = jobOf({ completionMode: 'Indexed' }, { startTime, conditions, completedIndexes: '0' })
    const going = indexed('Running', 1, { isBeingDeleted: true })
    const { status, letGo } = statusPlan(job, [going])
    expect([status.uncountedTerminatedPods, letGo.untrack]).toEqual([{}, [going]])
  })
})

describe('backoffLimitPerIndex', () => {
  const spec = { completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 1 }

  it('keeps a failed Pod until its replacement has its index and failure count', () => {
    const failed = indexed('Failed', 0)
    expect(statusPlan(jobOf(spec), [failed]).letGo.untrack).toEqual([])
    expect(podsPlan(jobOf(spec), [failed]).create).toContainEqual({ index: 0, failures: { counted: 1, ignored: 0 } })
    const next = indexed('Running', 0, { job: { failuresBefore: 1 } })
    expect(statusPlan(jobOf(spec), [failed, next])).toMatchObject({
      letGo: { untrack: [failed] },
      status: { uncountedTerminatedPods: { failed: [failed.uid] }, failedIndexes: '' },
    })
  })

  it('backs off for each index separately', () => {
    const failed = indexed('Failed', 0, { job: { finishedMs: nowMs - 5_000 } })
    const plan = podsPlan(jobOf(spec), [failed])
    expect(plan).toMatchObject({ create: [{ index: 1 }], retryAtMs: nowMs + 5_000 })
  })

  it.each([
    ['more indexes failed than may', { ...spec, maxFailedIndexes: 0 }, [0], 'MaxFailedIndexesExceeded'],
    ['all others have succeeded', spec, [0, 1, 2], 'FailedIndexes'],
    ['others are left', spec, [0, 1], undefined],
  ])('a Job fails if %s', (_, given, failed, reason) => {
    const pods = failed.map((index) => indexed('Failed', index, { job: { failuresBefore: 1 } }))
    expect(finishOf(jobOf(given), pods)?.reason).toBe(reason)
  })
})

it('an index has not failed if its Pod is deleted because the Job fails', () => {
  const times = { lastProbeTime: startTime, lastTransitionTime: startTime }
  const conditions = [{ type: 'FailureTarget', status: 'True', reason: 'MaxFailedIndexesExceeded', ...times }]
  const spec = { completionMode: 'Indexed', backoffLimitPerIndex: 0, maxFailedIndexes: 1 }
  const pods = [indexed('Pending', 0, { isBeingDeleted: true }), indexed('Failed', 2)]
  const job = jobOf(spec, { startTime, failedIndexes: '1', conditions })
  expect(statusPlan(job, pods).status.failedIndexes).toBe('1,2')
})

it('a terminating Pod that cannot finish counts as failed, also with podReplacementPolicy Failed', () => {
  const job = jobOf({ podReplacementPolicy: 'Failed' })
  const cutOff = jobPodOf('Pending', { isBeingDeleted: true, job: { isCutOff: true } })
  const stopping = jobPodOf('Running', { isBeingDeleted: true })
  expect(statusPlan(job, [cutOff, stopping]).letGo.untrack).toEqual([cutOff])
})

it('at most 500 Pods are released in one reconciliation', () => {
  const { letGo, status } = statusPlan(jobOf({ completions: 2_000 }), many(700, 'Succeeded'))
  expect([letGo.untrack.length, status.uncountedTerminatedPods?.succeeded?.length]).toEqual([500, 500])
})

describe('the pause after failures', () => {
  const failedAt = (...times: readonly number[]) =>
    times.map((finishedMs) => jobPodOf('Failed', { job: { finishedMs } }))
  const succeededAt = (finishedMs: number) => [jobPodOf('Succeeded', { job: { finishedMs } })]

  it.each([
    ['none without failures', [], [], 0],
    ['ten seconds after the first', [], failedAt(1_000), 11_000],
    ['twice as long after the next', [], failedAt(1_000, 2_000), 22_000],
    ['ten minutes at most', [], failedAt(...Array.from({ length: 40 }, () => 1_000)), 601_000],
    ['resets after a success', succeededAt(1_500), failedAt(1_000, 2_000), 12_000],
    ['is over with a success', succeededAt(3_000), failedAt(1_000, 2_000), 0],
  ])('%s', (_, succeeded, failed, expected) => {
    expect(retryAtMs(backoffAfter(noFailures, succeeded, failed))).toBe(expected)
  })

  it('keeps the count of earlier failures', () => {
    const before = backoffAfter(noFailures, [], failedAt(1_000))
    expect(retryAtMs(backoffAfter(before, [], failedAt(2_000)))).toBe(22_000)
  })
})
