import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import { type PodFacts, podFactsFrom } from '../pods/pod-facts.ts'
import { controllerLoop } from '../run/controller-loop.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import type { JobFacts } from './job-facts.ts'
import { untracked } from './untracked.ts'

const controller = 'job-controller'

export interface OrphanedPodsOptions {
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly jobsKnown: OwnedObjects<JobFacts>
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Removes the finalizer from Pods whose Job is gone or finished: otherwise they could not be deleted. */
export class OrphanedPods implements Controller {
  readonly #options: OrphanedPodsOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter

  constructor(options: OrphanedPodsOptions) {
    this.#options = options
    const { pods, podsKnown, jobsKnown, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: pods.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#loop.follow(
      podsKnown.listen(({ after }) => this.#add(after)),
      jobsKnown.listen((change) => this.#jobChanged(change)),
    )
    for (const pod of podsKnown.all()) this.#add(pod)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #jobChanged({ before, after }: OwnedChange<JobFacts>): void {
    if (before === undefined || (before.uid === after?.uid && after.end === undefined)) return
    for (const pod of this.#options.podsKnown.ownedBy(before)) this.#add(pod)
  }

  #add(pod: PodFacts | undefined): void {
    if (pod !== undefined && this.#isOrphan(pod)) this.#loop.add(relativeKey(pod))
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { pods, podsKnown } = this.#options
    const pod = podsKnown.get(id)
    if (pod === undefined || !this.#isOrphan(pod)) return
    const letGo = untracked(pod.uid)
    // A Job may have adopted it meanwhile.
    await this.#writer.edit(pods, id, (object) => (this.#isOrphan(podFactsFrom(object)) ? letGo(object) : undefined))
  }

  /** Owners of other kinds may use the finalizer for their own reasons. */
  #isOrphan({ job, controller: owner, namespace }: PodFacts): boolean {
    if (job?.isTracked !== true) return false
    if (owner === undefined) return true
    if (owner.kind !== 'Job') return false
    const found = this.#options.jobsKnown.get({ namespace, name: owner.name })
    if (found === undefined || found.uid !== owner.uid) return true
    return found.end !== undefined && !found.isManagedElsewhere
  }
}
