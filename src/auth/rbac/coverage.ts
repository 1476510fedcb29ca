import { coversPath } from './compiled-rules.ts'
import { type RbacRule, textCount } from './rule.ts'

/** Limit of combinations, over all rules, that are compared one by one, so that no role can keep the server busy. */
const mostCombinations = 20_000
/** Limit of checks of a held rule or one of its paths. */
const mostComparisons = 5_000_000
/** Held rules beyond this number are ignored. */
const mostHeld = 10_000

/**
 * The part of `wanted` that `held` does not allow, as rules with one verb on one thing each. A single held rule must
 * cover a combination: two that only cover it together are not recognized, which errs on the safe side. So does the
 * case of too much to compare: rules are then compared as a whole, and finally count as missing.
 */
export function missingRules(held: readonly RbacRule[], wanted: readonly RbacRule[]): readonly RbacRule[] {
  const holders = [...new Set(held)].slice(0, mostHeld).map(holderOf)
  const isCovered = (rule: RbacRule) => holders.some((each) => covers(each, rule))
  const effort = new Effort(holders.reduce((sum, { nonResourceURLs }) => sum + 1 + nonResourceURLs.length, 1))
  return wanted.flatMap((rule) => {
    const compared = effort.spendOn(rule)
    if (compared === 'parts') return brokenDown(rule).filter((part) => !isCovered(part))
    return compared === 'whole' && isCovered(rule) ? [] : [rule]
  })
}

/** How much may still be compared. */
class Effort {
  readonly #each: number
  #combinations = mostCombinations
  #comparisons = mostComparisons

  /** `each`: comparisons that one part takes. */
  constructor(each: number) {
    this.#each = each
  }

  spendOn(rule: RbacRule): 'parts' | 'whole' | 'nothing' {
    const count = combinations(rule)
    if (count <= this.#combinations && count * this.#each <= this.#comparisons) {
      this.#combinations -= count
      this.#comparisons -= count * this.#each
      return 'parts'
    }
    this.#comparisons -= textCount(rule) * this.#each
    return this.#comparisons < 0 ? 'nothing' : 'whole'
  }
}

/** Joins rules that differ only in their verbs, if they concern one resource of one group, or one object of it. */
export function compactRules(rules: readonly RbacRule[]): readonly RbacRule[] {
  const compact: RbacRule[] = []
  const verbsByResource = new Map<string, { readonly rule: RbacRule; readonly verbs: string[] }>()
  for (const rule of rules) {
    const key = simpleResource(rule)
    const known = key === undefined ? undefined : verbsByResource.get(key)
    if (key === undefined) compact.push(rule)
    else if (known === undefined) verbsByResource.set(key, { rule, verbs: [...rule.verbs] })
    else known.verbs.push(...rule.verbs)
  }
  return [...compact, ...[...verbsByResource.values()].map(({ rule, verbs }) => ({ ...rule, verbs }))]
}

function simpleResource(rule: RbacRule): string | undefined {
  if (rule.resourceNames.length > 1 || rule.nonResourceURLs.length > 0) return undefined
  if (rule.apiGroups.length !== 1 || rule.resources.length !== 1) return undefined
  return JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames])
}

interface Holder {
  readonly verbs: ReadonlySet<string>
  readonly apiGroups: ReadonlySet<string>
  readonly resources: ReadonlySet<string>
  readonly resourceNames: ReadonlySet<string>
  readonly nonResourceURLs: readonly string[]
}

function holderOf(rule: RbacRule): Holder {
  return {
    verbs: new Set(rule.verbs),
    apiGroups: new Set(rule.apiGroups),
    resources: new Set(rule.resources),
    resourceNames: new Set(rule.resourceNames),
    nonResourceURLs: rule.nonResourceURLs,
  }
}

function covers(held: Holder, rule: RbacRule): boolean {
  return (
    hasAll(held.verbs, rule.verbs) &&
    hasAll(held.apiGroups, rule.apiGroups) &&
    (held.resources.has('*') || rule.resources.every((each) => coversResource(held.resources, each))) &&
    coversNames(held.resourceNames, rule.resourceNames) &&
    rule.nonResourceURLs.every((path) => held.nonResourceURLs.some((each) => coversPath(each, path)))
  )
}

function hasAll(held: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return held.has('*') || wanted.every((each) => held.has(each))
}

function coversResource(held: ReadonlySet<string>, resource: string): boolean {
  if (held.has(resource)) return true
  const slash = resource.indexOf('/')
  return slash >= 0 && held.has(`*${resource.slice(slash)}`)
}

/** No names means any name, so only a rule without names covers it. */
function coversNames(held: ReadonlySet<string>, names: readonly string[]): boolean {
  if (held.size === 0) return true
  return names.length > 0 && names.every((each) => held.has(each))
}

function combinations(rule: RbacRule): number {
  const resources = rule.apiGroups.length * rule.resources.length * Math.max(rule.resourceNames.length, 1)
  return (resources + rule.nonResourceURLs.length) * rule.verbs.length
}

function brokenDown(rule: RbacRule): readonly RbacRule[] {
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((each) => [each])
  const resourceParts = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames,
          nonResourceURLs: [],
        })),
      ),
    ),
  )
  return [...resourceParts, ...pathParts(rule)]
}

function pathParts(rule: RbacRule): readonly RbacRule[] {
  return rule.nonResourceURLs.flatMap((path) =>
    rule.verbs.map((verb) => ({
      verbs: [verb],
      apiGroups: [],
      resources: [],
      resourceNames: [],
      nonResourceURLs: [path],
    })),
  )
}
