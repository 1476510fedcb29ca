import type { KubeObject } from '../../api/object.ts'
import type { ResourceRule } from '../contract.ts'
import { allowing, allowingNamed, reading, tellingEvents } from './allowing.ts'
import { type BootstrapRole, bootstrapRoles } from './bootstrap-roles.ts'
import { autoUpdate } from './bootstrap-update.ts'
import { componentRoles } from './component-roles.ts'
import { controllerNames, controllerRoleName, controllerRoles } from './controller-roles.ts'

const apiVersion = 'rbac.authorization.k8s.io/v1'

/** For each ClusterRole, the groups that have it. */
const groupsOfRole: readonly (readonly [role: string, groups: readonly string[]])[] = [
  ['cluster-admin', ['system:masters']],
  ['system:basic-user', ['system:authenticated']],
  ['system:public-info-viewer', ['system:authenticated', 'system:unauthenticated']],
  ['system:discovery', ['system:authenticated']],
]

type SubjectKind = 'Group' | 'User'

/**
 * The components with their own roles. No subject has the role of a node, because a node's rights depend on which node
 * it is.
 */
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

/** The roles and bindings of a new cluster. Server-owned metadata is added when they are stored. */
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

/** The additional roles of a cluster that runs workloads: those of controllers, schedulers and nodes. */
export function componentPolicy(): readonly KubeObject[] {
  return [
    ...[...componentRoles, ...controllerRoles].map(clusterRole),
    ...subjectsOfComponent.map(([role, subjects]) => clusterRoleBinding(role, subjects)),
    ...controllerNames.map((name) => clusterRoleBinding(controllerRoleName(name), [account(name)])),
  ]
}

/** Their rights in a single namespace: reading the authentication configuration, holding leases and keeping tokens. */
export function systemNamespacePolicy(): readonly KubeObject[] {
  const reader = 'extension-apiserver-authentication-reader'
  const users = leaders.map(({ name }) => subject('User', `system:${name}`))
  return [
    role(system, reader, [allowingNamed('extension-apiserver-authentication', reading, 'core', 'configmaps')]),
    roleBinding(system, `system::${reader}`, reader, users),
    ...leaders.flatMap(leaderPolicy),
    ...namespacedControllers.flatMap(({ namespace, name, rules }) => [
      role(namespace, controllerRoleName(name), rules),
      roleBinding(namespace, controllerRoleName(name), controllerRoleName(name), [account(name)]),
    ]),
  ]
}

const system = 'kube-system'

const leaders = [
  { name: 'kube-controller-manager', accounts: ['kube-controller-manager', 'leader-election-controller'] },
  { name: 'kube-scheduler', accounts: ['kube-scheduler'] },
]

const namespacedControllers = [
  { namespace: system, name: 'bootstrap-signer', rules: [allowing(reading, 'core', 'secrets')] },
  {
    namespace: 'kube-public',
    name: 'bootstrap-signer',
    rules: [
      allowing(reading, 'core', 'configmaps'),
      allowingNamed('cluster-info', 'update', 'core', 'configmaps'),
      tellingEvents,
    ],
  },
  { namespace: system, name: 'cloud-provider', rules: [allowing('create get list watch', 'core', 'configmaps')] },
  {
    namespace: system,
    name: 'token-cleaner',
    rules: [allowing('delete get list watch', 'core', 'secrets'), tellingEvents],
  },
]

function leaderPolicy({ name, accounts }: (typeof leaders)[number]): readonly KubeObject[] {
  const locking = `system::leader-locking-${name}`
  const rules = [
    allowing('watch', 'core', 'configmaps'),
    allowingNamed(name, 'get update', 'core', 'configmaps'),
    allowing('create get list update watch', 'coordination.k8s.io', 'leases'),
    allowing('create get list update watch', 'coordination.k8s.io', 'leasecandidates'),
  ]
  const subjects = [subject('User', `system:${name}`), ...accounts.map(account)]
  return [role(system, locking, rules), roleBinding(system, locking, locking, subjects)]
}

function role(namespace: string, name: string, rules: readonly ResourceRule[]): KubeObject {
  return { apiVersion, kind: 'Role', metadata: { ...bootstrapMetadata(name, {}), namespace }, rules }
}

function roleBinding(namespace: string, name: string, to: string, subjects: readonly Subject[]): KubeObject {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: to }
  return { apiVersion, kind: 'RoleBinding', metadata: { ...bootstrapMetadata(name, {}), namespace }, roleRef, subjects }
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
