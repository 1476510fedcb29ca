import { bootstrapPolicy } from '../../auth/rbac/bootstrap.ts'
import { ensureObject } from '../../registry/controllers/ensure.ts'
import { systemRequest } from '../../registry/controllers/system-request.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import { rbacGroup } from './rbac-kinds.ts'

/**
 * The roles and bindings that every cluster starts with; what an administrator has changed is left as it is. All
 * at once, so that they share their commits.
 */
export async function ensureBootstrapPolicy(registry: ObjectRegistry): Promise<void> {
  const request = systemRequest('rbac-bootstrap', new AbortController().signal)
  await Promise.all(
    bootstrapPolicy().map(async (object) => {
      const context = registry.engine.find(rbacGroup, object.kind)
      if (context !== undefined) await ensureObject(context, object, request)
    }),
  )
}
