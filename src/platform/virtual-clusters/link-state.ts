import type { VirtualClusterInstance } from '../../api/types/management.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { type SealedIdentity, sealedIdentityOf } from './identity/sealed-identity.ts'

/** What the store says of a virtual cluster and its link. Empty texts: nothing. */
export interface StoredLinkState {
  readonly serviceUid: string
  /** Where it runs, as it says itself. */
  readonly place: { readonly namespace: string; readonly virtualCluster: string }
  readonly identity: SealedIdentity
  readonly isOnline: boolean
  readonly replica: string
  /** Which process of the virtual cluster is linked there. */
  readonly process: string
  /** That process is about to end. */
  readonly isLeaving: boolean
  readonly lastHeartbeat: string
}

export function linkStateOf(document: Pick<StoredDocument, 'object' | 'sealedText'>): StoredLinkState {
  const { spec, status = {} } = document.object as VirtualClusterInstance
  const { namespace = '', virtualCluster = '' } = spec?.clusterRef ?? {}
  const { serviceUid = '', online = false, link, lastHeartbeat = '' } = status
  const { replica = '', process = '', leaving: isLeaving = false } = link ?? {}
  return {
    serviceUid,
    place: { namespace, virtualCluster },
    identity: sealedIdentityOf(document),
    isOnline: online,
    replica,
    process,
    isLeaving,
    lastHeartbeat,
  }
}

/** Whether a virtual cluster has ever registered as it. */
export function isRegistered({ serviceUid, identity }: StoredLinkState): boolean {
  return serviceUid !== '' || identity.proof !== undefined
}

/** By which the virtual cluster can be told: its proof, or what was offered as one. */
export function proofHashesOf({ identity }: Pick<StoredLinkState, 'identity'>): readonly string[] {
  const offers = identity.offers.map(({ hash }) => hash)
  return identity.proof === undefined ? offers : [identity.proof, ...offers]
}
