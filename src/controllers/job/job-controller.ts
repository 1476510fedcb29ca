import { isRefusal } from '../../api/error.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type { Job } from '../../api/types/batch-v1.ts'
import { monotonicClock } from '../../base/clock.ts'
import { deepEqual } from '../../base/equal.ts'
import { errorText } from '../../base/error-text.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { affectedOwners } from '../ownership/affected-owners.ts'
import { planClaims } from '../ownership/claims.ts'
import { commitClaims } from '../ownership/commit-claims.ts'
import { ownerId } from '../ownership/owned.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import { trackingFinalizer } from '../pods/job-pod-facts.ts'
import { isActive, type PodFacts } from '../pods/pod-facts.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import { CreationRate } from '../run/creation-rate.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { isNamespaceTerminating } from '../run/refusals.ts'
import { slowStart } from '../run/slow-start.ts'
import { ControllerWriter } from '../run/writer.ts'
import { startedMs } from './finish.ts'
import { isJobPod, type JobFacts, type JobPod } from './job-facts.ts'
import { type JobPodsPlan, planJobPods, type WantedPod } from './plan-pods.ts'
import { type JobStatusPlan, planJobStatus } from './plan-status.ts'
import { podOfJob } from './pod-of-job.ts'
import { backoffAfter, backoffFrom, type RetryBackoff } from './retry-backoff.ts'
import { untracked } from './untracked.ts'
import { type JobVerdict, verdictOn } from './verdict.ts'

const controller = 'job-controller'

export interface JobControllerOptions {
  readonly jobs: ResourceContext
  readonly jobsKnown: OwnedObjects<JobFacts>
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Runs the Pods of Jobs until enough have succeeded or too many have failed, and counts each of them once. */
export class JobController implements Controller {
  readonly #options: JobControllerOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents
  readonly #rate = new CreationRate(monotonicClock)
  /** For Jobs whose last Pods failed, by uid. */
  readonly #backoffs = new Map<string, RetryBackoff>()

  constructor(options: JobControllerOptions) {
    this.#options = options
    const { jobs, jobsKnown, podsKnown, events, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: jobs.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component: controller, report, mayWrite })
    this.#loop.follow(
      jobsKnown.listen((change) => this.#jobChanged(change)),
      podsKnown.listen((change) => this.#podChanged(change)),
    )
    for (const job of jobsKnown.all()) this.#add(job)
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#recorder.stop()
  }

  #add(job: JobFacts): void {
    if (job.end === undefined && !job.isManagedElsewhere) this.#loop.add(relativeKey(job))
  }

  #jobChanged({ before, after }: OwnedChange<JobFacts>): void {
    if (before !== undefined && (after?.uid !== before.uid || after.end !== undefined))
      this.#backoffs.delete(before.uid)
    if (after !== undefined) this.#add(after)
  }

  #podChanged(change: OwnedChange<PodFacts>): void {
    for (const job of affectedOwners(this.#options.jobsKnown, 'Job', change)) this.#add(job)
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { jobs, jobsKnown } = this.#options
    const known = jobsKnown.get(id)
    const object = jobs.cache.get(id)?.object
    if (object === undefined || known === undefined || known.end !== undefined || known.isManagedElsewhere) return
    const job = object as Job
    await this.#claim(job)
    const nowMs = jobs.engine.clock.now()
    const plan = this.#planPods(job, nowMs)
    const outcome = await this.#commitPods(job, plan)
    const verdict = verdictOn(job, this.#podsOf(job), nowMs)
    await this.#tell(job, planJobStatus(job, verdict, nowMs))
    if (outcome.error !== undefined) throw outcome.error
    this.#requeueLater(id, job, verdict, [plan.retryAtMs, outcome.nextAtMs], nowMs)
  }

  /** Finished Pods are not adopted: they may have been counted. */
  async #claim(job: Job): Promise<void> {
    const { jobs, pods, podsKnown } = this.#options
    const owner = ownerId(job)
    const candidates = [...podsKnown.ownedBy(owner), ...podsKnown.looseIn(owner.namespace).filter(isActive)]
    const claims = planClaims(job, labelSelectorFrom(job.spec.selector), candidates)
    await commitClaims(this.#writer, { owners: jobs, dependents: pods, finalizer: trackingFinalizer }, job, claims)
  }

  /** As new as the latest write. */
  #podsOf(job: Job): readonly JobPod[] {
    const selector = labelSelectorFrom(job.spec.selector)
    const own = this.#options.podsKnown.ownedBy(ownerId(job)).filter(isJobPod)
    return own.filter(({ labels }) => selector.matches(labels))
  }

  #planPods(job: Job, nowMs: number): JobPodsPlan {
    const pods = this.#podsOf(job)
    const verdict = verdictOn(job, pods, nowMs)
    const backoff = backoffAfter(this.#backoffOf(job, pods), verdict.newSucceeded, verdict.newFailed)
    return planJobPods(job, verdict, backoff, nowMs)
  }

  /** After a restart it is derived from the remaining Pods. */
  #backoffOf({ metadata }: Job, pods: readonly JobPod[]): RetryBackoff {
    return this.#backoffs.get(metadata.uid ?? '') ?? backoffFrom(pods)
  }

  async #commitPods(job: Job, { create, remove, giveUp }: JobPodsPlan): Promise<PodsOutcome> {
    if (create.length > 0) return this.#create(job, create)
    const outcomes = await Promise.allSettled([
      ...remove.map((pod) => this.#remove(job, pod)),
      ...giveUp.map((pod) => this.#giveUp(job, pod)),
    ])
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed === undefined) return {}
    const message = `Error deleting: ${errorText(failed.reason)}`
    this.#recorder.record(job, { type: 'Warning', reason: 'FailedDelete', message })
    return { error: failed.reason }
  }

  async #create(job: Job, wanted: readonly WantedPod[]): Promise<PodsOutcome> {
    const { namespace = '' } = job.metadata
    const { count, nextInMs } = this.#rate.take(namespace, wanted.length)
    const waiting = wanted.values()
    const { failure } = await slowStart(count, async () => {
      const { value = {} } = waiting.next()
      const name = await this.#writer.create(this.#options.pods, podOfJob(job, value))
      this.#recorder.record(job, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created pod: ${name}` })
    })
    const nextAtMs = nextInMs === undefined ? undefined : this.#options.jobs.engine.clock.now() + nextInMs
    if (failure === undefined || isNamespaceTerminating(failure)) return { nextAtMs }
    const message = `Error creating: ${errorText(failure)}`
    this.#recorder.record(job, { type: 'Warning', reason: 'FailedCreate', message })
    return { error: failure }
  }

  /** Removes the finalizer first: once under deletion, the Pod would count as failed. */
  async #giveUp(job: Job, pod: JobPod): Promise<void> {
    await this.#writer.edit(this.#options.pods, pod, untracked(pod.uid))
    await this.#remove(job, pod)
  }

  async #remove(job: Job, pod: JobPod): Promise<void> {
    try {
      await this.#writer.delete(this.#options.pods, pod)
    } catch (error) {
      if (isRefusal(error, 404, 409)) return
      throw error
    }
    this.#recorder.record(job, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.name}` })
  }

  /** Finalizers are removed only if the status that records the Pods is the stored one. */
  async #tell(job: Job, { status, letGo, news }: JobStatusPlan): Promise<void> {
    const { jobs, pods } = this.#options
    const isTold =
      deepEqual(status, job.status) || (await this.#writer.replace(jobs, job, { ...job, status }, 'status'))
    if (!isTold) return
    for (const each of news) this.#recorder.record(job, each)
    this.#remember(job, letGo)
    const edits = letGo.untrack.map((pod) => this.#writer.edit(pods, pod, untracked(pod.uid)))
    const failed = (await Promise.allSettled(edits)).find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  #remember(job: Job, { succeeded, failed }: JobStatusPlan['letGo']): void {
    const { uid = '' } = job.metadata
    const backoff = backoffAfter(this.#backoffOf(job, this.#podsOf(job)), succeeded, failed)
    if (backoff.failures === 0) this.#backoffs.delete(uid)
    else this.#backoffs.set(uid, backoff)
  }

  /** Requeues for when more Pods may be created, or the deadline of the Job is reached. */
  #requeueLater(
    id: ObjectId,
    job: Job,
    { finish }: JobVerdict,
    atMs: readonly (number | undefined)[],
    nowMs: number,
  ): void {
    const { activeDeadlineSeconds: seconds, suspend } = job.spec
    const sinceMs = startedMs(job, nowMs)
    const hasDeadline = seconds !== undefined && sinceMs !== undefined && suspend !== true && finish === undefined
    const all = [...atMs, hasDeadline ? sinceMs + seconds * 1000 : undefined].filter((each) => each !== undefined)
    if (all.length > 0) requeueAfter(this.#loop, relativeKey(id), Math.min(...all) - nowMs)
  }
}

interface PodsOutcome {
  readonly error?: unknown
  /** When more Pods may be created; undefined if the rate limit holds none back. */
  readonly nextAtMs?: number | undefined
}
