import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'

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
  const { namespace, name = '' } = metadata
  const key = [dryRun ? '' : '/registry', folderOf(kind), ...(namespace === undefined ? [] : [namespace]), name].join(
    '/',
  )
  const reason = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid ?? ''}`
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${reason}`
}

function folderOf({ group, plural, flavor }: StoredKind): string {
  if (flavor === 'custom' || groupedGroups.has(group)) return `${group}/${plural}`
  return folders[`${plural}.${group}`] ?? plural
}
