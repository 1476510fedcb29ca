import type { KubeObject } from '../../api/object.ts'
import { type BootstrapRole, bootstrapRoles } from './bootstrap-roles.ts'
import { autoUpdate } from './bootstrap-update.ts'

const apiVersion = 'rbac.authorization.k8s.io/v1'

/** For each ClusterRole, the groups whose members have it. */
const groupsOfRole: readonly (readonly [role: string, groups: readonly string[]])[] = [
  ['cluster-admin', ['system:masters']],
  ['system:basic-user', ['system:authenticated']],
  ['system:public-info-viewer', ['system:authenticated', 'system:unauthenticated']],
  ['system:discovery', ['system:authenticated']],
]

/** The roles and bindings that a new cluster starts with. Server-owned metadata is added when they are stored. */
export function bootstrapPolicy(): readonly KubeObject[] {
  return [...bootstrapRoles.map(clusterRole), ...groupsOfRole.map(([role, groups]) => clusterRoleBinding(role, groups))]
}

function clusterRole({ name, labels = {}, rules, aggregates }: BootstrapRole): KubeObject {
  return {
    apiVersion,
    kind: 'ClusterRole',
    metadata: bootstrapMetadata(name, labels),
    ...(aggregates === undefined ? {} : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregates }] } }),
    ...(rules === undefined ? {} : { rules }),
  }
}

function clusterRoleBinding(role: string, groups: readonly string[]): KubeObject {
  const apiGroup = 'rbac.authorization.k8s.io'
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: bootstrapMetadata(role, {}),
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: groups.map((name) => ({ apiGroup, kind: 'Group', name })),
  }
}

function bootstrapMetadata(name: string, labels: Readonly<Record<string, string>>): KubeObject['metadata'] {
  return {
    name,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { [autoUpdate]: 'true' },
  }
}
