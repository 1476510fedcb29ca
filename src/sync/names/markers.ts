import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { markerPrefix } from '../../patches/path/reserved.ts'
import type { TextMap } from '../contract.ts'
import { nameOf, sameName, type TenantPlace } from './names.ts'

export const managedBy = `${markerPrefix}managed-by`
export const lastSyncAnnotation = `${markerPrefix}last-sync`
/** On Services of a virtual cluster with its own addresses: the address on the host. */
export const hostClusterIP = `${markerPrefix}host-cluster-ip`
/** On claims that name no class: the class that the host chose. */
export const hostStorageClass = `${markerPrefix}host-storage-class`

/** The namespace in the virtual cluster. Pods also have it as a label. */
export const objectNamespace = `${markerPrefix}object-namespace`
/** The namespace of the host that the tenant itself runs in. */
export const tenantNamespace = `${markerPrefix}tenant-namespace`

/**
 * On objects that `tenant create` and `tenant platform install` create: the namespace of the process they belong to.
 */
export const processNamespace = `${markerPrefix}host-namespace`

/** On companions: their purpose. */
export const companionLabel = `${markerPrefix}companion`

/** On virtual Pods: the node of the host that the copy ran on. */
export const ranOn = `${markerPrefix}ran-on`

/** A finalizer of virtual objects that exist as long as their copies. */
export const copyProtection = `${markerPrefix}copy-protection`

const marks = {
  name: `${markerPrefix}object-name`,
  namespace: objectNamespace,
  uid: `${markerPrefix}object-uid`,
  kind: `${markerPrefix}object-kind`,
  hostName: `${markerPrefix}host-name`,
  tenantNamespace,
} as const

/** Identifies copies of one kind that belong to one tenant. */
export interface CopyOwner {
  readonly identity: TenantPlace
  /** The kind independent of its version, such as `Endpoints` or `certificates.cert-manager.io`. */
  readonly kindMark: string
}

export function kindMarkOf(type: { readonly group: string; readonly resource: string; readonly kind: string }): string {
  return type.group === '' ? type.kind : `${type.resource}.${type.group}`
}

export function isMarker(key: string): boolean {
  return key.startsWith(markerPrefix)
}

/** Selects every object that may be a copy. Other marks distinguish two tenants of the same name. */
export function copySelector(place: TenantPlace): string {
  return `${ownSelector(place)},!${companionLabel}`
}

/** Selects companions. */
export function anyCompanionSelector(place: TenantPlace): string {
  return `${ownSelector(place)},${companionLabel}`
}

/** Selects copies and companions. */
export function ownSelector({ tenant }: TenantPlace): string {
  return `${managedBy}=${tenant}`
}

/** Whether an object has the marks of a tenant under its own name, whatever its kind. */
export function isCopyOf({ metadata }: KubeObject, { tenant, hostNamespace }: TenantPlace): boolean {
  const { name, labels = {}, annotations = {} } = metadata
  return (
    labels[managedBy] === tenant &&
    annotations[marks.tenantNamespace] === hostNamespace &&
    annotations[marks.hostName] === name
  )
}

/** Both are needed to select the copies of a tenant, because tenants in other namespaces may have the same name. */
export function markLabels({ identity }: Pick<CopyOwner, 'identity'>): TextMap {
  return { [managedBy]: identity.tenant, [marks.tenantNamespace]: identity.hostNamespace }
}

export function markAnnotations({ identity, kindMark }: CopyOwner, virtual: KubeObject, host: ObjectName): TextMap {
  const { namespace, name } = nameOf(virtual)
  return {
    [marks.name]: name,
    ...(namespace !== '' && { [marks.namespace]: namespace }),
    [marks.uid]: virtual.metadata.uid ?? '',
    [marks.kind]: kindMark,
    [marks.hostName]: host.name,
    [marks.tenantNamespace]: identity.hostNamespace,
  }
}

/**
 * The virtual object that this is the copy of. Undefined unless every mark agrees and the object's place on the host is
 * exactly here: marks can be copied with an object, forged or removed.
 */
export function virtualNameOf(
  object: KubeObject,
  { identity, kindMark }: CopyOwner,
  hostOf: (virtual: ObjectName) => ObjectName | undefined,
): ObjectName | undefined {
  const { labels = {}, annotations = {} } = object.metadata
  const name = annotations[marks.name]
  const isMarked =
    labels[managedBy] === identity.tenant &&
    annotations[marks.tenantNamespace] === identity.hostNamespace &&
    annotations[marks.kind] === kindMark &&
    annotations[marks.hostName] === object.metadata.name &&
    Boolean(annotations[marks.uid])
  if (!isMarked || !name) return undefined
  const virtual = { namespace: annotations[marks.namespace] ?? '', name }
  const place = hostOf(virtual)
  return place !== undefined && sameName(place, nameOf(object)) ? virtual : undefined
}

/** The uid of the virtual object that the copy was made from. */
export function copiedUid({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[marks.uid]
}

/** The name of that object, according to the marks. */
export function copiedName({ metadata }: KubeObject): ObjectName {
  const { annotations = {} } = metadata
  return { namespace: annotations[marks.namespace] ?? '', name: annotations[marks.name] ?? '' }
}
