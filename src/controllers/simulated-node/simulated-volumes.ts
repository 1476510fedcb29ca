import { isRefusal } from '../../api/error.ts'
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import type { StorageClass } from '../../api/types/storage-v1.ts'
import { Pace } from '../../base/pace.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { controllerLoop } from '../run/controller-loop.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { reporting } from '../run/report-failure.ts'
import { ControllerWriter } from '../run/writer.ts'
import { classNameOf, isDiscarded, simulatedClass, simulatedClassName, simulatedVolumeFor } from './provisioning.ts'

const controller = 'simulated-volumes'

export interface SimulatedVolumesOptions {
  readonly volumes: ResourceContext
  readonly claims: ResourceContext
  readonly storageClasses: ResourceContext
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Creates empty volumes for claims of its class, which exists from the start. Another controller binds them. */
export class SimulatedVolumes implements Controller {
  readonly #options: SimulatedVolumesOptions
  readonly #classLoop: Reconciler
  readonly #claimLoop: Reconciler
  readonly #volumeLoop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents
  #loaded: Promise<void>

  constructor(options: SimulatedVolumesOptions) {
    this.#options = options
    const { volumes, claims, storageClasses, events, report, mayWrite } = options
    const { engine } = claims
    this.#classLoop = new Reconciler({ reconcile: () => this.#ensureClass(), failed: reporting(controller, report) })
    this.#claimLoop = controllerLoop({ controller, engine, reconcile: (id) => this.#reconcileClaim(id), report })
    this.#volumeLoop = controllerLoop({ controller, engine, reconcile: (id) => this.#reconcileVolume(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#claimLoop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component: controller, report, mayWrite })
    this.#claimLoop.follow(claims.cache.listen((changes) => addAll(this.#claimLoop, changes)))
    this.#volumeLoop.follow(volumes.cache.listen((changes) => addAll(this.#volumeLoop, changes)))
    this.#classLoop.add(simulatedClassName)
    this.#loaded = this.#load()
    // Claims may name a class before it exists.
    this.#claimLoop.follow(storageClasses.cache.listen(() => this.#loadAgain()))
  }

  async stop(): Promise<void> {
    await Promise.all([this.#classLoop.stop(), this.#claimLoop.stop(), this.#volumeLoop.stop()])
    await this.#loaded
    await this.#recorder.stop()
  }

  #loadAgain(): void {
    this.#loaded = this.#loaded.then(() => this.#load())
  }

  /** In steps: there may be many. */
  async #load(): Promise<void> {
    const { volumes, claims } = this.#options
    const pace = new Pace()
    for (const [loop, { cache }] of [
      [this.#claimLoop, claims],
      [this.#volumeLoop, volumes],
    ] as const) {
      for (const document of cache.snapshot().values()) {
        await pace.step()
        if (loop.signal.aborted) return
        loop.add(relativeKey(document))
      }
    }
  }

  /** Once: users may change it, or delete it until the next start. */
  async #ensureClass(): Promise<void> {
    const { storageClasses } = this.#options
    if (storageClasses.cache.get({ namespace: '', name: simulatedClassName }) !== undefined) return
    await this.#writer.create(storageClasses, simulatedClass)
  }

  async #reconcileClaim(id: ObjectId): Promise<void> {
    const { claims, volumes } = this.#options
    const claim = claims.cache.get(id)?.object as PersistentVolumeClaim | undefined
    const wanted = claim && simulatedVolumeFor(claim, this.#classOf(claim))
    if (claim === undefined || wanted === undefined) return
    const { name = '' } = wanted.metadata
    if (volumes.cache.get({ namespace: '', name }) !== undefined) return
    try {
      await this.#writer.create(volumes, wanted)
    } catch (error) {
      if (isRefusal(error, 409)) return
      throw error
    }
    const message = `Successfully provisioned volume ${name}`
    this.#recorder.record(claim, { type: 'Normal', reason: 'ProvisioningSucceeded', message })
  }

  #classOf(claim: PersistentVolumeClaim): StorageClass | undefined {
    const found = this.#options.storageClasses.cache.get({ namespace: '', name: classNameOf(claim) })
    return found?.object as StorageClass | undefined
  }

  async #reconcileVolume(id: ObjectId): Promise<void> {
    const { volumes } = this.#options
    const volume = volumes.cache.get(id)?.object as PersistentVolume | undefined
    if (volume === undefined || !isDiscarded(volume)) return
    await this.#writer.delete(volumes, { ...id, uid: volume.metadata.uid ?? '' })
  }
}

function addAll(loop: Reconciler, changes: readonly { readonly document: ObjectId }[]): void {
  for (const { document } of changes) loop.add(relativeKey(document))
}
