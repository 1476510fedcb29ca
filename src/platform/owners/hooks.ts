import type { ResourceAttributes } from '../../api/access.ts'
import { forbidden, refusedBy } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Hooks } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import { requiringRights } from '../required-rights.ts'
import { asAnyone, requireAll } from '../rights.ts'
import { connectorGains } from './connector-gains.ts'
import type { Directory } from './directory.ts'
import { withOwnSignOn } from './own-sign-on.ts'
import { withRuleScopes } from './rule-scopes.ts'
import { teamGains } from './team-gains.ts'
import { userGains } from './user-gains.ts'

/** The right to write users does not make an administrator. */
export function userHooks(kind: Kind, directory: Directory): Hooks {
  return withOwnSignOn(requiringRights(userGains(directory, kind.group), requiringGains(kind)))
}

/** The right to write teams does not make an administrator. */
export function teamHooks(kind: Kind): Hooks {
  return requiringRights(teamGains(kind.group), requiringGains(kind))
}

/** A caller who may write connectors does not for that reason become another user. */
export function connectorHooks(kind: Kind): Hooks {
  return requiringRights(connectorGains, requiringGains(kind))
}

/** Which tokens lead to which users is decided by it, too. */
export function trustedIssuerHooks(kind: Kind): Hooks {
  return withRuleScopes(
    kind,
    requiringRights((_object, _old, user) => asAnyone(user), requiringGains(kind)),
  )
}

function requiringGains(kind: Kind) {
  return (request: WriteRequest, gains: readonly ResourceAttributes[], object: KubeObject) =>
    requireUnlimited(kind, request, gains, object)
}

/** What a user gains is not limited by the scope of the key that grants it, so a key with a scope may not grant it. */
async function requireUnlimited(
  kind: Kind,
  request: WriteRequest,
  gains: readonly ResourceAttributes[],
  { metadata: { name = '' } }: KubeObject,
): Promise<void> {
  if (gains.length > 0 && request.user.credential?.scope !== undefined) {
    const problem = 'an access key with a scope cannot grant groups, teams or another name'
    throw refusedBy('scope', forbidden(kind, name, problem))
  }
  await requireAll(request, gains)
}
