import type { VirtualClusterInstance } from '../../api/types/management.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { type SealedIdentity, sealedIdentityOf } from './identity/sealed-identity.ts'

/** The stored state of a virtual cluster and its link. Empty texts: not set. */
export interface StoredLinkState {
  readonly serviceUid: string
  /** Where it runs, according to its registration. */
  readonly place: { readonly namespace: string; readonly virtualCluster: string }
  readonly identity: SealedIdentity
  readonly isOnline: boolean
  readonly replica: string
  /** The process of the virtual cluster that is linked. */
  readonly process: string
  /** Whether that process is about to stop. */
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

/** Whether a virtual cluster has ever registered under this name. */
export function isRegistered({ serviceUid, identity }: StoredLinkState): boolean {
  return serviceUid !== '' || identity.proof !== undefined
}

/** Hashes that identify the virtual cluster: its proof and its offers. */
export function proofHashesOf({ identity }: Pick<StoredLinkState, 'identity'>): readonly string[] {
  const offers = identity.offers.map(({ hash }) => hash)
  return identity.proof === undefined ? offers : [identity.proof, ...offers]
}
