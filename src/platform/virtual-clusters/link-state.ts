import type { KubeObject } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'
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
  readonly lastHeartbeat: string
}

export function linkStateOf(document: Pick<StoredDocument, 'object' | 'sealedText'>): StoredLinkState {
  const { spec, status }: KubeObject = document.object
  const { clusterRef } = isJsonObject(spec) ? spec : {}
  const { namespace, virtualCluster } = isJsonObject(clusterRef) ? clusterRef : {}
  const { serviceUid, online, link, lastHeartbeat } = isJsonObject(status) ? status : {}
  const { replica, process } = isJsonObject(link) ? link : {}
  return {
    serviceUid: textOf(serviceUid),
    place: { namespace: textOf(namespace), virtualCluster: textOf(virtualCluster) },
    identity: sealedIdentityOf(document),
    isOnline: online === true,
    replica: textOf(replica),
    process: textOf(process),
    lastHeartbeat: textOf(lastHeartbeat),
  }
}

/** Whether a virtual cluster has ever registered as it. */
export function isRegistered({ serviceUid, identity }: StoredLinkState): boolean {
  return serviceUid !== '' || identity.proof !== undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
