import { describe, expect, it } from 'vitest'
import type { Job, JobSpec, JobStatus } from '../types/batch-v1.ts'
import { validateJobStatus } from './job-status-validation.ts'

const start = '2026-11-17T10:00:00Z'
const end = '2026-11-17T10:05:00Z'

function jobWith(status: JobStatus, spec: Partial<JobSpec> = {}): Job {
  const template = { metadata: {}, spec: { containers: [{ name: 'c', image: 'i' }] } }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j' },
    spec: { template, ...spec },
    status,
  } as Job
}

const conditions = (...types: readonly string[]) =>
  types.map((type) => ({ type, status: 'True', lastProbeTime: start, lastTransitionTime: start }))

function problems(status: JobStatus, old: JobStatus = {}, spec: Partial<JobSpec> = {}): readonly string[] {
  const errors = validateJobStatus(jobWith(status, spec), jobWith(old, spec))
  return errors.map(({ field, message }) => `${field}: ${message}`)
}

describe('the status of a job', () => {
  it('of one that ended well is fine', () => {
    const status = {
      startTime: start,
      completionTime: end,
      succeeded: 1,
      conditions: conditions('SuccessCriteriaMet', 'Complete'),
    }
    expect(problems(status, { startTime: start, active: 1 })).toEqual([])
    expect(problems(status, { startTime: start }, { managedBy: 'example.com/x' })).toEqual([])
  })

  it('may come from an older Job controller, but not from an external one', () => {
    const status = { startTime: start, completionTime: end, conditions: conditions('Complete') }
    expect(problems(status)).toEqual([])
    expect(problems(status, {}, { managedBy: 'example.com/x' })).toEqual([
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ])
  })

  const ended = { startTime: start, completionTime: end, conditions: conditions('Complete') }
  const indexed: Partial<JobSpec> = {
    completionMode: 'Indexed',
    completions: 5,
    parallelism: 2,
    backoffLimitPerIndex: 1,
  }
  it.each<readonly [string, JobStatus, JobStatus, Partial<JobSpec>, readonly string[]]>([
    [
      'two ends',
      { startTime: start, completionTime: end, conditions: conditions('Complete', 'Failed') },
      {},
      {},
      ['status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions'],
    ],
    [
      'an end without a time',
      { startTime: start, conditions: conditions('Complete') },
      {},
      {},
      ['status.completionTime: Required value: completionTime is required for Complete jobs'],
    ],
    [
      'a time without an end',
      { startTime: start, completionTime: end },
      {},
      {},
      [
        `status.completionTime: Invalid value: "${end}": cannot set completionTime when there is no Complete=True condition`,
      ],
    ],
    [
      'an end before the start',
      { startTime: end, completionTime: start, conditions: conditions('Complete') },
      {},
      {},
      [`status.completionTime: Invalid value: "${start}": completionTime cannot be set before startTime`],
    ],
    [
      'an end with pods that run',
      { ...ended, active: 1, terminating: 1, uncountedTerminatedPods: { failed: ['a'] } },
      {},
      {},
      [
        'status.active: Invalid value: 1: active>0 is invalid for finished job',
        'status.uncountedTerminatedPods: Invalid value: {"failed":["a"]}: uncountedTerminatedPods needs to be empty for finished job',
        'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
      ],
    ],
    [
      'an end without a start',
      { completionTime: end, conditions: conditions('Complete') },
      {},
      {},
      ['status.startTime: Required value: startTime is required for finished job'],
    ],
    [
      'a pod that waits twice',
      { uncountedTerminatedPods: { succeeded: ['a', ''], failed: ['a'] } },
      {},
      {},
      [
        'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
        'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
      ],
    ],
    [
      'more ready than active',
      { ready: 2, active: 1 },
      {},
      {},
      ['status.ready: Invalid value: 2: cannot set more ready pods than active'],
    ],
    [
      'a removed completion time',
      { startTime: start },
      { ...ended, failed: 2, succeeded: 1 },
      {},
      [
        'status.conditions: Invalid value: cannot disable the terminal Complete=True condition',
        'status.failed: Invalid value: 0: cannot decrease the failed counter',
        'status.succeeded: Invalid value: 0: cannot decrease the succeeded counter',
      ],
    ],
    [
      'indexes of a job without any',
      { completedIndexes: '1', failedIndexes: '2' },
      {},
      {},
      [
        'status.completedIndexes: Invalid value: "1": cannot set non-empty completedIndexes when non-indexed completion mode',
        'status.failedIndexes: Invalid value: "2": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ],
    ],
    [
      'indexes that overlap',
      { completedIndexes: '0-2', failedIndexes: '2,4' },
      {},
      indexed,
      ['status.failedIndexes: Invalid value: "2,4": failedIndexes and completedIndexes overlap at index: 2'],
    ],
    [
      'indexes out of order',
      { completedIndexes: '3,1', failedIndexes: '4-4' },
      {},
      indexed,
      [
        'status.completedIndexes: Invalid value: "3,1": error parsing completedIndexes: non-increasing order, previous: 3, current: 1',
        'status.failedIndexes: Invalid value: "4-4": error parsing failedIndexes: non-increasing order, previous: 4, current: 4',
      ],
    ],
    [
      'invalid indexes',
      { completedIndexes: '5', failedIndexes: 'x' },
      {},
      indexed,
      [
        'status.completedIndexes: Invalid value: "5": error parsing completedIndexes: too large index: "5"',
        'status.failedIndexes: Invalid value: "x": error parsing failedIndexes: cannot convert string to integer for index: "x"',
      ],
    ],
  ])('is refused with %s', (_, status, old, spec, expected) => {
    expect(problems(status, old, spec)).toEqual(expected)
  })

  it('that was invalid before does not block other changes', () => {
    const wrong = { ...ended, active: 1, ready: 2, completedIndexes: '9' }
    expect(problems({ ...wrong, failed: 1 }, wrong)).toEqual([])
  })

  it('may lose its start time only while the Job is suspended, and gets a new one when the Job resumes', () => {
    expect(problems({}, { startTime: start })).toEqual([
      'status.startTime: Required value: startTime cannot be removed for unsuspended job',
    ])
    expect(problems({}, { startTime: start }, { suspend: true })).toEqual([])
    expect(problems({ startTime: end }, { startTime: start })).toEqual([])
  })
})
