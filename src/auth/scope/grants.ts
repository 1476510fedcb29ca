import type { AccessKeyScope } from '../../api/types/management.ts'
import { alwaysGranted, alwaysGrantedBehind } from './always.ts'
import type { ScopeEnvironment, ScopeGrant } from './grant.ts'
import { roleGrants } from './role-grants.ts'
import { ruleGrants } from './rule-grants.ts'
import { targetGrants } from './target-grants.ts'

/**
 * Whether the scope has no entry and therefore limits nothing. An entry that grants nothing, such as an unknown role,
 * still counts.
 */
export function isUnlimited(scope: AccessKeyScope): boolean {
  const { roles, projects, spaces, virtualClusters, clusters, rules, allowPlatformCli } = scope
  const lists = [roles, projects, spaces, virtualClusters, clusters, rules]
  return allowPlatformCli !== true && lists.every((list) => (list ?? []).length === 0)
}

/** Everything that a scope with entries allows, beginning with the rights that every key has. */
export function grantsOf(scope: AccessKeyScope, environment: ScopeEnvironment): readonly ScopeGrant[] {
  const byRules = (scope.rules ?? []).flatMap((rule, index) => ruleGrants(`spec.scope.rules[${index}]`, rule))
  return [
    ...alwaysGranted(environment),
    ...alwaysGrantedBehind(byRules),
    ...(scope.roles ?? []).flatMap((role, index) => roleGrants(`spec.scope.roles[${index}]`, role, environment)),
    ...cliGrants(scope, environment),
    ...targetGrants(scope, environment),
    ...byRules,
  ]
}

/** The deprecated switch for the command line is a role entry by another name. */
function cliGrants(scope: AccessKeyScope, environment: ScopeEnvironment): readonly ScopeGrant[] {
  if (scope.allowPlatformCli !== true) return []
  return roleGrants('spec.scope.allowPlatformCli', { role: 'platformCLI' }, environment)
}
