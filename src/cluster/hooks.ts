import { forbidden } from '../api/error.ts'
import type { Kind } from '../api/kind.ts'
import type { RbacIndex } from '../auth/rbac/rbac-index.ts'
import { followedAddressHooks } from '../registry/allocation/followed-addresses.ts'
import type { ServiceAllocator } from '../registry/allocation/service-allocator.ts'
import type { Hooks } from '../registry/context.ts'
import { escalationHooks } from './rbac/escalation-hooks.ts'
import { rbacGroup } from './rbac/rbac-kinds.ts'

interface HookParts {
  readonly rbac: RbacIndex
  readonly allocator: ServiceAllocator
  /** The user who fills in the addresses of Services, where they are another cluster's. */
  readonly addressesFilledInBy?: string | undefined
}

const protectedNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public'])

/** Which kinds need more than their strategy. */
export function hooksFor(kind: Kind, { rbac, allocator, addressesFilledInBy }: HookParts): Hooks {
  if (kind.group === rbacGroup) return escalationHooks(rbac)
  if (kind.group === '' && kind.kind === 'Service') {
    return addressesFilledInBy === undefined
      ? allocator.hooks()
      : followedAddressHooks(addressesFilledInBy, allocator.hooks())
  }
  if (kind.group === '' && kind.kind === 'Namespace') return namespaceHooks(kind)
  return {}
}

function namespaceHooks(kind: Kind): Hooks {
  return {
    admitDelete: ({ metadata }) => {
      if (!protectedNamespaces.has(metadata.name ?? '')) return
      throw forbidden(kind, metadata.name ?? '', 'this namespace may not be deleted')
    },
  }
}
