import { classOf } from '../../api/core/volumes/volume-columns.ts'
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import type { StorageClass } from '../../api/types/storage-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { Pace, paced } from '../../base/pace.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import { withDefaultClass } from '../../registry/admission/default-classes.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import { type PodFacts, usersOfClaim } from '../pods/pod-facts.ts'
import { controllerLoop, requeueAfter } from '../run/controller-loop.ts'
import type { News } from '../run/event-limits.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import {
  boundTo,
  inDefaultClass,
  inPhase,
  lostClaim,
  withClaim,
  withoutClaim,
  withProvisioner,
  withVolume,
} from './edits.ts'
import { planClaim, planVolume } from './plan.ts'
import { type ClaimFacts, classGroup, type VolumeFacts, volumeGroup } from './volume-facts.ts'
import { whyNamedUnbound } from './why-named-unbound.ts'
import { externalProvisioning, whyUnbound } from './why-unbound.ts'

const controller = 'persistent-volume-binder'
const component = 'persistentvolume-controller'

/** Another claim was faster, of which this one gets no event. */
const takenPauseMs = 1_000

export interface KnownVolumes {
  readonly volumes: ResourceContext
  readonly volumesKnown: OwnedObjects<VolumeFacts>
  readonly claims: ResourceContext
  readonly claimsKnown: OwnedObjects<ClaimFacts>
  readonly podsKnown: OwnedObjects<PodFacts>
}

export interface VolumeBinderOptions extends KnownVolumes {
  readonly storageClasses: ResourceContext
  readonly events: ResourceContext
  /**
   * Whether the host binds claims, to its own volumes. It also gives them a default class, reports why they wait, and
   * loses them with their volumes.
   */
  readonly claimsAreSynced: () => boolean
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Binds claims to volumes that were created by hand. Provisioners bind theirs, and a host those of synced claims. */
export class VolumeBinder implements Controller {
  readonly #options: VolumeBinderOptions
  readonly #claimLoop: Reconciler
  readonly #volumeLoop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents

  constructor(options: VolumeBinderOptions) {
    this.#options = options
    const { volumes, volumesKnown, claimsKnown, podsKnown, storageClasses, events, report, mayWrite } = options
    const { engine } = volumes
    this.#claimLoop = controllerLoop({ controller, engine, reconcile: (id) => this.#reconcileClaim(id), report })
    this.#volumeLoop = controllerLoop({ controller, engine, reconcile: (id) => this.#reconcileVolume(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#claimLoop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component, report, mayWrite })
    this.#claimLoop.follow(
      claimsKnown.listen(({ before, after }) => this.#claimChanged(before, after)),
      podsKnown.listen(({ before, after }) => {
        if (before === undefined && after !== undefined) this.#podCame(after)
      }),
      // Claims without a class get the one that has become the default.
      storageClasses.cache.listen(() => this.#addWaiting('')),
    )
    this.#volumeLoop.follow(volumesKnown.listen(({ before, after }) => this.#volumeChanged(after ?? before)))
    for (const claim of claimsKnown.all()) this.#claimLoop.add(relativeKey(claim))
    for (const volume of volumesKnown.all()) this.#volumeLoop.add(relativeKey(volume))
  }

  async stop(): Promise<void> {
    await Promise.all([this.#claimLoop.stop(), this.#volumeLoop.stop()])
    await this.#recorder.stop()
  }

  #claimChanged(before: ClaimFacts | undefined, after: ClaimFacts | undefined): void {
    if (after !== undefined) this.#claimLoop.add(relativeKey(after))
    const volumeName = after?.volumeName || before?.volumeName
    if (volumeName) this.#volumeLoop.add(volumeName)
  }

  /** A claim may wait for the first Pod that uses it. */
  #podCame({ namespace, claims }: PodFacts): void {
    for (const name of claims) this.#claimLoop.add(relativeKey({ namespace, name }))
  }

  /** Also queues waiting claims: the set of volumes has changed. */
  #volumeChanged(volume: VolumeFacts | undefined): void {
    if (volume === undefined) return
    this.#volumeLoop.add(relativeKey(volume))
    const { namespace, name } = volume.claim ?? {}
    if (namespace !== undefined && name !== undefined) this.#claimLoop.add(relativeKey({ namespace, name }))
    else if (volume.phase === 'Available') this.#addWaiting(classGroup(volume.storageClass))
    this.#addWaiting(volumeGroup(volume.name))
  }

  #addWaiting(group: string): void {
    for (const claim of this.#options.claimsKnown.inGroup(group)) this.#claimLoop.add(relativeKey(claim))
  }

  async #reconcileClaim(id: ObjectId): Promise<void> {
    const { claims, volumesKnown, claimsAreSynced } = this.#options
    const claim = claims.cache.get(id)?.object as PersistentVolumeClaim | undefined
    if (claim === undefined || claimsAreSynced()) return
    const isDelayed = this.#isDelayed(claim)
    const plan = await paced(planClaim(claim, volumesKnown, isDelayed), new Pace())
    if (plan.action === 'wait') await this.#wait(id, claim, isDelayed)
    if (plan.action === 'bind') await this.#bind(id, claim, plan.volume)
    if (plan.action === 'lose' && claim.status.phase !== 'Lost') {
      await this.#writer.edit(claims, id, lostClaim(claim.metadata.uid), 'status')
      this.#recorder.record(claim, { type: 'Warning', reason: plan.reason, message: plan.message })
    }
  }

  /** The choice of a volume depends on where its Pod is scheduled: without a Pod, the claim waits. */
  #isDelayed({ metadata, spec }: PersistentVolumeClaim): boolean {
    const { podsKnown } = this.#options
    if (this.#classOf({ metadata, spec })?.volumeBindingMode !== 'WaitForFirstConsumer') return false
    return podsKnown.inGroup(usersOfClaim(metadata.namespace ?? '', metadata.name ?? '')).length === 0
  }

  #classOf({ metadata, spec }: Pick<PersistentVolumeClaim, 'metadata' | 'spec'>): StorageClass | undefined {
    const name = classOf(spec.storageClassName, metadata.annotations)
    return this.#options.storageClasses.cache.get({ namespace: '', name })?.object as StorageClass | undefined
  }

  async #wait(id: ObjectId, claim: PersistentVolumeClaim, isDelayed: boolean): Promise<void> {
    const { claims, storageClasses } = this.#options
    const { volumeName = '' } = claim.spec
    if (volumeName === '' && withDefaultClass(claim, storageClasses) !== undefined) {
      return this.#writer.edit(claims, id, inDefaultClass(claim.metadata.uid, storageClasses))
    }
    const news = this.#whyItWaits(claim, isDelayed)
    if (news === undefined) return
    if (news.reason === externalProvisioning) {
      const { provisioner = '' } = this.#classOf(claim) ?? {}
      await this.#writer.edit(claims, id, withProvisioner(claim.metadata.uid, provisioner))
    }
    this.#recorder.recordOnce(claim, news)
  }

  #whyItWaits(claim: PersistentVolumeClaim, isDelayed: boolean): News | undefined {
    const { volumeName = '' } = claim.spec
    if (volumeName === '') return whyUnbound(claim, this.#classOf(claim), isDelayed)
    const named = this.#options.volumesKnown.get({ namespace: '', name: volumeName })
    return named && whyNamedUnbound(claim, named)
  }

  /**
   * Writes the volume first: a claim never names a volume that another claim has. Each step is idempotent, and repeated
   * after a crash.
   */
  async #bind(id: ObjectId, claim: PersistentVolumeClaim, { name }: VolumeFacts): Promise<void> {
    const { volumes, claims } = this.#options
    const { uid } = claim.metadata
    const volumeId = { namespace: '', name }
    await this.#writer.edit(volumes, volumeId, withClaim(claim))
    const volume = volumes.cache.get(volumeId)?.object as PersistentVolume | undefined
    if (volume === undefined || volume.spec.claimRef?.uid !== uid) {
      return requeueAfter(this.#claimLoop, relativeKey(id), takenPauseMs)
    }
    await this.#writer.edit(volumes, volumeId, inPhase('Bound', this.#now()), 'status')
    await this.#writer.edit(claims, id, withVolume(uid, name))
    await this.#writer.edit(claims, id, boundTo(uid, volume), 'status')
  }

  async #reconcileVolume(id: ObjectId): Promise<void> {
    const { volumes, volumesKnown, claimsKnown } = this.#options
    const volume = volumesKnown.get(id)
    if (volume === undefined) return
    const { namespace = '', name = '', uid = '' } = volume.claim ?? {}
    const plan = planVolume(volume, claimsKnown.get({ namespace, name }))
    if (plan.action === 'free') await this.#writer.edit(volumes, id, withoutClaim(uid))
    if (plan.action === 'phase') await this.#writer.edit(volumes, id, inPhase(plan.phase, this.#now()), 'status')
  }

  #now(): string {
    return timestamp(this.#options.volumes.engine.clock.now())
  }
}
