import type { Kind } from '../api/kind.ts'
import type { Hooks } from '../registry/context.ts'
import { accessKeyHooks } from './access-keys/admission/hooks.ts'
import type { KeyParts } from './access-keys/parts.ts'
import { ownerHooks } from './owners/hooks.ts'
import { grantingKinds } from './projects/access-grants.ts'
import { grantingHooks } from './projects/granting-hooks.ts'
import { withPlacing } from './proxy/placing-hooks.ts'

/** What the platform adds to its own kinds. Undefined for those of others. */
export function managementHooks(kind: Kind, parts: KeyParts): Hooks | undefined {
  if (kind.group !== parts.environment.managementGroup) return undefined
  if (kind.kind === 'OwnedAccessKey') return accessKeyHooks(parts)
  if (grantingKinds.some((name) => name === kind.kind)) return withPlacing(kind, grantingHooks(kind))
  return ownerHooks(kind, parts.directory)
}
