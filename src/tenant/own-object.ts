import { isRefusal } from '../api/error.ts'
import type { KubeObject } from '../api/object.ts'
import { namespaceType, serviceType } from '../client/builtin-types.ts'
import type { KubeClient, ObjectKey, ResourceType } from '../client/contract.ts'
import type { TenantPlace } from '../sync/names/names.ts'

/** The object that represents a tenant on its host, for Events and for the platform to recognize it. */
export interface OwnObject {
  readonly object: KubeObject
  /** Stable for the life of the virtual cluster. */
  readonly uid: string
}

/** The tenant's Service; if it has none, its name in its namespace. */
export async function findOwnObject(
  host: Pick<KubeClient, 'get'>,
  { tenant, hostNamespace }: TenantPlace,
  signal?: AbortSignal,
): Promise<OwnObject> {
  const service = await found(host, serviceType, { namespace: hostNamespace, name: tenant }, signal)
  if (service !== undefined) return { object: service, uid: uidOf(service) }
  const namespace = await found(host, namespaceType, { namespace: '', name: hostNamespace }, signal)
  if (namespace !== undefined) return { object: namespace, uid: `${uidOf(namespace)}.${tenant}` }
  throw new Error(`the host has no namespace ${hostNamespace}, which this tenant needs`)
}

async function found(
  host: Pick<KubeClient, 'get'>,
  type: ResourceType,
  key: ObjectKey,
  signal: AbortSignal | undefined,
): Promise<KubeObject | undefined> {
  try {
    return await host.get(type, key, signal)
  } catch (error) {
    if (isRefusal(error, 404, 403)) return undefined
    throw error
  }
}

function uidOf({ kind, metadata }: KubeObject): string {
  if (metadata.uid !== undefined) return metadata.uid
  throw new Error(`The host shows a ${kind} without uid.`)
}
