import type { KubeObject } from '../api/object.ts'
import type { ResourceContext } from '../registry/context.ts'
import { ensureObject } from '../registry/controllers/ensure.ts'
import type { ObjectRegistry } from '../registry/registry.ts'
import { platformRequest } from './platform-user.ts'

const rbacGroup = 'rbac.authorization.k8s.io'
export const ownKeysRole = 'platform:own-keys'

const ownKeyQuestions = [
  ...['rotate', 'explain', 'usage', 'audit', 'holders'].map((each) => `ownedaccesskeys/${each}`),
  'selves',
]

/** What lets everybody who is known manage own keys. */
function ownKeys(managementGroup: string): KubeObject {
  const apiGroups = [managementGroup]
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'ClusterRole',
    metadata: { name: ownKeysRole },
    rules: [
      {
        apiGroups,
        resources: ['ownedaccesskeys'],
        verbs: ['create', 'get', 'list', 'watch', 'update', 'patch', 'delete', 'deletecollection'],
      },
      { apiGroups, resources: ownKeyQuestions, verbs: ['create'] },
    ],
  }
}

const ownKeysBinding: KubeObject = {
  apiVersion: `${rbacGroup}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name: ownKeysRole },
  roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: ownKeysRole },
  subjects: [{ apiGroup: rbacGroup, kind: 'Group', name: 'system:authenticated' }],
}

function administrator(managementGroup: string): KubeObject {
  return {
    apiVersion: `${managementGroup}/v1`,
    kind: 'User',
    metadata: { name: 'admin' },
    spec: { displayName: 'Administrator', username: 'admin', groups: ['system:masters'] },
  }
}

/**
 * What a new platform starts with. The binding is made only together with its role: an administrator who takes it away
 * does so for good.
 */
export async function ensurePlatformObjects(registry: ObjectRegistry, managementGroup: string): Promise<void> {
  const request = platformRequest('platform-bootstrap', new AbortController().signal)
  const roles = required(registry, rbacGroup, 'ClusterRole')
  await ensureObject(required(registry, managementGroup, 'User'), administrator(managementGroup), request)
  if (roles.cache.get({ namespace: '', name: ownKeysRole }) !== undefined) return
  await ensureObject(required(registry, rbacGroup, 'ClusterRoleBinding'), ownKeysBinding, request)
  await ensureObject(roles, ownKeys(managementGroup), request)
}

export function required(registry: ObjectRegistry, group: string, kind: string): ResourceContext {
  const context = registry.engine.find(group, kind)
  if (context === undefined) throw new Error(`The platform needs the kind ${kind}, which is not among those served.`)
  return context
}
