import type { KubeObject } from '../../api/object.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import { deepEqual } from '../../base/equal.ts'
import { objectAt, objectsAt, textMapAt } from '../member.ts'
import { selectorOf } from './label-selector.ts'
import { type PolicyRule, presentedRule, rulesOf } from './rule.ts'
import { ruleText } from './rule-text.ts'

/** What aggregation needs to know of a ClusterRole. */
export interface AggregatedRole {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly rules: readonly PolicyRule[]
  /** Undefined when the role states its own rules. */
  readonly selectors: readonly LabelSelector[] | undefined
}

export function aggregatedRoleOf(clusterRole: KubeObject): AggregatedRole {
  const aggregation = objectAt(clusterRole, 'aggregationRule')
  return {
    name: clusterRole.metadata.name ?? '',
    labels: textMapAt(clusterRole.metadata, 'labels'),
    rules: rulesOf(clusterRole),
    selectors: aggregation === undefined ? undefined : objectsAt(aggregation, 'clusterRoleSelectors').map(selectorOf),
  }
}

/**
 * The rules a role has in force: its own, or those of all roles that its selectors choose, by name, each rule once.
 * A chosen role may aggregate in turn; roles that choose each other end with the rules of all that either chooses.
 */
export function rulesInForce(role: AggregatedRole, all: Iterable<AggregatedRole>): readonly PolicyRule[] {
  if (role.selectors === undefined) return role.rules
  const byName = [...all].sort((left, right) => (left.name < right.name ? -1 : 1))
  const rules = new Map<string, PolicyRule>()
  const seen = new Set([role.name])
  const selectors = [...role.selectors]
  for (const selector of selectors) {
    for (const each of byName) {
      if (seen.has(each.name) || !selector.matches(each.labels)) continue
      seen.add(each.name)
      if (each.selectors === undefined) addRules(rules, each.rules)
      else selectors.push(...each.selectors)
    }
  }
  return [...rules.values()]
}

function addRules(rules: Map<string, PolicyRule>, added: readonly PolicyRule[]): void {
  for (const rule of added) {
    const text = ruleText(rule)
    if (!rules.has(text)) rules.set(text, rule)
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
