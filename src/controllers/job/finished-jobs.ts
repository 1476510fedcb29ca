import { isRefusal } from '../../api/error.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import type { JobFacts } from './job-facts.ts'

const controller = 'ttl-after-finished-controller'

export interface FinishedJobsOptions {
  readonly jobs: ResourceContext
  readonly jobsKnown: OwnedObjects<JobFacts>
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Deletes Jobs with `ttlSecondsAfterFinished` when that time is over, after their Pods. */
export class FinishedJobs implements Controller {
  readonly #options: FinishedJobsOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter

  constructor(options: FinishedJobsOptions) {
    this.#options = options
    const { jobs, jobsKnown, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: jobs.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#loop.follow(jobsKnown.listen(({ after }) => this.#add(after)))
    for (const job of jobsKnown.all()) this.#add(job)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #add(job: JobFacts | undefined): void {
    if (job !== undefined && expiryMs(job) !== undefined) this.#loop.add(relativeKey(job))
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { jobs, jobsKnown } = this.#options
    const job = jobsKnown.get(id)
    const atMs = job && expiryMs(job)
    if (job === undefined || atMs === undefined) return
    const leftMs = atMs - jobs.engine.clock.now()
    if (leftMs > 0) requeueAfter(this.#loop, relativeKey(id), leftMs)
    else await this.#remove(job)
  }

  async #remove(job: JobFacts): Promise<void> {
    try {
      await this.#writer.delete(this.#options.jobs, job, 'Foreground')
    } catch (error) {
      if (!isRefusal(error, 404, 409)) throw error
    }
  }
}

/** Undefined if it stays: it is running, being deleted, or has no time to live. */
function expiryMs({ end, ttlMs, isBeingDeleted }: JobFacts): number | undefined {
  return end === undefined || ttlMs === undefined || isBeingDeleted ? undefined : end.atMs + ttlMs
}
