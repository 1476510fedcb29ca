import { hashProof, isPossibleProof } from '../../../auth/proofs/proof-value.ts'
import { derivedNames } from '../derived-name.ts'
import type { StoredLinkState } from '../link-state.ts'
import { isOpen, type Standing, standingOf } from './standing.ts'

/** Who registers, as it says itself. Only the proof says who it is. */
export interface ClaimedPlacement {
  /** Empty: it does not say. */
  readonly serviceUid: string
  readonly namespace: string
  readonly virtualCluster: string
  /** Empty: it shows none. */
  readonly proof: string
}

export type KnownInstance = Pick<StoredLinkState, 'serviceUid' | 'place' | 'identity'>

/** The virtual clusters of one project. However many there are, looking one up takes the same time. */
export interface KnownInstances {
  get(name: string): KnownInstance | undefined
  /** The name of the one that has this proof, or was offered it once. */
  withProof(proofHash: string): string | undefined
}

/** Under which name a virtual cluster is known, or will be. */
export type Placement =
  | { readonly outcome: 'known'; readonly name: string }
  /** The identity has not been proven yet: the registrant gets a proof. */
  | { readonly outcome: 'open'; readonly name: string }
  | { readonly outcome: 'new'; readonly name: string }
  /** It is another, or has lost its proof. */
  | { readonly outcome: 'refused'; readonly name: string; readonly standing: 'missing' | 'wrong' }
  /** Others have every name that it could get. */
  | { readonly outcome: 'taken' }

/**
 * A proof says which one it is, whatever it wants to be called. Without one it gets the name it wants if that is free or
 * its own, otherwise one that follows from what it says of itself, so that two of the same name find room beside each other.
 */
export function placementOf(
  wanted: string,
  registrant: ClaimedPlacement,
  known: KnownInstances,
  nowMs: number,
): Placement {
  const shown = nameByProof(registrant.proof, known, nowMs)
  if (shown !== undefined) return { outcome: 'known', name: shown }
  const { serviceUid } = registrant
  for (const name of [wanted, ...(serviceUid === '' ? [] : derivedNames(wanted, serviceUid))]) {
    const instance = known.get(name)
    if (instance === undefined) return { outcome: 'new', name }
    if (isMeant(instance, registrant, nowMs)) return placeAt(name, instance, registrant, nowMs)
  }
  return { outcome: 'taken' }
}

function nameByProof(proof: string, known: KnownInstances, nowMs: number): string | undefined {
  const name = isPossibleProof(proof) ? known.withProof(hashProof(proof)) : undefined
  const instance = name === undefined ? undefined : known.get(name)
  return instance !== undefined && isShown(standingOf(instance.identity, proof, nowMs)) ? name : undefined
}

function isShown(standing: Standing): boolean {
  return standing === 'proven' || standing === 'offered'
}

function placeAt(name: string, { identity }: KnownInstance, { proof }: ClaimedPlacement, nowMs: number): Placement {
  const standing = standingOf(identity, proof, nowMs)
  return standing === 'missing' || standing === 'wrong'
    ? { outcome: 'refused', name, standing }
    : { outcome: 'open', name }
}

/**
 * Whether the registrant claims to be the known instance. This decides only which answer it gets: without a proof it
 * never becomes an instance whose identity has been proven.
 */
export function isMeant(
  { serviceUid, place, identity }: KnownInstance,
  registrant: ClaimedPlacement,
  nowMs: number,
): boolean {
  if (serviceUid === '' || registrant.serviceUid === '' || serviceUid === registrant.serviceUid) return true
  const isReissued = identity.openUntilMs !== undefined && isOpen(identity, nowMs)
  return isReissued && place.namespace === registrant.namespace && place.virtualCluster === registrant.virtualCluster
}
