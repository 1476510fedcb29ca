import type { CustomResourceDefinition, CustomResourceDefinitionCondition } from '../../types/apiextensions-v1.ts'

type Condition = Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'>

/** The time of a condition changes only with its status. Returns the same definition if it already has the condition. */
export function withCondition(
  definition: CustomResourceDefinition,
  condition: Condition,
  now: string | null,
): CustomResourceDefinition {
  const conditions = definition.status.conditions ?? []
  const old = conditions.find(({ type }) => type === condition.type)
  if (old !== undefined && isSame(old, condition)) return definition
  const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : now
  const changed = { ...condition, lastTransitionTime }
  const next = old === undefined ? [...conditions, changed] : conditions.map((each) => (each === old ? changed : each))
  return { ...definition, status: { ...definition.status, conditions: next } }
}

function isSame(old: Condition, { status, reason, message }: Condition): boolean {
  return old.status === status && old.reason === reason && old.message === message
}

export function isTrue({ status }: Pick<CustomResourceDefinition, 'status'>, type: string): boolean {
  return status.conditions?.some((each) => each.type === type && each.status === 'True') === true
}
