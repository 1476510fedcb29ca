import type { RequestTarget } from '../../api/access.ts'
import type { AccessKeyScope } from '../../api/types/management.ts'
import type { ResourceRule, RuleSet } from '../contract.ts'
import type { PathGrant, ResourceGrant, ScopeEnvironment, ScopeGrant } from './grant.ts'
import { grantsOf } from './grants.ts'
import { type Common, commonPaths, commonResources } from './rule-intersection.ts'
import { claimsTooMuch, partsReached, type ReviewedPlace } from './rule-parts.ts'
import { allowsTarget } from './target-pattern.ts'

/** More than a user would read: above it, the answer only reports that it is incomplete. */
const maxPairs = 200_000

const note = 'rules for all resources include neither linking virtual clusters nor making tokens of service accounts'

/**
 * The owner's rules in a namespace with a scope applied: each rule combined with each grant. Nothing false is claimed,
 * except that a rule for all resources cannot exclude any, which the answer then notes.
 */
export function rulesWithin(
  scope: AccessKeyScope,
  owner: RuleSet,
  namespace: string,
  environment: ScopeEnvironment,
  target: RequestTarget = { kind: 'management' },
): RuleSet {
  const place = { target, namespace }
  const grants = grantsOf(scope, environment).filter((grant) => concerns(grant, place))
  const pairs = (owner.resourceRules.length + owner.pathRules.length) * grants.length
  if (pairs > maxPairs) return { ...owner, resourceRules: [], pathRules: [], incomplete: true }
  const found = grants
    .filter(isResourceGrant)
    .flatMap((grant) => owner.resourceRules.map((rule) => reachedRules(rule, grant, place, environment)))
  const resourceRules = distinct(found.flatMap(({ rules }) => rules))
  const problems = problemsOf(owner, target.kind === 'virtual-cluster' ? [] : resourceRules, environment)
  return {
    resourceRules,
    pathRules: distinct(
      grants.filter(isPathGrant).flatMap((grant) => owner.pathRules.flatMap((rule) => commonPaths(rule, grant))),
    ),
    incomplete: owner.incomplete || problems.includes(note) || found.some(({ exact }) => !exact),
    ...(problems.length === 0 ? {} : { evaluationError: problems.join(', ') }),
  }
}

function problemsOf(
  { evaluationError }: RuleSet,
  rules: readonly ResourceRule[],
  environment: ScopeEnvironment,
): readonly string[] {
  return [
    ...(evaluationError === undefined ? [] : [evaluationError]),
    ...(rules.some((rule) => claimsTooMuch(rule, environment)) ? [note] : []),
  ]
}

function concerns(grant: ScopeGrant, { target, namespace }: ReviewedPlace): boolean {
  if (!allowsTarget(grant.target, target)) return false
  const namespaces = grant.form === 'path' ? undefined : grant.namespaces
  return namespaces === undefined || namespaces.outside || namespaces.names.has(namespace)
}

function isResourceGrant(grant: ScopeGrant): grant is ResourceGrant {
  return grant.form === 'resource'
}

function isPathGrant(grant: ScopeGrant): grant is PathGrant {
  return grant.form === 'path'
}

function reachedRules(
  rule: ResourceRule,
  grant: ResourceGrant,
  place: ReviewedPlace,
  environment: ScopeEnvironment,
): Common<ResourceRule> {
  const common = commonResources(rule, grant)
  const reached = common.rules.map((each) => partsReached(each, grant, place, environment))
  return {
    rules: reached.flatMap(({ rules }) => rules),
    exact: common.exact && reached.every(({ exact }) => exact),
  }
}

function distinct<T>(rules: readonly T[]): readonly T[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()]
}
