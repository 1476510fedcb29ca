import type { KubeObject } from '../../api/object.ts'
import type { ResourceQuotaSpec } from '../../api/types/core-v1.ts'
import type { Evaluator, ScopeRequirement } from './contract.ts'

/** Of what a quota limits, what objects of a kind use. */
export function limitedNames({ hard = {} }: ResourceQuotaSpec, evaluator: Evaluator): readonly string[] {
  return Object.keys(hard).filter((name) => evaluator.measures(name))
}

/** Whether a quota counts the object at all. */
export function isInScopes(spec: ResourceQuotaSpec, evaluator: Evaluator, object: KubeObject): boolean {
  return requirementsOf(spec).every((requirement) => evaluator.isInScope?.(object, requirement) === true)
}

export function hasScopes(spec: ResourceQuotaSpec): boolean {
  return requirementsOf(spec).length > 0
}

function requirementsOf({ scopes = [], scopeSelector }: ResourceQuotaSpec): readonly ScopeRequirement[] {
  return [...scopes.map((scopeName) => ({ scopeName, operator: 'Exists' })), ...(scopeSelector?.matchExpressions ?? [])]
}
