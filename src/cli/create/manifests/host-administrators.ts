import type { Manifest } from '../../host/manifest.ts'

/** Kinds that the administrator of a namespace may not write, by the roles that Kubernetes comes with. */
const kinds: ReadonlySet<string> = new Set([
  'ClusterRole',
  'ClusterRoleBinding',
  'Namespace',
  'ResourceQuota',
  'LimitRange',
])

/** Whether it takes an administrator of the host to make and remove an object of this kind. */
export function isForHostAdministrators({ kind }: Pick<Manifest, 'kind'>): boolean {
  return kinds.has(kind)
}
