import type { ResourceQuotaSpec } from '../../api/types/core-v1.ts'
import type { Evaluator, IsInScope, ScopeRequirement } from './contract.ts'

/** The resources limited by a quota that objects of a kind use. */
export function limitedNames({ hard = {} }: ResourceQuotaSpec, evaluator: Evaluator): readonly string[] {
  return Object.keys(hard).filter((name) => evaluator.measures(name))
}

/** Whether a quota with these requirements counts an object. */
export function isInScopes(requirements: readonly ScopeRequirement[], isInScope: IsInScope | undefined): boolean {
  return requirements.every((requirement) => isInScope?.(requirement) === true)
}

export function requirementsOf({ scopes = [], scopeSelector }: ResourceQuotaSpec): readonly ScopeRequirement[] {
  return [...scopes.map((scopeName) => ({ scopeName, operator: 'Exists' })), ...(scopeSelector?.matchExpressions ?? [])]
}
