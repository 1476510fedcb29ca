import type { RequestTarget } from '../../api/access.ts'
import type { AccessKeyScope } from '../../api/types/management.ts'
import type { PathRule, ResourceRule, RuleSet } from '../contract.ts'
import { DistinctRules } from './distinct-rules.ts'
import type { PathGrant, ResourceGrant, ScopeEnvironment, ScopeGrant } from './grant.ts'
import { grantsOf } from './grants.ts'
import { type Common, commonPaths, commonResources } from './rule-intersection.ts'
import { claimsTooMuch, grantedParts, type ReviewedPlace } from './rule-parts.ts'
import { allowsTarget } from './target-pattern.ts'

/**
 * Texts that are compared: more than a user would read. Above it, the answer only reports that it is incomplete. The
 * rules may come from an API behind the platform, which may name a million groups and resources in one of them.
 */
const maxComparisons = 500_000

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
  const resources = grants.filter(isResourceGrant)
  const paths = grants.filter(isPathGrant)
  if (comparisonsOf(owner, resources, paths) > maxComparisons) return onlyIncomplete(owner)
  const resourceRules = new DistinctRules<ResourceRule>()
  const pathRules = new DistinctRules<PathRule>()
  let isExact = true
  for (const grant of resources) {
    for (const rule of owner.resourceRules) {
      const { rules, exact } = reachedRules(rule, grant, place, environment)
      isExact &&= exact
      if (!resourceRules.add(rules)) return onlyIncomplete(owner)
    }
  }
  for (const grant of paths) {
    for (const rule of owner.pathRules) if (!pathRules.add(commonPaths(rule, grant))) return onlyIncomplete(owner)
  }
  const problems = problemsOf(owner, target.kind === 'virtual-cluster' ? [] : resourceRules.all, environment)
  return {
    resourceRules: resourceRules.all,
    pathRules: pathRules.all,
    incomplete: owner.incomplete || problems.includes(note) || !isExact,
    ...(problems.length === 0 ? {} : { evaluationError: problems.join(', ') }),
  }
}

function onlyIncomplete(owner: RuleSet): RuleSet {
  return { ...owner, resourceRules: [], pathRules: [], incomplete: true }
}

/** An upper bound for what the combinations below compare. */
function comparisonsOf(owner: RuleSet, resources: readonly ResourceGrant[], paths: readonly PathGrant[]): number {
  const ofResources = total(owner.resourceRules, ({ verbs, apiGroups, resources, resourceNames = [] }) => ({
    once: 1 + verbs.length + resourceNames.length,
    each: (1 + apiGroups.length) * (1 + resources.length),
  }))
  const ofPaths = total(owner.pathRules, ({ verbs, nonResourceURLs }) => ({
    once: 1 + verbs.length,
    each: nonResourceURLs.length,
  }))
  const patterns = resources.reduce((sum, grant) => sum + (grant.resources?.length ?? 1), 0)
  const patternsOfPaths = paths.reduce((sum, grant) => sum + (grant.paths?.length ?? 1), 0)
  return (
    ofResources.once * resources.length +
    ofResources.each * patterns +
    ofPaths.once * paths.length +
    ofPaths.each * patternsOfPaths
  )
}

interface Effort {
  /** For each grant. */
  readonly once: number
  /** For each pattern of each grant. */
  readonly each: number
}

function total<T>(rules: readonly T[], effortOf: (rule: T) => Effort): Effort {
  let [once, each] = [0, 0]
  for (const rule of rules) {
    const effort = effortOf(rule)
    once += effort.once
    each += effort.each
  }
  return { once, each }
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
  const reached = common.rules.map((each) => grantedParts(each, grant, place, environment))
  return {
    rules: reached.flatMap(({ rules }) => rules),
    exact: common.exact && reached.every(({ exact }) => exact),
  }
}
