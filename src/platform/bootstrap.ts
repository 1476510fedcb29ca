import { rbacGroup } from '../api/core/rbac/role.ts'
import { defaultProject } from '../api/management/default-project.ts'
import type { KubeObject } from '../api/object.ts'
import type { ResourceContext } from '../registry/context.ts'
import type { WriteRequest } from '../registry/contract.ts'
import { ensureObject } from '../registry/controllers/ensure.ts'
import type { ObjectRegistry } from '../registry/registry.ts'
import { platformRequest } from './platform-user.ts'

export const administratorName = 'admin'
const ownKeysRole = 'platform:own-keys'
const tryOutRole = 'platform:try-out'
const signInRole = 'platform:sign-in-to-applications'

const ownKeyQuestions = [
  ...['rotate', 'explain', 'advise', 'usage', 'audit', 'holders'].map((each) => `ownedaccesskeys/${each}`),
  'selves',
  'connectionkeys',
]

/** Lets every authenticated user manage their own keys. */
function ownKeys(managementGroup: string): KubeObject {
  const apiGroups = [managementGroup]
  return role(ownKeysRole, [
    {
      apiGroups,
      resources: ['ownedaccesskeys'],
      verbs: ['create', 'get', 'list', 'watch', 'update', 'patch', 'delete', 'deletecollection'],
    },
    { apiGroups, resources: ownKeyQuestions, verbs: ['create'] },
  ])
}

/** Lets every authenticated user try out patches and configurations, which changes nothing. */
function tryOut(managementGroup: string): KubeObject {
  const resources = ['patchevaluations', 'tenantconfigreviews']
  return role(tryOutRole, [{ apiGroups: [managementGroup], resources, verbs: ['create'] }])
}

/** Lets every user sign in to applications, as far as these let them. */
function signIn(managementGroup: string): KubeObject {
  return role(signInRole, [{ apiGroups: [managementGroup], resources: ['clientauthorizations'], verbs: ['create'] }])
}

function role(name: string, rules: readonly object[]): KubeObject {
  return { apiVersion: `${rbacGroup}/v1`, kind: 'ClusterRole', metadata: { name }, rules }
}

function bindingOf({ metadata: { name = '' } }: KubeObject): KubeObject {
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name },
    subjects: [{ apiGroup: rbacGroup, kind: 'Group', name: 'system:authenticated' }],
  }
}

/** The User of the first administrator. */
export function administrator(managementGroup: string): KubeObject {
  return {
    apiVersion: `${managementGroup}/v1`,
    kind: 'User',
    metadata: { name: administratorName },
    spec: { displayName: 'Administrator', username: administratorName, groups: ['system:masters'] },
  }
}

/** The project used by commands and Secrets that name none. */
function firstProject(managementGroup: string): KubeObject {
  return {
    apiVersion: `${managementGroup}/v1`,
    kind: 'Project',
    metadata: { name: defaultProject },
    spec: { displayName: 'Default' },
  }
}

/**
 * Creates the first project if no project exists. If an operator made others and deleted this one, it is not created
 * again.
 */
async function ensureFirstProject(registry: ObjectRegistry, group: string, request: WriteRequest): Promise<void> {
  const projects = required(registry, group, 'Project')
  if (projects.cache.current().size > 0) return
  await ensureObject(projects, firstProject(group), request)
}

/**
 * Creates the initial objects of a platform. The binding is created only together with its role, so an administrator
 * who deletes the binding removes it for good.
 */
export async function ensurePlatformObjects(registry: ObjectRegistry, managementGroup: string): Promise<void> {
  const request = platformRequest('platform-bootstrap', new AbortController().signal)
  await ensureObject(required(registry, managementGroup, 'User'), administrator(managementGroup), request)
  await ensureFirstProject(registry, managementGroup, request)
  const roles = required(registry, rbacGroup, 'ClusterRole')
  for (const each of [ownKeys(managementGroup), tryOut(managementGroup), signIn(managementGroup)]) {
    if (roles.cache.get({ namespace: '', name: each.metadata.name ?? '' }) !== undefined) continue
    await ensureObject(required(registry, rbacGroup, 'ClusterRoleBinding'), bindingOf(each), request)
    await ensureObject(roles, each, request)
  }
}

export function required(registry: ObjectRegistry, group: string, kind: string): ResourceContext {
  const context = registry.engine.find(group, kind)
  if (context === undefined) throw new Error(`The platform needs the kind ${kind}, which is not among those served.`)
  return context
}
