import { type CronSchedule, parseCron } from '../../api/batch/cron-schedule.ts'
import type { CronJob, CronJobSpec, CronJobStatus } from '../../api/types/batch-v1.ts'
import type { ObjectReference } from '../../api/types/core-v1.ts'
import { timestamp } from '../../base/clock.ts'
import type { JobFacts } from '../job/job-facts.ts'
import type { News } from '../run/event-limits.ts'
import { jobName, scheduledMsIn } from './job-of-cron-job.ts'
import { hasMoreTimes, latestTime, nextTime } from './schedule-times.ts'
import { type ZoneOffset, zoneOffset } from './zone-offset.ts'

/** How many unrecorded Jobs are added to the status, newest first: one is usual, after a failed write. */
const mostForgotten = 100

/** Up to this many missed starts are normal. */
const usualMissed = 100

export interface CronJobPlan {
  /** The status before a Job is started. */
  readonly status: CronJobStatus
  /** Finished Jobs beyond the history limits. */
  readonly remove: readonly JobFacts[]
  readonly start: CronStart | undefined
  /** When to reconcile again; undefined: only after a change. */
  readonly nextMs: number | undefined
  readonly news: readonly News[]
}

export interface CronStart {
  readonly scheduledMs: number
  /** The Jobs that it replaces. */
  readonly replaced: readonly JobFacts[]
}

/** Plans what happens to a CronJob. `jobs` are all that name it as their controller. */
export function planCronJob(cronJob: CronJob, jobs: readonly JobFacts[], nowMs: number): CronJobPlan {
  const { status, news } = statusAfter(cronJob, jobs, nowMs)
  const timing = timingOf({ ...cronJob, status }, jobs, nowMs)
  return { ...timing, status, remove: outdated(cronJob.spec, jobs), news: [...news, ...timing.news] }
}

type Timing = Pick<CronJobPlan, 'start' | 'nextMs' | 'news'>

const never: Timing = { start: undefined, nextMs: undefined, news: [] }

function warning(reason: string, message: string): News {
  return { type: 'Warning', reason, message }
}

function normal(reason: string, message: string): News {
  return { type: 'Normal', reason, message }
}

interface Told {
  readonly status: CronJobStatus
  readonly news: readonly News[]
}

/** Finished or deleted Jobs are no longer active; Jobs that were started but not recorded are. */
function statusAfter(cronJob: CronJob, jobs: readonly JobFacts[], nowMs: number): Told {
  const { status } = cronJob
  const kept = keptActive(cronJob, jobs)
  const expected = new Set(kept.active.map(({ uid }) => uid))
  const others = jobs.filter(({ uid, end }) => end === undefined && !expected.has(uid))
  const forgotten = forgottenAmong(others, cronJob, nowMs)
  const noted = new Set(forgotten)
  const unexpected = others.filter((job) => !noted.has(job))
  const active = [...kept.active, ...forgotten.map(jobReference)]
  const lastScheduleTime = lastScheduled(cronJob, forgotten)
  const lastSuccessfulTime = lastSuccess(status, jobs)
  return {
    status: {
      ...(active.length > 0 && { active }),
      ...(lastScheduleTime !== undefined && { lastScheduleTime }),
      ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
    },
    news: [
      ...kept.news,
      ...unexpected.map(({ name }) =>
        warning('UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`),
      ),
    ],
  }
}

/** The Jobs of a CronJob that is deleted may outlive it, and are not missing. */
function keptActive({ metadata, status: { active = [] } }: CronJob, jobs: readonly JobFacts[]) {
  const isGoing = metadata.deletionTimestamp !== undefined
  const byUid = new Map(jobs.map((job) => [job.uid, job]))
  const news: News[] = []
  const kept = active.filter(({ uid = '', name }) => {
    const job = byUid.get(uid)
    if (job === undefined && !isGoing) news.push(normal('MissingJob', `Active job went missing: ${name}`))
    if (job?.end !== undefined) {
      news.push(normal('SawCompletedJob', `Saw completed job: ${name}, condition: ${job.end.type}`))
    }
    return job !== undefined && job.end === undefined
  })
  return { active: kept, news }
}

function forgottenAmong(jobs: readonly JobFacts[], cronJob: CronJob, nowMs: number): readonly JobFacts[] {
  const scheduledMs = ({ name }: JobFacts) => scheduledMsIn(cronJob.metadata.name ?? '', name) ?? 0
  return jobs
    .filter((job) => isForgotten(cronJob, job, nowMs))
    .toSorted((left, right) => scheduledMs(left) - scheduledMs(right))
    .slice(-mostForgotten)
}

/** The Job was created, but the status that would have recorded it was not written. */
function isForgotten({ metadata, status }: CronJob, { name }: JobFacts, nowMs: number): boolean {
  const scheduledMs = scheduledMsIn(metadata.name ?? '', name)
  if (scheduledMs === undefined || scheduledMs > nowMs) return false
  return scheduledMs > (Date.parse(status.lastScheduleTime ?? '') || 0)
}

function lastScheduled({ metadata, status }: CronJob, forgotten: readonly JobFacts[]): string | undefined {
  const times = forgotten.map(({ name }) => scheduledMsIn(metadata.name ?? '', name) ?? 0)
  return times.length === 0 ? status.lastScheduleTime : timestamp(times.reduce((last, time) => Math.max(last, time)))
}

export function jobReference({ namespace, name, uid, resourceVersion }: JobFacts): ObjectReference {
  return { kind: 'Job', namespace, name, uid, apiVersion: 'batch/v1', resourceVersion }
}

function lastSuccess({ lastSuccessfulTime }: CronJobStatus, jobs: readonly JobFacts[]): string | undefined {
  const times = jobs.flatMap(({ end, completionTime }) => (end?.type === 'Complete' ? [completionTime] : []))
  return [lastSuccessfulTime, ...times].reduce((last, time) => {
    if (time === undefined) return last
    return last === undefined || Date.parse(time) > Date.parse(last) ? time : last
  })
}

/** The oldest are removed first, separately for succeeded and failed ones. */
function outdated(spec: CronJobSpec, jobs: readonly JobFacts[]): readonly JobFacts[] {
  const { successfulJobsHistoryLimit: successes = 3, failedJobsHistoryLimit: failures = 1 } = spec
  const ended = jobs.filter(({ end, isBeingDeleted }) => end !== undefined && !isBeingDeleted).toSorted(byStart)
  const complete = ended.filter(({ end }) => end?.type === 'Complete')
  const failed = ended.filter(({ end }) => end?.type === 'Failed')
  return [
    ...complete.slice(0, Math.max(0, complete.length - successes)),
    ...failed.slice(0, Math.max(0, failed.length - failures)),
  ]
}

/** Jobs that never started come last. */
function byStart(left: JobFacts, right: JobFacts): number {
  const startOf = ({ startTime }: JobFacts) =>
    startTime === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(startTime)
  return startOf(left) - startOf(right) || (left.name < right.name ? -1 : 1)
}

function timingOf(cronJob: CronJob, jobs: readonly JobFacts[], nowMs: number): Timing {
  const { metadata, spec } = cronJob
  if (metadata.deletionTimestamp !== undefined) return never
  const offset = zoneOffset(spec.timeZone)
  if (offset === undefined) {
    const zone = spec.timeZone ?? ''
    const message = `invalid timeZone: ${JSON.stringify(zone)}: unknown time zone ${zone}`
    return { ...never, news: [warning('UnknownTimeZone', message)] }
  }
  if (spec.suspend === true) return never
  const parsed = parseCron(spec.schedule)
  if ('schedule' in parsed) return dueTiming(cronJob, parsed.schedule, offset, jobs, nowMs)
  const message = `unparseable schedule: ${JSON.stringify(spec.schedule)} : ${parsed.problem}`
  return { ...never, news: [warning('UnparseableSchedule', message)] }
}

function dueTiming(
  cronJob: CronJob,
  schedule: CronSchedule,
  offset: ZoneOffset,
  jobs: readonly JobFacts[],
  nowMs: number,
): Timing {
  const { metadata, spec, status } = cronJob
  const sinceMs = Date.parse(status.lastScheduleTime ?? metadata.creationTimestamp ?? '') || 0
  const recentMs = latestTime(schedule, offset, sinceMs, nowMs)
  const nextMs = nextTime(schedule, offset, recentMs ?? sinceMs)
  if (recentMs === undefined && nextMs === undefined) {
    const message = `invalid schedule: ${spec.schedule} : time difference between two schedules is less than 1 second`
    return { ...never, news: [warning('InvalidSchedule', message)] }
  }
  const { startingDeadlineSeconds: seconds } = spec
  const earliestMs = seconds === undefined ? sinceMs : Math.max(sinceMs, nowMs - seconds * 1000)
  if (recentMs === undefined || recentMs < earliestMs) return { ...never, nextMs }
  const news = hasMoreTimes(schedule, offset, earliestMs, nowMs, usualMissed) ? [tooManyMissed] : []
  const name = jobName(metadata.name ?? '', recentMs)
  const active = status.active ?? []
  if (active.some((each) => each.name === name)) return { start: undefined, nextMs, news }
  if (spec.concurrencyPolicy === 'Forbid' && active.length > 0) {
    return { start: undefined, nextMs, news: [...news, stillActive] }
  }
  const replaced = spec.concurrencyPolicy === 'Replace' ? activeJobs(active, jobs) : []
  return { start: { scheduledMs: recentMs, replaced }, nextMs, news }
}

function activeJobs(active: readonly ObjectReference[], jobs: readonly JobFacts[]): readonly JobFacts[] {
  const uids = new Set(active.map(({ uid }) => uid))
  return jobs.filter(({ uid }) => uids.has(uid))
}

const tooManyMissed = warning(
  'TooManyMissedTimes',
  'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
)

const stillActive = normal(
  'JobAlreadyActive',
  'Not starting job because prior execution is running and concurrency policy is Forbid',
)
