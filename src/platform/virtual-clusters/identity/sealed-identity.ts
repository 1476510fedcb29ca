import type { JsonObject } from '../../../api/object.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import type { StoredDocument } from '../../../registry/document.ts'

/**
 * What identifies a virtual cluster: kept with its object, and never shown. There is no field for the plain value.
 * Without a proof, and without an end of the time in which one is issued, the first registrant gets one.
 */
export interface SealedIdentity {
  /** SHA-256 of the proof. Absent: none has been shown yet. */
  readonly proof?: string
  /** Issued and not shown yet. The first that is shown becomes the proof, and the others are void. */
  readonly offers: readonly Offer[]
  /** An administrator has voided the proof: until then a new one is issued, and none afterward. */
  readonly openUntilMs?: number
}

export interface Offer {
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

function readOffer(offer: unknown): readonly Offer[] {
  const { hash, untilMs } = asMembers(offer)
  return typeof hash === 'string' && typeof untilMs === 'number' ? [{ hash, untilMs }] : []
}
