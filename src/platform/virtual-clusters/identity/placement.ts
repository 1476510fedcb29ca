import { hashProof, isPossibleProof } from '../../../auth/proofs/proof-value.ts'
import { derivedNames } from '../derived-name.ts'
import type { StoredLinkState } from '../link-state.ts'
import { isOpen, type ProofResult, proofResultOf } from './proof-result.ts'

/** A registrant, as it describes itself. Only the proof establishes its identity. */
export interface ClaimedPlacement {
  /** Empty: not given. */
  readonly serviceUid: string
  readonly namespace: string
  readonly virtualCluster: string
  /** Empty: none was sent. */
  readonly proof: string
}

export type KnownInstance = Pick<StoredLinkState, 'serviceUid' | 'place' | 'identity'>

/** The virtual clusters of one project. A lookup takes constant time. */
export interface KnownInstances {
  get(name: string): KnownInstance | undefined
  /** The name of the virtual cluster that has this proof, or was once offered it. */
  withProof(proofHash: string): string | undefined
}

/** The name that a virtual cluster has, or will get. */
export type Placement =
  | { readonly outcome: 'known'; readonly name: string }
  /** The identity has not been proven yet: the registrant gets a proof. */
  | { readonly outcome: 'open'; readonly name: string }
  | { readonly outcome: 'new'; readonly name: string }
  /** It is a different virtual cluster, or has lost its proof. */
  | { readonly outcome: 'refused'; readonly name: string; readonly standing: 'missing' | 'wrong' }
  /** All possible names are taken by others. */
  | { readonly outcome: 'taken' }

/**
 * A proof identifies the virtual cluster, whatever name it asks for. Without one, it gets the requested name if that is
 * free or its own, otherwise one derived from its description of itself, so that two with the same name can coexist.
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
    if (claimsInstance(instance, registrant, nowMs)) return placeAt(name, instance, registrant, nowMs)
  }
  return { outcome: 'taken' }
}

function nameByProof(proof: string, known: KnownInstances, nowMs: number): string | undefined {
  const name = isPossibleProof(proof) ? known.withProof(hashProof(proof)) : undefined
  const instance = name === undefined ? undefined : known.get(name)
  return instance !== undefined && isShown(proofResultOf(instance.identity, proof, nowMs)) ? name : undefined
}

function isShown(standing: ProofResult): boolean {
  return standing === 'proven' || standing === 'offered'
}

function placeAt(name: string, { identity }: KnownInstance, { proof }: ClaimedPlacement, nowMs: number): Placement {
  const standing = proofResultOf(identity, proof, nowMs)
  return standing === 'missing' || standing === 'wrong'
    ? { outcome: 'refused', name, standing }
    : { outcome: 'open', name }
}

/**
 * Whether the registrant claims to be the known instance. This decides only which answer it gets: without a proof it
 * never becomes an instance whose identity has been proven.
 */
export function claimsInstance(
  { serviceUid, place, identity }: KnownInstance,
  registrant: ClaimedPlacement,
  nowMs: number,
): boolean {
  if (serviceUid === '' || registrant.serviceUid === '' || serviceUid === registrant.serviceUid) return true
  const isReissued = identity.openUntilMs !== undefined && isOpen(identity, nowMs)
  return isReissued && place.namespace === registrant.namespace && place.virtualCluster === registrant.virtualCluster
}
