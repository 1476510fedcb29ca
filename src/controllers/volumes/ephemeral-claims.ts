import { objectKeyOf } from '../../api/object.ts'
import type { PersistentVolumeClaim, Pod } from '../../api/types/core-v1.ts'
import { errorText } from '../../base/error-text.ts'
import type { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import type { ObjectId } from '../../registry/document.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import type { OwnedObjects } from '../ownership/owned-objects.ts'
import { type PodFacts, usersOfClaim } from '../pods/pod-facts.ts'
import { controllerLoop } from '../run/controller-loop.ts'
import { ControllerEvents } from '../run/event-recorder.ts'
import type { MayWrite } from '../run/leading.ts'
import { isNamespaceTerminating } from '../run/refusals.ts'
import { ControllerWriter } from '../run/writer.ts'
import { ephemeralClaim, isClaimOf } from './ephemeral-claim.ts'
import type { ClaimFacts } from './volume-facts.ts'

const controller = 'ephemeral-volume-controller'
const component = 'ephemeral_volume'

export interface EphemeralClaimsOptions {
  readonly pods: ResourceContext
  readonly podsKnown: OwnedObjects<PodFacts>
  readonly claims: ResourceContext
  readonly claimsKnown: OwnedObjects<ClaimFacts>
  readonly events: ResourceContext
  readonly report: ReportError
  readonly mayWrite: MayWrite
}

/** Creates the claims for ephemeral volumes of Pods. */
export class EphemeralClaims implements Controller {
  readonly #options: EphemeralClaimsOptions
  readonly #loop: Reconciler
  readonly #writer: ControllerWriter
  readonly #recorder: ControllerEvents

  constructor(options: EphemeralClaimsOptions) {
    this.#options = options
    const { pods, podsKnown, claimsKnown, events, report, mayWrite } = options
    this.#loop = controllerLoop({ controller, engine: pods.engine, reconcile: (id) => this.#reconcile(id), report })
    this.#writer = new ControllerWriter({ controller, signal: this.#loop.signal, mayWrite })
    this.#recorder = new ControllerEvents({ events, component, report, mayWrite })
    this.#loop.follow(
      podsKnown.listen(({ before, after }) => {
        if (before === undefined && after !== undefined) this.#add(after)
      }),
      claimsKnown.listen(({ before, after }) => {
        const isSame = after !== undefined && after.controller?.uid === before?.controller?.uid
        if (before !== undefined && !isSame) this.#claimLeft(before)
      }),
    )
    for (const pod of podsKnown.all()) this.#add(pod)
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#recorder.stop()
  }

  #add(pod: PodFacts): void {
    if (pod.ephemeralClaims.length > 0 && !pod.isBeingDeleted) this.#loop.add(relativeKey(pod))
  }

  #claimLeft({ namespace, name }: ClaimFacts): void {
    for (const pod of this.#options.podsKnown.inGroup(usersOfClaim(namespace, name))) this.#add(pod)
  }

  async #reconcile(id: ObjectId): Promise<void> {
    const { pods } = this.#options
    const pod = pods.cache.get(id)?.object as Pod | undefined
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return
    for (const volume of pod.spec.volumes ?? []) {
      const claim = ephemeralClaim(pod, volume)
      if (claim !== undefined) await this.#ensure(pod, volume.name, claim)
    }
  }

  /** Another claim with this name must be deleted first. Its deletion adds the Pod to the queue again. */
  async #ensure(pod: Pod, volume: string, claim: PersistentVolumeClaim): Promise<void> {
    const { claims, claimsKnown } = this.#options
    const there = claimsKnown.get(objectKeyOf(claim))
    if (there !== undefined) {
      if (!isClaimOf(pod.metadata.uid, there)) this.#tell(pod, volume, notItsOwn(pod, there))
      return
    }
    try {
      await this.#writer.create(claims, claim)
    } catch (error) {
      if (isNamespaceTerminating(error)) return
      this.#tell(pod, volume, `create PVC ${claim.metadata.name}: ${errorText(error)}`)
      throw error
    }
  }

  #tell(pod: Pod, volume: string, why: string): void {
    const message = `ephemeral volume ${volume}: ${why}`
    this.#recorder.record(pod, { type: 'Warning', reason: 'FailedBinding', message })
  }
}

function notItsOwn({ metadata }: Pod, claim: ClaimFacts): string {
  const { namespace = '', name = '' } = metadata
  return `PVC ${namespace}/${claim.name} was not created for pod ${namespace}/${name} (pod is not owner)`
}
