import type { KubeObject } from '../../../api/object.ts'
import type { VirtualClusterInstance } from '../../../api/types/management.ts'
import type { StoredDocument } from '../../../registry/document.ts'
import { linkStateOf, type StoredLinkState } from '../link-state.ts'
import type { IdentityChange } from './change-identity.ts'
import { provenCondition, withProvenCondition } from './identity-status.ts'
import { type ClaimedPlacement, claimsInstance } from './placement.ts'
import { proofResultOf, provenBy, withOffer } from './proof-result.ts'

export interface VersionedRegistrant extends ClaimedPlacement {
  /** The versions it runs; empty: not given. */
  readonly version: { readonly tenant?: string; readonly kubernetes?: string }
  /** UID of the object that it must be known by; empty: any, or a new one. */
  readonly instanceUid: string
}

export interface RegisteredIdentity extends IdentityChange {
  /** Whether the prepared proof was issued. */
  readonly isOffered: boolean
}

/** The virtual cluster after its registration; undefined if it is a different one by now. */
export function registered(
  current: StoredDocument,
  registrant: VersionedRegistrant,
  offerHash: string,
  nowMs: number,
): RegisteredIdentity | undefined {
  const state = linkStateOf(current)
  const { proof } = registrant
  switch (proofResultOf(state.identity, proof, nowMs)) {
    case 'proven':
    case 'offered': {
      const object = withRegistrant(current.object, registrant)
      const identity = provenBy(proof)
      return { identity, object: withProvenCondition(object, provenCondition, nowMs), isOffered: false }
    }
    case 'open':
      return claimsInstance(state, registrant, nowMs)
        ? offered(current.object, state, registrant, offerHash, nowMs)
        : undefined
    case 'missing':
    case 'wrong':
      return undefined
  }
}

/** Until the identity is proven, the status describes the first registrant. */
function offered(
  object: KubeObject,
  { serviceUid, identity }: StoredLinkState,
  registrant: VersionedRegistrant,
  offerHash: string,
  nowMs: number,
): RegisteredIdentity {
  const isFirst = serviceUid === '' && identity.openUntilMs === undefined
  return {
    identity: withOffer(identity, offerHash, nowMs),
    object: isFirst ? withRegistrant(object, registrant) : object,
    isOffered: true,
  }
}

function withRegistrant(object: KubeObject, { serviceUid, version }: VersionedRegistrant): KubeObject {
  const { status = {} } = object as VirtualClusterInstance
  const isTold = Object.keys(version).length > 0
  return { ...object, status: { ...status, ...(serviceUid !== '' && { serviceUid }), ...(isTold && { version }) } }
}
