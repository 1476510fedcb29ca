import { isRefusal } from '../../api/error.ts'
import { type KubeObject, objectKeyOf } from '../../api/object.ts'
import type { CronJob, CronJobStatus } from '../../api/types/batch-v1.ts'
import type { ObjectReference } from '../../api/types/core-v1.ts'
import { monotonicClock, timestamp } from '../../base/clock.ts'
import { deepEqual } from '../../base/equal.ts'
import { errorText } from '../../base/error-text.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import type { JobFacts } from '../job/job-facts.ts'
import { type Owned, ownedFrom, ownerId } from '../ownership/owned.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import { CreationRate } from '../run/creation-rate.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { isNamespaceTerminating } from '../run/refusals.ts'
import { ControllerWriter } from '../run/writer.ts'
import { jobOfCronJob } from './job-of-cron-job.ts'
import { type CronStart, jobReference, planCronJob } from './plan.ts'

const controller = 'cronjob-controller'

export interface CronJobControllerOptions {
  readonly cronJobs: ResourceContext
  readonly cronJobsKnown: OwnedObjects<Owned>
  readonly jobs: ResourceContext
  readonly jobsKnown: OwnedObjects<JobFacts>
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

export const cronJobFactsFrom: (object: KubeObject) => Owned = ownedFrom

/** Creates a Job at each scheduled time, and keeps as many finished ones as the history limits allow. */
export class CronJobController implements Controller {
  readonly #options: CronJobControllerOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents
  readonly #rate = new CreationRate(monotonicClock)

  constructor(options: CronJobControllerOptions) {
    this.#options = options
    const { cronJobs, cronJobsKnown, jobsKnown, events, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: cronJobs.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component: controller, report, mayWrite })
    this.#loop.follow(
      cronJobsKnown.listen(({ after }) => this.#add(after)),
      jobsKnown.listen((change) => this.#jobChanged(change)),
    )
    for (const cronJob of cronJobsKnown.all()) this.#add(cronJob)
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#recorder.stop()
  }

  #add(id: ObjectId | undefined): void {
    if (id !== undefined) this.#loop.add(relativeKey(id))
  }

  #jobChanged({ before, after }: OwnedChange<JobFacts>): void {
    for (const job of [before, after]) {
      if (job?.controller?.kind !== 'CronJob') continue
      const owner = this.#options.cronJobsKnown.get({ namespace: job.namespace, name: job.controller.name })
      if (owner?.uid === job.controller.uid) this.#add(owner)
    }
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { cronJobs, jobsKnown } = this.#options
    const found = cronJobs.cache.get(id)?.object
    if (found === undefined) return
    const cronJob = found as CronJob
    const nowMs = cronJobs.engine.clock.now()
    const { status, remove, start, nextMs, news } = planCronJob(cronJob, jobsKnown.ownedBy(ownerId(cronJob)), nowMs)
    for (const each of news) this.#recorder.record(cronJob, each)
    for (const job of remove) await this.#remove(cronJob, job)
    const started = start === undefined ? { status } : await this.#start(cronJob, status, start)
    await this.#writeStatus(cronJob, started.status)
    if (started.error !== undefined) throw started.error
    const atMs = Math.min(nextMs ?? Number.POSITIVE_INFINITY, nowMs + (started.nextInMs ?? Number.POSITIVE_INFINITY))
    if (Number.isFinite(atMs)) requeueAfter(this.#loop, relativeKey(id), atMs - nowMs)
  }

  async #start(cronJob: CronJob, before: CronJobStatus, { scheduledMs, replaced }: CronStart): Promise<Started> {
    const { count, nextInMs } = this.#rate.take(cronJob.metadata.namespace ?? '', 1)
    if (count === 0) return { status: before, nextInMs }
    for (const job of replaced) {
      const error = await this.#remove(cronJob, job)
      if (error !== undefined) return { status: before, error }
    }
    const gone = new Set<string | undefined>(replaced.map(({ uid }) => uid))
    const status = withActive(
      before,
      (before.active ?? []).filter(({ uid }) => !gone.has(uid)),
    )
    try {
      const job = await this.#create(cronJob, jobOfCronJob(cronJob, scheduledMs))
      return { status: job === undefined ? status : startedStatus(status, job, scheduledMs) }
    } catch (error) {
      return isNamespaceTerminating(error) ? { status } : { status, error }
    }
  }

  /** Undefined if another Job has the name. A Job that was created earlier but not recorded is adopted. */
  async #create(cronJob: CronJob, wanted: KubeObject): Promise<JobFacts | undefined> {
    const { jobs, jobsKnown } = this.#options
    const id = objectKeyOf(wanted)
    try {
      await this.#writer.create(jobs, wanted)
      this.#recorder.record(cronJob, {
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message: `Created job ${id.name}`,
      })
    } catch (error) {
      const isTaken = isRefusal(error, 409) && jobsKnown.get(id) !== undefined
      if (!isTaken && !isNamespaceTerminating(error)) this.#warn(cronJob, 'FailedCreate', 'Error creating job', error)
      if (!isTaken) throw error
    }
    const job = jobsKnown.get(id)
    return job?.controller?.uid === cronJob.metadata.uid ? job : undefined
  }

  /** Resolves to the error that prevented the deletion, if any. */
  async #remove(cronJob: CronJob, job: JobFacts): Promise<unknown> {
    try {
      await this.#writer.delete(this.#options.jobs, job)
    } catch (error) {
      if (isRefusal(error, 404, 409)) return undefined
      this.#warn(cronJob, 'FailedDelete', 'Deleted job', error)
      return error
    }
    this.#recorder.record(cronJob, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted job ${job.name}` })
    return undefined
  }

  #warn(cronJob: CronJob, reason: string, what: string, error: unknown): void {
    this.#recorder.record(cronJob, { type: 'Warning', reason, message: `${what}: ${errorText(error)}` })
  }

  async #writeStatus(cronJob: CronJob, status: CronJobStatus): Promise<void> {
    if (deepEqual(status, cronJob.status)) return
    await this.#writer.replace(this.#options.cronJobs, cronJob, { ...cronJob, status }, 'status')
  }
}

interface Started {
  readonly status: CronJobStatus
  readonly error?: unknown
  /** When there is room for another Job; undefined if none was missing. */
  readonly nextInMs?: number | undefined
}

function startedStatus(before: CronJobStatus, job: JobFacts, scheduledMs: number): CronJobStatus {
  const { active = [] } = before
  const isNoted = job.end !== undefined || active.some(({ uid }) => uid === job.uid)
  const status = isNoted ? before : withActive(before, [...active, jobReference(job)])
  return { ...status, lastScheduleTime: timestamp(scheduledMs) }
}

function withActive({ active: _, ...status }: CronJobStatus, active: readonly ObjectReference[]): CronJobStatus {
  return active.length === 0 ? status : { ...status, active }
}
