import type { Attributes, Decision, UserInfo } from '../../api/access.ts'
import type { Authorizer, RuleSet } from '../contract.ts'
import { linkRefusal } from './compile.ts'
import type { ScopeEnvironment } from './grant.ts'
import { isLinking } from './privilege.ts'
import { rulesWithin } from './rules-within.ts'

/**
 * The rights of a key are those of its owner, limited to its scope. The scope is checked first and can only refuse:
 * nothing later can widen it. `owner` decides as if there were no scope.
 */
export function createScopedAuthorizer(owner: Authorizer, environment: ScopeEnvironment): Authorizer {
  return {
    authorize: (attributes) => scopeRefusal(attributes, environment) ?? owner.authorize(attributes),
    rulesFor: (user, namespace) => scopedRules(owner, user, namespace, environment),
  }
}

/**
 * The refusal by the scope of the key in use; undefined if the scope allows the request. Registering and linking a
 * virtual cluster requires a key with the role for it, so a caller without a key is refused, too.
 */
function scopeRefusal(attributes: Attributes, { managementGroup }: ScopeEnvironment): Decision | undefined {
  const links = isLinking(attributes, managementGroup)
  const scope = attributes.user.credential?.scope
  if (scope === undefined) return links ? { verdict: 'deny', reason: linkRefusal, layer: 'role' } : undefined
  const verdict = scope.grant(attributes)
  return verdict.granted ? undefined : { verdict: 'deny', reason: verdict.reason, layer: links ? 'role' : 'scope' }
}

async function scopedRules(
  owner: Authorizer,
  user: UserInfo,
  namespace: string,
  environment: ScopeEnvironment,
): Promise<RuleSet> {
  const rules = await owner.rulesFor(user, namespace)
  const scope = user.credential?.scope
  return scope === undefined ? rules : rulesWithin(scope.source, rules, namespace, environment)
}
