import type { KubeObject } from '../../api/object.ts'
import type { ResourceRule } from '../contract.ts'
import { allowing, allowingNamed, reading } from './allowing.ts'
import { type BootstrapRole, bootstrapRoles } from './bootstrap-roles.ts'
import { autoUpdate } from './bootstrap-update.ts'
import { componentRoles } from './component-roles.ts'
import { controllerNames, controllerRoleName, controllerRoles } from './controller-roles.ts'

const apiVersion = 'rbac.authorization.k8s.io/v1'

/** For each ClusterRole, the groups whose members have it. */
const groupsOfRole: readonly (readonly [role: string, groups: readonly string[]])[] = [
  ['cluster-admin', ['system:masters']],
  ['system:basic-user', ['system:authenticated']],
  ['system:public-info-viewer', ['system:authenticated', 'system:unauthenticated']],
  ['system:discovery', ['system:authenticated']],
]

type SubjectKind = 'Group' | 'User'

/** The programs that have a role of their own. No subject has that of a node: what a node may do depends on which node it is. */
const subjectsOfComponent: readonly (readonly [role: string, subjects: readonly Subject[]])[] = [
  ['system:kube-controller-manager', [subject('User', 'system:kube-controller-manager')]],
  ['system:kube-dns', [account('kube-dns')]],
  ['system:kube-scheduler', [subject('User', 'system:kube-scheduler')]],
  ['system:monitoring', [subject('Group', 'system:monitoring')]],
  ['system:node', []],
  ['system:node-proxier', [subject('User', 'system:kube-proxy')]],
  ['system:service-account-issuer-discovery', [subject('Group', 'system:serviceaccounts')]],
  ['system:volume-scheduler', [subject('User', 'system:kube-scheduler')]],
]

type Subject = Readonly<Record<string, string>>

/** The roles and bindings that a new cluster starts with. Server-owned metadata is added when they are stored. */
export function bootstrapPolicy(): readonly KubeObject[] {
  return [
    ...bootstrapRoles.map(clusterRole),
    ...groupsOfRole.map(([role, groups]) =>
      clusterRoleBinding(
        role,
        groups.map((name) => subject('Group', name)),
      ),
    ),
  ]
}

/** What a cluster that runs workloads has besides: the roles of controllers, schedulers and nodes. */
export function componentPolicy(): readonly KubeObject[] {
  return [
    ...[...componentRoles, ...controllerRoles].map(clusterRole),
    ...subjectsOfComponent.map(([role, subjects]) => clusterRoleBinding(role, subjects)),
    ...controllerNames.map((name) => clusterRoleBinding(controllerRoleName(name), [account(name)])),
  ]
}

/** What they may do in kube-system alone: read how callers prove who they are, and hold their leases. */
export function systemNamespacePolicy(): readonly KubeObject[] {
  const reader = 'extension-apiserver-authentication-reader'
  const components = ['kube-controller-manager', 'kube-scheduler']
  const leaders = components.map((name) => ({ name, role: `system::leader-locking-${name}` }))
  const users = components.map((name) => subject('User', `system:${name}`))
  return [
    systemRole(reader, [allowingNamed('extension-apiserver-authentication', reading, 'core', 'configmaps')]),
    systemRoleBinding(`system::${reader}`, reader, users),
    ...leaders.map(({ name, role }) =>
      systemRole(role, [
        allowing('watch', 'core', 'configmaps'),
        allowingNamed(name, 'get update', 'core', 'configmaps'),
      ]),
    ),
    ...leaders.map(({ name, role }) =>
      systemRoleBinding(role, role, [subject('User', `system:${name}`), account(name)]),
    ),
  ]
}

function systemRole(name: string, rules: readonly ResourceRule[]): KubeObject {
  return { apiVersion, kind: 'Role', metadata: systemMetadata(name), rules }
}

function systemRoleBinding(name: string, role: string, subjects: readonly Subject[]): KubeObject {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role }
  return { apiVersion, kind: 'RoleBinding', metadata: systemMetadata(name), roleRef, subjects }
}

function systemMetadata(name: string): KubeObject['metadata'] {
  return { ...bootstrapMetadata(name, {}), namespace: 'kube-system' }
}

function subject(kind: SubjectKind, name: string): Subject {
  return { apiGroup: 'rbac.authorization.k8s.io', kind, name }
}

function account(name: string): Subject {
  return { kind: 'ServiceAccount', name, namespace: 'kube-system' }
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

function clusterRoleBinding(role: string, subjects: readonly Subject[]): KubeObject {
  const apiGroup = 'rbac.authorization.k8s.io'
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: bootstrapMetadata(role, {}),
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    ...(subjects.length === 0 ? {} : { subjects }),
  }
}

function bootstrapMetadata(name: string, labels: Readonly<Record<string, string>>): KubeObject['metadata'] {
  return {
    name,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { [autoUpdate]: 'true' },
  }
}
