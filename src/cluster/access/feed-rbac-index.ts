import { rbacGroup } from '../../api/core/rbac/role.ts'
import type { RbacIndex, RbacKind } from '../../auth/rbac/rbac-index.ts'
import { Pace } from '../../base/pace.ts'
import type { Cache } from '../../registry/cache.ts'
import type { StoredDocument } from '../../registry/document.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import type { ChangeEvent } from '../../registry/watch/event.ts'

/**
 * Keeps the index in step with the stored roles and bindings; a change takes effect when it is acknowledged. Resolves
 * when the existing ones are loaded: they may be hundreds of megabytes, so loading yields to other work of the process.
 */
export async function feedRbacIndex(index: RbacIndex, registry: ObjectRegistry): Promise<void> {
  const pace = new Pace()
  for (const kind of rbacKinds) {
    const context = registry.engine.find(rbacGroup, kind)
    if (context === undefined) continue
    const { cache } = context
    cache.listen((events) => {
      for (const event of events) record(index, kind, event, cache)
    })
    for (const known of [...cache.current().values()]) {
      const document = cache.get(known)
      if (document !== undefined) put(index, kind, document, cache)
      await pace.step()
    }
  }
}

function record(index: RbacIndex, kind: RbacKind, { type, document }: ChangeEvent, cache: Cache): void {
  if (type === 'DELETED') index.remove(kind, document.namespace, document.name)
  else put(index, kind, document, cache)
}

/** An object that cannot be read grants nothing, including what it granted before. */
function put(index: RbacIndex, kind: RbacKind, document: StoredDocument, cache: Cache): void {
  cache.attempt(
    document,
    () => index.upsert(kind, document.object),
    () => index.remove(kind, document.namespace, document.name),
  )
}

const rbacKinds: readonly RbacKind[] = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding']
