import { hashProof, isPossibleProof } from '../../../auth/proofs/proof-value.ts'
import { isSameSecret } from '../../../base/same-secret.ts'
import type { SealedIdentity } from './sealed-identity.ts'

/** What a proof that is shown, or a missing one, is worth. */
export type Standing =
  | 'proven'
  /** It was issued and is shown for the first time. */
  | 'offered'
  /** No valid proof is shown, and the identity has not been proven yet: a proof may be issued. */
  | 'open'
  | 'missing'
  | 'wrong'

/** How many may be on their way at once: replicas that register together, and answers that got lost. */
const mostOffers = 4
const offerMs = 60 * 60 * 1000

/** `shown` is empty where nothing is. */
export function standingOf(identity: SealedIdentity, shown: string, nowMs: number): Standing {
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

/** Too many drive out the oldest. */
export function withOffer(identity: SealedIdentity, hash: string, nowMs: number): SealedIdentity {
  const offer = { hash, untilMs: nowMs + offerMs }
  return { ...identity, offers: [...offersNow(identity, nowMs), offer].slice(-mostOffers) }
}

/** The one by which it is known from now on. */
export function provenBy(shown: string): SealedIdentity {
  return { proof: hashProof(shown), offers: [] }
}

/** Whatever was its proof is void, and a new one is issued until the time given. */
export function reopened(untilMs: number): SealedIdentity {
  return { offers: [], openUntilMs: untilMs }
}

function offersNow({ offers }: SealedIdentity, nowMs: number) {
  return offers.filter(({ untilMs }) => nowMs < untilMs)
}
