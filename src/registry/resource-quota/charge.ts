import type { ResourceQuota } from '../../api/types/core-v1.ts'
import type { Amounts } from '../amounts.ts'
import { type StoredDocument, sealedBytes } from '../document.ts'

/** What a write that may not be stored yet takes from a quota. It is sealed in the quota, where every replica finds it. */
export interface Charge {
  readonly id: string
  readonly group: string
  readonly kind: string
  readonly name: string
  /** The uid of an object that is being created. */
  readonly uid?: string
  /** The revision at which a changed object was read. */
  readonly revision?: number
  readonly added: Amounts
  readonly atMs: number
}

/** A quota with its charges. */
export interface ChargedQuota {
  readonly document: StoredDocument
  readonly object: ResourceQuota
  readonly hard: Amounts
  readonly used: Amounts
  readonly charges: readonly Charge[]
}

/** Every write to a namespace reads its quotas. */
const known = new WeakMap<StoredDocument, ChargedQuota>()

export function chargedQuota(document: StoredDocument): ChargedQuota {
  const quota = known.get(document) ?? readQuota(document)
  known.set(document, quota)
  return quota
}

function readQuota(document: StoredDocument): ChargedQuota {
  const object = document.object as ResourceQuota
  return {
    document,
    object,
    hard: object.spec.hard ?? {},
    used: object.status?.used ?? {},
    charges: chargesIn(document),
  }
}

/** Only this file writes the sealed part of a quota. */
function chargesIn({ sealedText }: StoredDocument): readonly Charge[] {
  return sealedText === undefined ? [] : (JSON.parse(sealedText) as { readonly charges: readonly Charge[] }).charges
}

export function sealedCharges(charges: readonly Charge[]): Buffer {
  return sealedBytes({ charges: charges.map((charge) => ({ ...charge })) })
}
