import type { Kind } from '../../api/kind.ts'
import type { KubeObject, ObjectMeta } from '../../api/object.ts'

/** Kinds that Kubernetes does not store under their plural name. */
const folders: Readonly<Record<string, string>> = {
  'endpoints.': 'services/endpoints',
  'nodes.': 'minions',
  'replicationcontrollers.': 'controllers',
  'services.': 'services/specs',
  'ingresses.networking.k8s.io': 'ingress',
}

/** Groups of separate servers within kube-apiserver. As with custom kinds, the group is part of the key. */
const groupedGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io'])

export type StoredKind = Pick<Kind, 'group' | 'plural' | 'flavor'>

/** The wording of Kubernetes' store, which includes its own key; a dry run does not reach what adds its beginning. */
export function uidMismatch(kind: StoredKind, { metadata }: KubeObject, uid: string, dryRun = false): string {
  return failedPrecondition(kind, metadata, { what: 'UID', wanted: uid, found: metadata.uid, dryRun })
}

export function versionMismatch(kind: StoredKind, { metadata }: KubeObject, version: string, dryRun: boolean): string {
  const found = metadata.resourceVersion
  return failedPrecondition(kind, metadata, { what: 'ResourceVersion', wanted: version, found, dryRun })
}

interface Precondition {
  readonly what: string
  readonly wanted: string
  readonly found: string | undefined
  readonly dryRun: boolean
}

function failedPrecondition(
  kind: StoredKind,
  { namespace, name = '' }: ObjectMeta,
  { what, wanted, found = '', dryRun }: Precondition,
): string {
  const key = [dryRun ? '' : '/registry', folderOf(kind), ...(namespace === undefined ? [] : [namespace]), name].join(
    '/',
  )
  const reason = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${reason}`
}

function folderOf({ group, plural, flavor }: StoredKind): string {
  if (flavor === 'custom' || groupedGroups.has(group)) return `${group}/${plural}`
  return folders[`${plural}.${group}`] ?? plural
}
