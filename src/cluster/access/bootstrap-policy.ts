import { rbacGroup } from '../../api/core/rbac/role.ts'
import { bootstrapPolicy, componentPolicy } from '../../auth/rbac/bootstrap.ts'
import { bootstrapUpdate } from '../../auth/rbac/bootstrap-update.ts'
import { ensureObject } from '../../registry/controllers/ensure.ts'
import { serverRequest } from '../../registry/controllers/system-request.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import { editObject } from '../../registry/verbs/edit.ts'

/** The binding that every cluster has once it was set up. */
export const administrators = 'cluster-admin'

export function hasClusterRoleBinding({ engine }: ObjectRegistry, name: string): boolean {
  return engine.find(rbacGroup, 'ClusterRoleBinding')?.cache.get({ namespace: '', name }) !== undefined
}

/**
 * Creates the roles and bindings of every cluster. Existing ones get what they lack, because a store may be older than
 * the served kinds. All at once, so that they share commits.
 */
export async function ensureBootstrapPolicy(registry: ObjectRegistry): Promise<void> {
  const request = serverRequest('rbac-bootstrap', new AbortController().signal)
  const runsWorkloads = registry.engine.find('apps', 'Deployment') !== undefined
  await Promise.all(
    [...bootstrapPolicy(), ...(runsWorkloads ? componentPolicy() : [])].map(async (object) => {
      const context = registry.engine.find(rbacGroup, object.kind)
      if (context === undefined) return
      const id = { namespace: '', name: object.metadata.name ?? '' }
      const isThere = await editObject(context, id, (stored) => bootstrapUpdate(stored, object), request)
      if (!isThere) await ensureObject(context, object, request)
    }),
  )
}
