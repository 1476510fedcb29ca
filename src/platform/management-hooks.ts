import type { Kind } from '../api/kind.ts'
import type { Hooks, ResourceContext } from '../registry/context.ts'
import { accessKeyHooks } from './access-keys/admission/hooks.ts'
import type { KeyParts } from './access-keys/parts.ts'
import { ownerHooks } from './owners/hooks.ts'
import { grantingKinds } from './projects/access-grants.ts'
import { grantingHooks } from './projects/granting-hooks.ts'
import { withPlacing } from './proxy/placing-hooks.ts'
import type { Quotas } from './quotas/quotas.ts'
import { withOnePlace } from './virtual-clusters/one-place.ts'
import { withOwnStatus } from './virtual-clusters/own-status.ts'

/** What the platform adds to its own kinds. Undefined for those of others. */
export function managementHooks(
  kind: Kind,
  parts: KeyParts,
  quotas: Quotas,
  contextOf: (kind: string) => ResourceContext,
): Hooks | undefined {
  if (kind.group !== parts.environment.managementGroup) return undefined
  const hooks = ownHooks(kind, parts, contextOf)
  return hooks && quotas.limiting(kind, hooks)
}

function ownHooks(kind: Kind, parts: KeyParts, contextOf: (kind: string) => ResourceContext): Hooks | undefined {
  if (kind.kind === 'OwnedAccessKey') return accessKeyHooks(parts)
  if (grantingKinds.some((name) => name === kind.kind)) {
    const hooks = withOnePlace(kind, withPlacing(kind, grantingHooks(kind)), () => contextOf(kind.kind))
    return withOwnStatus(kind, hooks)
  }
  return ownerHooks(kind, parts.directory)
}
