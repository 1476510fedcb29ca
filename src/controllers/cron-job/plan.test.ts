import { describe, expect, it } from 'vitest'
import type { CronJob, CronJobSpec, CronJobStatus } from '../../api/types/batch-v1.ts'
import { type JobFacts, jobFactsFrom } from '../job/job-facts.ts'
import { jobOfCronJob } from './job-of-cron-job.ts'
import { planCronJob } from './plan.ts'

const now = '2030-01-01T12:00:30Z'
const nowMs = Date.parse(now)
const dueMs = Date.parse('2030-01-01T12:00:00Z')

function cronJobOf(
  spec: Partial<CronJobSpec> = {},
  status: CronJobStatus = {},
  created = '2030-01-01T11:58:30Z',
): CronJob {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'c', namespace: 'a', uid: 'c', creationTimestamp: created },
    spec: {
      schedule: '0 * * * *',
      concurrencyPolicy: 'Allow',
      jobTemplate: { metadata: { labels: { l: 'v' } }, spec: { template: { metadata: {}, spec: { containers: [] } } } },
      ...spec,
    },
    status,
  }
}

function jobNamed(
  name: string,
  end?: { readonly type: 'Complete' | 'Failed'; readonly at: string },
  start = now,
): JobFacts {
  const conditions = end && [{ type: end.type, status: 'True', lastProbeTime: null, lastTransitionTime: end.at }]
  const completion = end?.type === 'Complete' ? { completionTime: end.at } : {}
  return jobFactsFrom({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'a', uid: name, resourceVersion: '7' },
    spec: {},
    status: { startTime: start, ...(conditions && { conditions }), ...completion },
  })
}

function referenceTo(name: string) {
  return { apiVersion: 'batch/v1', kind: 'Job', name, namespace: 'a', uid: name, resourceVersion: '7' }
}

function reasons(cronJob: CronJob, jobs: readonly JobFacts[] = []): readonly string[] {
  return planCronJob(cronJob, jobs, nowMs).news.map(({ reason }) => reason)
}

describe('a Job is started', () => {
  it('at its scheduled time, once', () => {
    const plan = planCronJob(cronJobOf(), [], nowMs)
    expect(plan).toMatchObject({ start: { scheduledMs: dueMs, replaced: [] }, nextMs: dueMs + 3_600_000, news: [] })
    const after = cronJobOf({}, { lastScheduleTime: '2030-01-01T12:00:00Z' })
    expect(planCronJob(after, [], nowMs)).toMatchObject({ start: undefined, nextMs: dueMs + 3_600_000, news: [] })
  })

  it.each([
    ['before the first time', cronJobOf({ schedule: '0 13 * * *' }), Date.parse('2030-01-01T13:00:00Z')],
    ['after its deadline', cronJobOf({ startingDeadlineSeconds: 29 }), dueMs + 3_600_000],
    ['while it is suspended', cronJobOf({ suspend: true }), undefined],
    [
      'in a zone where it is not due',
      cronJobOf({ schedule: '0 12 * * *', timeZone: 'Asia/Tokyo' }),
      Date.parse('2030-01-02T03:00:00Z'),
    ],
  ])('but not %s', (_, cronJob, nextMs) => {
    expect(planCronJob(cronJob, [], nowMs)).toMatchObject({ start: undefined, nextMs, news: [] })
  })

  it('but not while the CronJob is being deleted', () => {
    const cronJob = cronJobOf()
    const going = { ...cronJob, metadata: { ...cronJob.metadata, deletionTimestamp: now } }
    expect(planCronJob(going, [], nowMs)).toMatchObject({ start: undefined, nextMs: undefined })
  })

  it('within its deadline', () => {
    expect(planCronJob(cronJobOf({ startingDeadlineSeconds: 31 }), [], nowMs).start).toMatchObject({
      scheduledMs: dueMs,
    })
  })

  it('for the latest missed time, with a warning above a hundred', () => {
    const since = (missed: number) =>
      cronJobOf({ schedule: '* * * * *' }, {}, new Date(dueMs - missed * 60_000).toISOString())
    expect(planCronJob(since(100), [], nowMs)).toMatchObject({ start: { scheduledMs: dueMs }, news: [] })
    expect(planCronJob(since(101), [], nowMs)).toMatchObject({
      start: { scheduledMs: dueMs },
      news: [{ type: 'Warning', reason: 'TooManyMissedTimes' }],
    })
  })

  it('at multiples of an interval since the last one', () => {
    const cronJob = cronJobOf({ schedule: '@every 50s' }, { lastScheduleTime: '2030-01-01T11:59:00Z' })
    expect(planCronJob(cronJob, [], nowMs)).toMatchObject({
      start: { scheduledMs: Date.parse('2030-01-01T11:59:50Z') },
      nextMs: Date.parse('2030-01-01T12:00:40Z'),
    })
  })

  it.each([
    [
      'never comes',
      { schedule: '0 0 31 2 *' },
      'InvalidSchedule',
      'invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second',
    ],
    [
      'cannot be read',
      { schedule: 'x' },
      'UnparseableSchedule',
      'unparseable schedule: "x" : expected exactly 5 fields, found 1: [x]',
    ],
    [
      'has no zone',
      { timeZone: 'No/Where' },
      'UnknownTimeZone',
      'invalid timeZone: "No/Where": unknown time zone No/Where',
    ],
  ])('never if its schedule %s', (_, spec, reason, message) => {
    const plan = planCronJob(cronJobOf(spec), [], nowMs)
    expect(plan).toMatchObject({ start: undefined, nextMs: undefined, news: [{ type: 'Warning', reason, message }] })
  })
})

describe('while another Job runs', () => {
  const status = { active: [referenceTo('c-1')], lastScheduleTime: '2030-01-01T11:00:00Z' }
  const running = [jobNamed('c-1')]

  it('Allow starts a second Job', () => {
    expect(planCronJob(cronJobOf({}, status), running, nowMs)).toMatchObject({ start: { replaced: [] }, status })
  })

  it('Forbid skips it with an Event', () => {
    const plan = planCronJob(cronJobOf({ concurrencyPolicy: 'Forbid' }, status), running, nowMs)
    expect(plan).toMatchObject({ start: undefined, nextMs: dueMs + 3_600_000, news: [{ reason: 'JobAlreadyActive' }] })
  })

  it('Replace deletes the running Job', () => {
    const plan = planCronJob(cronJobOf({ concurrencyPolicy: 'Replace' }, status), running, nowMs)
    expect(plan.start?.replaced.map(({ name }) => name)).toEqual(['c-1'])
  })
})

describe('the status', () => {
  const lastScheduleTime = '2030-01-01T12:00:00Z'

  it('removes finished and deleted Jobs, and keeps the last success', () => {
    const active = ['done', 'failed', 'gone', 'runs'].map(referenceTo)
    const jobs = [
      jobNamed('done', { type: 'Complete', at: '2030-01-01T12:00:10Z' }),
      jobNamed('failed', { type: 'Failed', at: '2030-01-01T12:00:20Z' }),
      jobNamed('runs'),
    ]
    const plan = planCronJob(cronJobOf({}, { active, lastScheduleTime }), jobs, nowMs)
    expect(plan.status).toEqual({
      active: [referenceTo('runs')],
      lastScheduleTime,
      lastSuccessfulTime: '2030-01-01T12:00:10Z',
    })
    expect(plan.news.map(({ message }) => message)).toEqual([
      'Saw completed job: done, condition: Complete',
      'Saw completed job: failed, condition: Failed',
      'Active job went missing: gone',
    ])
  })

  it('reports no missing Jobs of a CronJob that is being deleted', () => {
    const cronJob = cronJobOf({}, { active: [referenceTo('c-1')] })
    expect(reasons(cronJob)).toContain('MissingJob')
    const going = { ...cronJob, metadata: { ...cronJob.metadata, deletionTimestamp: now } }
    expect(reasons(going)).not.toContain('MissingJob')
  })

  it('reports Jobs that it did not schedule', () => {
    expect(reasons(cronJobOf({}, { lastScheduleTime }), [jobNamed('by-hand')])).toEqual(['UnexpectedJob'])
  })

  it('adopts a Job created before a crash, even if its time is not the latest', () => {
    const made = jobNamed(`c-${dueMs / 60_000 - 60}`)
    const cronJob = cronJobOf({ concurrencyPolicy: 'Forbid' }, { lastScheduleTime: '2030-01-01T10:00:00Z' })
    const plan = planCronJob(cronJob, [made], nowMs)
    expect(plan).toMatchObject({
      start: undefined,
      status: { active: [{ uid: made.uid }], lastScheduleTime: '2030-01-01T11:00:00Z' },
    })
  })

  it('does not trust a Job scheduled in the future', () => {
    const cronJob = cronJobOf({}, { lastScheduleTime })
    const plan = planCronJob(cronJob, [jobNamed(`c-${dueMs / 60_000 + 60}`)], nowMs)
    expect(plan).toMatchObject({ status: { lastScheduleTime }, news: [{ reason: 'UnexpectedJob' }] })
  })
})

it('the oldest Jobs beyond the history limit are deleted', () => {
  const at = (minute: number) => `2030-01-01T11:0${minute}:00Z`
  const complete = [3, 1, 2].map((minute) => jobNamed(`s${minute}`, { type: 'Complete', at: at(9) }, at(minute)))
  const failed = [5, 4].map((minute) => jobNamed(`f${minute}`, { type: 'Failed', at: at(9) }, at(minute)))
  const removed = (spec: Partial<CronJobSpec>) =>
    planCronJob(cronJobOf({ suspend: true, ...spec }), [...complete, ...failed, jobNamed('runs')], nowMs).remove
  expect(removed({}).map(({ name }) => name)).toEqual(['f4'])
  const few = { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 }
  expect(removed(few).map(({ name }) => name)).toEqual(['s1', 's2', 'f4', 'f5'])
})

it.each([
  [undefined, '2030-01-01T12:00:00Z'],
  ['Asia/Kolkata', '2030-01-01T17:30:00+05:30'],
  ['America/New_York', '2030-01-01T07:00:00-05:00'],
])('a Job has an annotation with its scheduled time in zone %s', (timeZone, expected) => {
  expect(jobOfCronJob(cronJobOf(timeZone === undefined ? {} : { timeZone }), dueMs).metadata).toMatchObject({
    name: 'c-31558320',
    labels: { l: 'v' },
    annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': expected },
    ownerReferences: [{ kind: 'CronJob', name: 'c', uid: 'c', controller: true, blockOwnerDeletion: true }],
  })
})

it('of many Jobs that the status lacks, the newest hundred are added', () => {
  const jobs = Array.from({ length: 300 }, (_, index) => jobNamed(`c-${300 - index}`))
  const { status, news } = planCronJob(cronJobOf({ suspend: true }), jobs, nowMs)
  expect(status.active?.map(({ name }) => name)).toEqual(Array.from({ length: 100 }, (_, index) => `c-${index + 201}`))
  expect(status.lastScheduleTime).toBe('1970-01-01T05:00:00Z')
  expect(news.filter(({ reason }) => reason === 'UnexpectedJob')).toHaveLength(200)
})
