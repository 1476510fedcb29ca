import type { JsonObject } from '../../../api/object.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import type { StoredDocument } from '../../../registry/document.ts'

/**
 * The identity of a virtual cluster: stored with its object, and never shown. It has no field for the plain value. If
 * there is neither a proof nor a deadline for issuing one, the first registrant gets one.
 */
export interface SealedIdentity {
  /** SHA-256 of the proof. Absent: none has been used yet. */
  readonly proof?: string
  /** Proofs that were issued but not used yet. The first one used becomes the proof and voids the others. */
  readonly offers: readonly ProofOffer[]
  /** Set when an administrator voided the proof: a new one is issued until then, and none after. */
  readonly openUntilMs?: number
}

export interface ProofOffer {
  readonly hash: string
  readonly untilMs: number
}

export const unknownIdentity: SealedIdentity = { offers: [] }

export function sealedIdentityOf(document: Pick<StoredDocument, 'sealedText'>): SealedIdentity {
  const { sealedText } = document
  return sealedText === undefined ? unknownIdentity : readIdentity(JSON.parse(sealedText))
}

export function sealedIdentityForm({ proof, offers, openUntilMs }: SealedIdentity): JsonObject {
  return {
    ...(proof === undefined ? {} : { proof }),
    offers: offers.map((offer) => ({ ...offer })),
    ...(openUntilMs === undefined ? {} : { openUntilMs }),
  }
}

/** A value in any other form identifies no virtual cluster, and no proof is issued for it. */
function readIdentity(sealed: unknown): SealedIdentity {
  const { proof, offers, openUntilMs } = asMembers(sealed)
  const isRead = isAbsentOr('string', proof) && Array.isArray(offers) && isAbsentOr('number', openUntilMs)
  if (!isRead) return { offers: [], openUntilMs: 0 }
  return {
    ...(typeof proof === 'string' && { proof }),
    offers: offers.flatMap(readOffer),
    ...(typeof openUntilMs === 'number' && { openUntilMs }),
  }
}

function isAbsentOr(type: 'string' | 'number', value: unknown): boolean {
  return value === undefined || typeof value === type
}

function readOffer(offer: unknown): readonly ProofOffer[] {
  const { hash, untilMs } = asMembers(offer)
  return typeof hash === 'string' && typeof untilMs === 'number' ? [{ hash, untilMs }] : []
}
