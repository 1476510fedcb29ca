import type { ResourceAttributes } from '../../api/access.ts'
import { forbidden, refusedBy } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { KeyIndex } from '../../auth/keys/contract.ts'
import type { Hooks } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import { isByMachine } from '../by-machine.ts'
import { requiringRights } from '../required-rights.ts'
import { asAnyone, requireAll } from '../rights.ts'
import { connectorGains, oidcClientGains } from './connector-gains.ts'
import type { Directory } from './directory.ts'
import { withOwnSignOn } from './own-sign-on.ts'
import { withRuleScopes } from './rule-scopes.ts'
import { teamGains } from './team-gains.ts'
import { userGains } from './user-gains.ts'

type KnownKeys = Pick<KeyIndex, 'find'>

/** The right to write users does not make an administrator. */
export function userHooks(kind: Kind, directory: Directory, keys: KnownKeys): Hooks {
  return withOwnSignOn(requiringRights(userGains(directory, kind.group), requiringGains(kind, keys)))
}

/** The right to write teams does not make an administrator. */
export function teamHooks(kind: Kind, keys: KnownKeys): Hooks {
  return requiringRights(teamGains(kind.group), requiringGains(kind, keys))
}

/** A caller who may write connectors does not for that reason become another user. */
export function connectorHooks(kind: Kind, keys: KnownKeys): Hooks {
  return requiringRights(connectorGains, requiringGains(kind, keys))
}

/** Who writes one decides where users are sent with what tells who they are. */
export function oidcClientHooks(kind: Kind, keys: KnownKeys): Hooks {
  return requiringRights(oidcClientGains, requiringGains(kind, keys))
}

/** Which tokens lead to which users is decided by it, too. */
export function trustedIssuerHooks(kind: Kind, keys: KnownKeys): Hooks {
  return withRuleScopes(
    kind,
    requiringRights((_object, _old, user) => asAnyone(user), requiringGains(kind, keys)),
  )
}

function requiringGains(kind: Kind, keys: KnownKeys) {
  return async (request: WriteRequest, gains: readonly ResourceAttributes[], object: KubeObject) => {
    if (gains.length > 0) requireUnlimited(kind, request, keys, object)
    await requireAll(request, gains)
  }
}

/** What a user gains is limited neither by the scope of the key that grants it nor by its end, so such a key may not grant it. */
function requireUnlimited(
  kind: Kind,
  { user }: WriteRequest,
  keys: KnownKeys,
  { metadata: { name = '' } }: KubeObject,
): void {
  const isLimited = user.credential?.scope !== undefined
  if (!isLimited && !isByMachine(user, keys)) return
  const which = isLimited ? 'an access key with a scope' : 'the key of a machine'
  throw refusedBy('scope', forbidden(kind, name, `${which} cannot grant groups, teams or another name`))
}
