import type { Manifest } from '../../host/manifest.ts'

/** Kinds that the administrator of a namespace may not write, by the default roles of Kubernetes. */
const kinds: ReadonlySet<string> = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'Namespace',
  'ResourceQuota',
  'LimitRange',
])

/** Whether only an administrator of the host may create and delete objects of this kind. */
export function isForHostAdministrators({ kind }: Pick<Manifest, 'kind'>): boolean {
  return kinds.has(kind)
}
