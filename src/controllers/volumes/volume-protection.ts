import { claimProtection, volumeProtection } from '../../api/metadata/finalizers.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import { type PodFacts, usersOfClaim } from '../pods/pod-facts.ts'
import { controllerLoop } from '../run/controller-loop.ts'
import type { MayWrite } from '../run/leading.ts'
import { ControllerWriter } from '../run/writer.ts'
import { withoutProtection, withProtection } from './edits.ts'
import { isClaimOf } from './ephemeral-claim.ts'
import type { KnownVolumes } from './volume-binder.ts'
import type { ClaimFacts } from './volume-facts.ts'

export interface VolumeProtectionOptions extends KnownVolumes {
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Keeps a deleted claim as long as a Pod uses it, and a deleted volume as long as a claim has it. */
export class VolumeProtection implements Controller {
  readonly #options: VolumeProtectionOptions
  readonly #claimLoop: Reconciler
  readonly #volumeLoop: Reconciler
  readonly #claimWriter: ControllerWriter
  readonly #volumeWriter: ControllerWriter

  constructor(options: VolumeProtectionOptions) {
    this.#options = options
    const { volumes, volumesKnown, claimsKnown, podsKnown, report, mayWrite } = options
    const { engine } = volumes
    const claimController = 'pvc-protection-controller'
    const volumeController = 'pv-protection-controller'
    const reconcile = (id: ObjectId) => this.#reconcileClaim(id)
    this.#claimLoop = controllerLoop({ controller: claimController, engine, reconcile, report })
    const reconcileVolume = (id: ObjectId) => this.#reconcileVolume(id)
    this.#volumeLoop = controllerLoop({ controller: volumeController, engine, reconcile: reconcileVolume, report })
    this.#claimWriter = new ControllerWriter({ controller: claimController, signal: this.#claimLoop.signal, mayWrite })
    this.#volumeWriter = new ControllerWriter({
      controller: volumeController,
      signal: this.#volumeLoop.signal,
      mayWrite,
    })
    this.#claimLoop.follow(
      claimsKnown.listen(({ after }) => this.#add(this.#claimLoop, after)),
      podsKnown.listen(({ before, after }) => {
        if (before === undefined) return
        if (after === undefined || (after.isShutDown && !before.isShutDown)) this.#podWent(before)
      }),
    )
    this.#volumeLoop.follow(volumesKnown.listen(({ after }) => this.#add(this.#volumeLoop, after)))
    for (const claim of claimsKnown.all()) this.#add(this.#claimLoop, claim)
    for (const volume of volumesKnown.all()) this.#add(this.#volumeLoop, volume)
  }

  async stop(): Promise<void> {
    await Promise.all([this.#claimLoop.stop(), this.#volumeLoop.stop()])
  }

  #add(loop: Reconciler, id: ObjectId | undefined): void {
    if (id !== undefined) loop.add(relativeKey(id))
  }

  #podWent({ namespace, claims }: PodFacts): void {
    for (const name of claims) this.#claimLoop.add(relativeKey({ namespace, name }))
  }

  async #reconcileClaim(id: ObjectId): Promise<void> {
    const { claims, claimsKnown, podsKnown } = this.#options
    const claim = claimsKnown.get(id)
    if (claim === undefined) return
    if (!claim.isBeingDeleted) return this.#claimWriter.edit(claims, id, withProtection(claimProtection))
    const users = podsKnown.inGroup(usersOfClaim(id.namespace, id.name))
    if (users.some((pod) => usesClaim(pod, claim))) return
    await this.#claimWriter.edit(claims, id, withoutProtection(claim.uid, claimProtection))
  }

  async #reconcileVolume(id: ObjectId): Promise<void> {
    const { volumes, volumesKnown } = this.#options
    const volume = volumesKnown.get(id)
    if (volume === undefined) return
    if (!volume.isBeingDeleted) return this.#volumeWriter.edit(volumes, id, withProtection(volumeProtection))
    if (volume.phase === 'Bound') return
    await this.#volumeWriter.edit(volumes, id, withoutProtection(volume.uid, volumeProtection))
  }
}

/**
 * A Pod that was never bound to a node cannot use the claim anymore. An ephemeral claim is used only by the Pod that
 * controls it, until that Pod has shut down: the deletion of the Pod may wait for that of the claim.
 */
function usesClaim(pod: PodFacts, claim: ClaimFacts): boolean {
  if (pod.nodeName === '') return false
  return !pod.ephemeralClaims.includes(claim.name) || (!pod.isShutDown && isClaimOf(pod.uid, claim))
}
