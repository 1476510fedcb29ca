import type { KubeObject } from '../../api/object.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import { atOnce, type Steps } from '../../base/steps.ts'
import { objectAt, objectsAt, textMapAt } from '../member.ts'
import { selectorOf } from './label-selector.ts'
import { type RbacRule, rulesOf, textCount } from './rule.ts'
import { ruleText } from './rule-text.ts'

/** Every change of a ClusterRole makes all of this be gathered anew, so neither how nor what is gathered goes on and on. */
const mostTerms = 200
const longestRules = 1024 * 1024

/** What aggregation needs to know of a ClusterRole. */
export interface AggregatedRole {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly rules: readonly RbacRule[]
  /** Undefined when the role states its own rules. */
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

/** By which they are gathered. */
export function namesInOrder(roles: readonly AggregatedRole[]): readonly AggregatedRole[] {
  return roles.toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

/** About how many labels and rules are looked at if all aggregating roles are gathered anew. */
export function effortOf(all: {
  readonly aggregating: number
  /** Of all their selectors. */
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

/** For how many rules of the usual length it counts. */
export function weightOf(rule: RbacRule): number {
  return 1 + Math.floor(textCount(rule) / usualTexts)
}

const usualTexts = 10
const looksPerRule = 10
const looksPerStep = 1_000

/**
 * The rules a role has in force: its own, or those of all roles that its selectors choose, by name, each rule once.
 * A chosen role may aggregate in turn, and what it chooses comes in its place; roles that choose each other end with the
 * rules of all that either chooses. What is beyond the limits is not in force.
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

/** Goes no deeper than there may be selectors. */
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
  #looks = 0

  get rules(): readonly RbacRule[] {
    return [...this.#rules.values()]
  }

  get isFull(): boolean {
    return this.#length >= longestRules
  }

  /** Counts what is looked at, and says whether that makes a step. */
  looked(count: number): boolean {
    this.#looks += count
    if (this.#looks < looksPerStep) return false
    this.#looks = 0
    return true
  }

  /** As many of them as may still be looked for. */
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
