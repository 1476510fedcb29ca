import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { markerPrefix } from '../../patches/path/reserved.ts'

export type VirtualIdentity =
  | { readonly ok: true; readonly tenant: string; readonly kind: string; readonly virtual: ObjectName }
  | { readonly ok: false; readonly message: string }

/**
 * The tenant and the virtual object of an object, by the marks of synced objects. Marks that were copied with an object
 * do not count.
 */
export function virtualIdentityOf(object: KubeObject): VirtualIdentity {
  const shown = `${object.kind} ${object.metadata.name}`
  const name = markOf(object, 'object-name')
  const tenant = markOf(object, 'managed-by')
  if (name === undefined || tenant === undefined) {
    const missing = `${markerPrefix}${name === undefined ? 'object-name' : 'managed-by'}`
    return { ok: false, message: `${shown} is not an object of a tenant: it has no ${missing}` }
  }
  const meant = markOf(object, 'host-name')
  if (meant !== undefined && meant !== object.metadata.name) {
    return { ok: false, message: `${shown} is not an object of a tenant: its marks were copied from ${meant}` }
  }
  const virtual = { namespace: markOf(object, 'object-namespace') ?? '', name }
  return { ok: true, tenant, kind: markOf(object, 'object-kind') ?? object.kind, virtual }
}

function markOf({ metadata }: KubeObject, mark: string): string | undefined {
  const key = `${markerPrefix}${mark}`
  return metadata.annotations?.[key] ?? metadata.labels?.[key]
}
