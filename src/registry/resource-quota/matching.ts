import type { ResourceQuotaSpec } from '../../api/types/core-v1.ts'
import type { Evaluator, IsInScope, ScopeRequirement } from './contract.ts'

/** Of what a quota limits, what objects of a kind use. */
export function limitedNames({ hard = {} }: ResourceQuotaSpec, evaluator: Evaluator): readonly string[] {
  return Object.keys(hard).filter((name) => evaluator.measures(name))
}

/** Whether a quota with those requirements counts an object at all. */
export function isInScopes(requirements: readonly ScopeRequirement[], isInScope: IsInScope | undefined): boolean {
  return requirements.every((requirement) => isInScope?.(requirement) === true)
}

export function requirementsOf({ scopes = [], scopeSelector }: ResourceQuotaSpec): readonly ScopeRequirement[] {
  return [...scopes.map((scopeName) => ({ scopeName, operator: 'Exists' })), ...(scopeSelector?.matchExpressions ?? [])]
}
