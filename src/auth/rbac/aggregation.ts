import type { KubeObject } from '../../api/object.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import { deepEqual } from '../../base/equal.ts'
import { objectAt, objectsAt, textMapAt } from '../member.ts'
import { selectorOf } from './label-selector.ts'
import { presentedRule, type RbacRule, rulesOf } from './rule.ts'
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

/**
 * The rules a role has in force: its own, or those of all roles that its selectors choose, by name, each rule once.
 * A chosen role may aggregate in turn, and what it chooses comes in its place; roles that choose each other end with the
 * rules of all that either chooses. What is beyond the limits is not in force.
 */
export function rulesInForce(role: AggregatedRole, all: Iterable<AggregatedRole>): readonly RbacRule[] {
  if (role.selectors === undefined) return role.rules
  const byName = [...all].sort((left, right) => (left.name < right.name ? -1 : 1))
  const gathered = new Gathered()
  gather(role.selectors, byName, new Set([role.name]), gathered)
  return gathered.rules
}

/** Goes no deeper than there may be selectors. */
function gather(
  selectors: readonly LabelSelector[],
  byName: readonly AggregatedRole[],
  seen: Set<string>,
  gathered: Gathered,
): void {
  for (const selector of gathered.accepted(selectors)) {
    for (const each of byName) {
      if (gathered.isFull) return
      if (seen.has(each.name) || !selector.matches(each.labels)) continue
      seen.add(each.name)
      if (each.selectors === undefined) gathered.addRules(each.rules)
      else gather(each.selectors, byName, seen, gathered)
    }
  }
}

class Gathered {
  readonly #rules = new Map<string, RbacRule>()
  #terms = 0
  #length = 0

  get rules(): readonly RbacRule[] {
    return [...this.#rules.values()]
  }

  get isFull(): boolean {
    return this.#length >= longestRules
  }

  /** As many of them as may still be looked for. */
  accepted(selectors: readonly LabelSelector[]): readonly LabelSelector[] {
    return selectors.filter((selector) => {
      this.#terms += Math.max(selector.requirements.length, 1)
      return this.#terms <= mostTerms
    })
  }

  addRules(added: readonly RbacRule[]): void {
    for (const rule of added) {
      const text = ruleText(rule)
      if (this.#rules.has(text)) continue
      this.#length += text.length
      if (this.isFull) return
      this.#rules.set(text, rule)
    }
  }
}

/** Aggregating ClusterRoles whose stored rules are out of date, as they should be stored; nothing for each other one. */
export function* outdatedAggregates(clusterRoles: readonly KubeObject[]): Generator<KubeObject | undefined> {
  const facts = clusterRoles.map(aggregatedRoleOf)
  for (const [index, object] of clusterRoles.entries()) {
    const role = facts[index]
    yield role?.selectors === undefined ? undefined : withRulesInForce(object, role, facts)
  }
}

function withRulesInForce(
  object: KubeObject,
  role: AggregatedRole,
  all: readonly AggregatedRole[],
): KubeObject | undefined {
  const rules = rulesInForce(role, all)
  return deepEqual(rules, role.rules) ? undefined : { ...object, rules: rules.map(presentedRule) }
}
