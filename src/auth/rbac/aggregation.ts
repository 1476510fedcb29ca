import type { KubeObject } from '../../api/object.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import { atOnce, type Steps } from '../../base/steps.ts'
import { objectAt, objectsAt, textMapAt } from '../member.ts'
import { selectorOf } from './label-selector.ts'
import { type RbacRule, rulesOf, textCount } from './rule.ts'
import { ruleText } from './rule-text.ts'

/** Every change of a ClusterRole gathers all rules anew, so both the search and the result are limited. */
const mostTerms = 200
const longestRules = 1024 * 1024

/** The parts of a ClusterRole that aggregation needs. */
export interface AggregatedRole {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly rules: readonly RbacRule[]
  /** Undefined when the role has its own rules. */
  readonly selectors: readonly LabelSelector[] | undefined
}

export function aggregatedRoleOf(clusterRole: KubeObject): AggregatedRole {
  const aggregation = objectAt(clusterRole, 'aggregationRule')
  return {
    name: clusterRole.metadata.name ?? '',
    labels: textMapAt(clusterRole.metadata, 'labels'),
    rules: rulesOf(clusterRole),
    selectors:
      aggregation === undefined
        ? undefined
        : objectsAt(aggregation, 'clusterRoleSelectors').slice(0, mostTerms).map(selectorOf),
  }
}

/** The order in which roles are gathered. */
export function namesInOrder(roles: readonly AggregatedRole[]): readonly AggregatedRole[] {
  return roles.toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

/** Estimates how many labels and rules are checked when all aggregating roles are gathered anew. */
export function effortOf(all: {
  readonly aggregating: number
  /** Terms of all their selectors. */
  readonly terms: number
  /** A long rule counts as several. */
  readonly rules: number
  readonly roles: number
}): number {
  return all.aggregating * (all.roles * Math.min(all.terms, mostTerms) + all.rules * looksPerRule)
}

/** Labels and expressions that a role is compared with. */
export function termsOf({ requirements }: LabelSelector): number {
  return Math.max(requirements.length, 1)
}

/** The number of average rules that it counts as. */
export function weightOf(rule: RbacRule): number {
  return 1 + Math.floor(textCount(rule) / usualTexts)
}

const usualTexts = 10
const looksPerRule = 10
const checksPerStep = 1_000

/**
 * The rules of a role that are in force: its own, or those of all roles that its selectors match, by name, each rule
 * once. A matched role may itself aggregate, and is replaced by what it matches; roles that match each other get the
 * rules of all that either matches. Rules beyond the limits are not in force.
 */
export function rulesInForce(role: AggregatedRole, inOrder: readonly AggregatedRole[]): readonly RbacRule[] {
  return atOnce(gatheredRules(role, inOrder))
}

/** The same in steps. */
export function* gatheredRules(role: AggregatedRole, inOrder: readonly AggregatedRole[]): Steps<readonly RbacRule[]> {
  if (role.selectors === undefined) return role.rules
  const gathered = new Gathered()
  yield* gather(role.selectors, inOrder, new Set([role.name]), gathered)
  return gathered.rules
}

/** The depth is limited by the number of selectors. */
function* gather(
  selectors: readonly LabelSelector[],
  inOrder: readonly AggregatedRole[],
  seen: Set<string>,
  gathered: Gathered,
): Steps<void> {
  for (const selector of gathered.accepted(selectors)) {
    for (const each of inOrder) {
      if (gathered.isFull) return
      if (gathered.looked(termsOf(selector))) yield
      if (seen.has(each.name) || !selector.matches(each.labels)) continue
      seen.add(each.name)
      if (each.selectors === undefined) yield* gathered.addRules(each.rules)
      else yield* gather(each.selectors, inOrder, seen, gathered)
    }
  }
}

class Gathered {
  readonly #rules = new Map<string, RbacRule>()
  #terms = 0
  #length = 0
  #checks = 0

  get rules(): readonly RbacRule[] {
    return [...this.#rules.values()]
  }

  get isFull(): boolean {
    return this.#length >= longestRules
  }

  /** Counts checks, and returns true at the end of a step. */
  looked(count: number): boolean {
    this.#checks += count
    if (this.#checks < checksPerStep) return false
    this.#checks = 0
    return true
  }

  /** As many selectors as the limit allows. */
  accepted(selectors: readonly LabelSelector[]): readonly LabelSelector[] {
    return selectors.filter((selector) => {
      this.#terms += termsOf(selector)
      return this.#terms <= mostTerms
    })
  }

  *addRules(added: readonly RbacRule[]): Steps<void> {
    for (const rule of added) {
      if (this.looked(weightOf(rule))) yield
      const text = ruleText(rule)
      if (this.#rules.has(text)) continue
      this.#length += text.length
      if (this.isFull) return
      this.#rules.set(text, rule)
    }
  }
}
