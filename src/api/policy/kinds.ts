import type { Kind } from '../kind.ts'
import { podDisruptionBudget } from './pod-disruption-budget.ts'

export function policyKinds(): readonly Kind[] {
  return [podDisruptionBudget]
}
