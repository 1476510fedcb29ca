import type { Attributes, ResourceAttributes } from '../../api/access.ts'
import type { RbacRule } from './rule.ts'

/**
 * A role's rules in a form for fast decisions. Built once per version of the role and referring to its rules, of which
 * there may be millions.
 */
export interface CompiledRules {
  readonly rules: readonly RbacRule[]
  // By the resource as rules name it: `pods`, `pods/log`, `*` for all, and `*/log` for the log of every resource.
  readonly byResource: ReadonlyMap<string, readonly RbacRule[]>
  readonly pathRules: readonly RbacRule[]
}

/** Limit of bindings and rules, or paths of one, that one decision checks. What is beyond it is not in force. */
export const mostExamined = 100_000

/** How much one decision may still check. */
export class RuleBudget {
  #left = mostExamined

  get left(): number {
    return this.#left
  }

  get areUsedUp(): boolean {
    return this.#left < 0
  }

  /** Whether it may check this many more. */
  take(count: number): boolean {
    this.#left -= count
    return this.#left >= 0
  }
}

export function compileRules(rules: readonly RbacRule[]): CompiledRules {
  return {
    rules,
    byResource: rulesByResource(rules),
    pathRules: rules.filter((each) => each.nonResourceURLs.length > 0),
  }
}

export function allows(compiled: CompiledRules, attributes: Attributes, budget = new RuleBudget()): boolean {
  return 'path' in attributes
    ? allowsPath(compiled.pathRules, attributes.verb, attributes.path, budget)
    : allowsResource(compiled.byResource, attributes, budget)
}

function allowsResource(
  byResource: CompiledRules['byResource'],
  attributes: ResourceAttributes,
  budget: RuleBudget,
): boolean {
  const { resource, subresource } = attributes
  if (anyAllows(byResource.get('*'), attributes, budget)) return true
  if (subresource === '') return anyAllows(byResource.get(resource), attributes, budget)
  return (
    anyAllows(byResource.get(`${resource}/${subresource}`), attributes, budget) ||
    anyAllows(byResource.get(`*/${subresource}`), attributes, budget)
  )
}

function anyAllows(
  rules: readonly RbacRule[] | undefined,
  { verb, group, name }: ResourceAttributes,
  budget: RuleBudget,
): boolean {
  if (rules === undefined) return false
  for (const { verbs, apiGroups, resourceNames } of rules) {
    if (!budget.take(1)) return false
    const isNamed = resourceNames.length === 0 || holds(resourceNames, name)
    if (isNamed && matches(verbs, verb) && matches(apiGroups, group)) return true
  }
  return false
}

function allowsPath(rules: readonly RbacRule[], verb: string, path: string, budget: RuleBudget): boolean {
  for (const { verbs, nonResourceURLs } of rules) {
    if (!budget.take(nonResourceURLs.length)) return false
    if (matches(verbs, verb) && nonResourceURLs.some((pattern) => coversPath(pattern, path))) return true
  }
  return false
}

/** Whether a pattern such as `/healthz/*` matches a path, or everything that another pattern matches. */
export function coversPath(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith('*') && path.startsWith(withoutTrailingStars(pattern)))
}

function matches(list: readonly string[], text: string): boolean {
  return holds(list, '*') || holds(list, text)
}

const longestSearched = 16
const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

/** Most lists are short, and a set takes ten times their memory. */
function holds(list: readonly string[], text: string): boolean {
  if (list.length <= longestSearched) return list.includes(text)
  const known = sets.get(list)
  if (known !== undefined) return known.has(text)
  const set = new Set(list)
  sets.set(list, set)
  return set.has(text)
}

function rulesByResource(rules: readonly RbacRule[]): CompiledRules['byResource'] {
  const byResource = new Map<string, RbacRule[]>()
  for (const rule of rules) {
    for (const resource of rule.resources) {
      const known = byResource.get(resource)
      if (known === undefined) byResource.set(resource, [rule])
      else known.push(rule)
    }
  }
  return byResource
}

/** The prefix that a path pattern such as `/healthz/*` requires. */
export function withoutTrailingStars(pattern: string): string {
  let end = pattern.length
  while (end > 0 && pattern[end - 1] === '*') end--
  return pattern.slice(0, end)
}
