import type { ResourceQuota } from '../../api/types/core-v1.ts'
import type { Amounts } from '../amounts.ts'
import { type StoredDocument, sealedBytes } from '../document.ts'

/** What a write that may not be stored yet takes of a quota. Kept sealed in the quota, where every replica finds it. */
export interface Charge {
  readonly id: string
  readonly group: string
  readonly kind: string
  readonly name: string
  /** Of an object that is being created. */
  readonly uid?: string
  /** What an object that is being changed was read at. */
  readonly revision?: number
  readonly added: Amounts
  readonly atMs: number
}

/** A quota with what is charged to it. */
export interface ChargedQuota {
  readonly document: StoredDocument
  readonly object: ResourceQuota
  readonly hard: Amounts
  readonly used: Amounts
  readonly charges: readonly Charge[]
}

/** Every write to a namespace asks its quotas. */
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

/** Nothing but this file writes what is sealed in a quota. */
function chargesIn({ sealedText }: StoredDocument): readonly Charge[] {
  return sealedText === undefined ? [] : (JSON.parse(sealedText) as { readonly charges: readonly Charge[] }).charges
}

export function sealedCharges(charges: readonly Charge[]): Buffer {
  return sealedBytes({ charges: charges.map((charge) => ({ ...charge })) })
}
