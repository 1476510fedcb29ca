import type { KubeObject } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { affectedOwners, type Selecting } from '../ownership/affected-owners.ts'
import type { Owned } from '../ownership/owned.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import { controllerLoop, requeueAfter } from './controller-loop.ts'
import { ControllerEvents } from './event-recorder.ts'
import type { MayWrite } from './leading.ts'
import { ControllerWriter } from './writer.ts'

export interface WorkloadLoopOptions {
  /** Its name in Events. */
  readonly controller: string
  readonly owners: ResourceContext
  readonly ownersKnown: Pick<OwnedObjects<Selecting>, 'all' | 'get' | 'in' | 'listen'>
  readonly reconcile: (id: ObjectId) => Promise<void>
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** What workload controllers have in common: a loop over owners, writes and Events. */
export class WorkloadLoop {
  readonly writer: ControllerWriter
  readonly recorder: ControllerEvents
  readonly #options: WorkloadLoopOptions
  readonly #loop: Reconciler

  constructor(options: WorkloadLoopOptions) {
    this.#options = options
    const { controller, owners, reconcile, events, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: owners.engine, reconcile, report })
    this.writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.recorder = new ControllerEvents({ events, component: controller, report, mayWrite })
  }

  /** Aborts when the loop stops. */
  get signal(): AbortSignal {
    return this.#loop.signal
  }

  /** Reconciles all existing owners, and each one that changes. `sources` are stopped together with the loop. */
  follow(...sources: readonly (() => void)[]): void {
    const { ownersKnown } = this.#options
    this.#loop.follow(
      ownersKnown.listen(({ before, after }) => this.add(after ?? before)),
      ...sources,
    )
    for (const owner of ownersKnown.all()) this.add(owner)
  }

  add(id: ObjectId | undefined): void {
    if (id !== undefined) this.#loop.add(relativeKey(id))
  }

  /** Queues the owners that a change of a dependent concerns. */
  dependentChanged(change: OwnedChange<Owned>): void {
    const { owners, ownersKnown } = this.#options
    for (const owner of affectedOwners(ownersKnown, owners.kind.kind, change)) this.add(owner)
  }

  /** Requeues after the shortest of the pauses, if there is one. */
  requeueLater(id: ObjectId, pausesMs: readonly (number | undefined)[]): void {
    const known = pausesMs.filter((each) => each !== undefined)
    const first = known.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY)
    if (known.length > 0) requeueAfter(this.#loop, relativeKey(id), first)
  }

  async writeStatus(owner: KubeObject, status: object): Promise<void> {
    if (deepEqual(status, owner.status)) return
    await this.writer.replace(this.#options.owners, owner, { ...owner, status }, 'status')
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.recorder.stop()
  }
}
