import { hashProof, isPossibleProof } from '../../../auth/proofs/proof-value.ts'
import { isSameSecret } from '../../../base/keys/same-secret.ts'
import type { SealedIdentity } from './sealed-identity.ts'

/** The result of checking a proof. */
export type ProofResult =
  | 'proven'
  /** It was issued and is used for the first time. */
  | 'offered'
  /** No valid proof was sent, and the identity has not been proven yet: a proof may be issued. */
  | 'open'
  | 'missing'
  | 'wrong'

/** Limit of unused proofs, for replicas that register together and answers that got lost. */
const mostOffers = 4
const offerMs = 60 * 60 * 1000

/** `shown` is empty if no proof was sent. */
export function proofResultOf(identity: SealedIdentity, shown: string, nowMs: number): ProofResult {
  const hash = isPossibleProof(shown) ? hashProof(shown) : ''
  if (identity.proof !== undefined && isSameSecret(identity.proof, hash)) return 'proven'
  if (isOpen(identity, nowMs))
    return offersNow(identity, nowMs).some((offer) => isSameSecret(offer.hash, hash)) ? 'offered' : 'open'
  return shown === '' ? 'missing' : 'wrong'
}

/** Whether a caller who may register the virtual cluster is issued a proof. */
export function isOpen({ proof, openUntilMs }: SealedIdentity, nowMs: number): boolean {
  return proof === undefined && (openUntilMs === undefined || nowMs < openUntilMs)
}

/** One too many removes the oldest. */
export function withOffer(identity: SealedIdentity, hash: string, nowMs: number): SealedIdentity {
  const offer = { hash, untilMs: nowMs + offerMs }
  return { ...identity, offers: [...offersNow(identity, nowMs), offer].slice(-mostOffers) }
}

/** The identity with this proof as its permanent one. */
export function provenBy(shown: string): SealedIdentity {
  return { proof: hashProof(shown), offers: [] }
}

/** Voids the proof; a new one is issued until the given time. */
export function reopened(untilMs: number): SealedIdentity {
  return { offers: [], openUntilMs: untilMs }
}

function offersNow({ offers }: SealedIdentity, nowMs: number) {
  return offers.filter(({ untilMs }) => nowMs < untilMs)
}
