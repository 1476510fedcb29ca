import { conflict } from '../../api/error.ts'
import { type KubeObject, objectKeyOf } from '../../api/object.ts'
import type { StatefulSet } from '../../api/types/apps-v1.ts'
import type { PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import { Pace } from '../../base/pace.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { StoredDocument } from '../../registry/document.ts'
import type { ControllerEvents } from '../run/event-recorder.ts'
import { isNameTaken } from '../run/refusals.ts'
import type { ControllerWriter } from '../run/writer.ts'
import { claimCreated, claimRefused } from './news.ts'
import {
  type ClaimUser,
  claimOwners,
  isOfEarlierPod,
  retainsClaims,
  volumeClaimNames,
  volumeClaims,
} from './volume-claims.ts'

export interface ClaimWritesOptions {
  readonly claims: ResourceContext
  readonly writer: ControllerWriter
  readonly recorder: ControllerEvents
}

/** Writes the PersistentVolumeClaims of Pods of StatefulSets. */
export class ClaimWrites {
  readonly #options: ClaimWritesOptions
  /** Shared by all Pods, since each of them has few claims. */
  readonly #pace = new Pace()

  constructor(options: ClaimWritesOptions) {
    this.#options = options
  }

  /** Fails if a claim of a Pod to be created is about to be deleted: then the Pod must wait. */
  requireLasting(set: StatefulSet, ordinal: number, user: ClaimUser): void {
    for (const claim of volumeClaims(set, ordinal)) {
      const there = this.#find(claim)
      if (there !== undefined) this.#requireOneLasting(set, user, there)
    }
  }

  async createMissing(set: StatefulSet, ordinal: number, user: ClaimUser): Promise<void> {
    for (const claim of volumeClaims(set, ordinal)) {
      await this.#pace.step()
      if (this.#find(claim) === undefined) await this.#create(set, user, claim)
    }
  }

  /** Makes claims depend on the Pod or the set, or on neither, according to the retention policy. */
  async setOwners(set: StatefulSet, ordinal: number, user: ClaimUser): Promise<void> {
    for (const name of volumeClaimNames(set, ordinal)) {
      await this.#pace.step()
      const id = { namespace: set.metadata.namespace ?? '', name }
      const there = this.#options.claims.cache.get(id)
      // Most have no owner and need none, which is known without parsing them.
      if (there === undefined || (retainsClaims(set) && !there.mentions('ownerReferences'))) continue
      if (withOwners(set, user)(there.object) === undefined) continue
      await this.#options.writer.edit(this.#options.claims, id, withOwners(set, user))
    }
  }

  #find(claim: PersistentVolumeClaim): StoredDocument | undefined {
    return this.#options.claims.cache.get(objectKeyOf(claim))
  }

  #requireOneLasting(set: StatefulSet, user: ClaimUser, there: StoredDocument): void {
    const { kind } = this.#options.claims
    if (there.isBeingDeleted) throw conflict(kind, there.name, 'it is being deleted')
    const isScaledAway = set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled === 'Delete'
    if (!isScaledAway || !isOfEarlierPod(user, there.object.metadata.ownerReferences ?? [])) return
    throw conflict(kind, there.name, 'it goes with the earlier pod of that name')
  }

  async #create(set: StatefulSet, user: ClaimUser, claim: PersistentVolumeClaim): Promise<void> {
    const { claims, writer, recorder } = this.#options
    const told = { set: set.metadata.name ?? '', pod: user.name }
    const name = claim.metadata.name ?? ''
    try {
      await writer.create(claims, withOwners(set, user)(claim) ?? claim)
    } catch (error) {
      if (!isNameTaken(error)) recorder.record(set, claimRefused(name, told, error))
      throw error
    }
    recorder.record(set, claimCreated(name, told))
  }
}

function withOwners(set: StatefulSet, user: ClaimUser): (claim: KubeObject) => KubeObject | undefined {
  return (claim) => {
    const { ownerReferences = [], ...metadata } = claim.metadata
    const wanted = claimOwners(set, user, ownerReferences)
    if (wanted === undefined) return undefined
    return { ...claim, metadata: wanted.length === 0 ? metadata : { ...metadata, ownerReferences: wanted } }
  }
}
