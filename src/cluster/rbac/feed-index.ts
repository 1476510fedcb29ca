import { rbacGroup } from '../../api/core/role.ts'
import type { RbacIndex, RbacKind } from '../../auth/rbac/rbac-index.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import type { ChangeEvent } from '../../registry/watch/event.ts'
import { rbacKinds } from './rbac-kinds.ts'

/** Keeps the index in step with the stored roles and bindings; a change counts from the moment it is acknowledged. */
export function feedRbacIndex(index: RbacIndex, registry: ObjectRegistry): void {
  for (const kind of rbacKinds) {
    const context = registry.engine.find(rbacGroup, kind)
    context?.cache.listen((events) => {
      for (const event of events) record(index, kind, event)
    })
    for (const document of context?.cache.current().values() ?? []) index.upsert(kind, document.object)
  }
}

function record(index: RbacIndex, kind: RbacKind, { type, document }: ChangeEvent): void {
  if (type === 'DELETED') index.remove(kind, document.namespace, document.name)
  else index.upsert(kind, document.object)
}
