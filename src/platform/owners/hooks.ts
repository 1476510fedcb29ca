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

/** The right to write users does not make the caller an administrator. */
export function userHooks(kind: Kind, directory: Directory, keys: KnownKeys): Hooks {
  return withOwnSignOn(requiringRights(userGains(directory, kind.group), requiringGains(kind, keys)))
}

/** The right to write teams does not make the caller an administrator. */
export function teamHooks(kind: Kind, keys: KnownKeys): Hooks {
  return requiringRights(teamGains(kind.group), requiringGains(kind, keys))
}

/** The right to write connectors does not let the caller become another user. */
export function connectorHooks(kind: Kind, keys: KnownKeys): Hooks {
  return requiringRights(connectorGains, requiringGains(kind, keys))
}

/** A caller who writes an OIDCClient decides where users are sent with their identity. */
export function oidcClientHooks(kind: Kind, keys: KnownKeys): Hooks {
  return requiringRights(oidcClientGains, requiringGains(kind, keys))
}

/** A TrustedIssuer also decides which tokens act as which users. */
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

/**
 * Rights that a user gains are limited neither by the scope nor by the end of the key that grants them, so a limited
 * key may not grant them.
 */
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
