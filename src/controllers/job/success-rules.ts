import type { SuccessPolicy, SuccessPolicyRule } from '../../api/types/batch-v1.ts'
import { commonCount, type IndexSet, indexCount, parseIndexes } from './index-set.ts'

/** The rule by which enough indexes have succeeded, in words; undefined if none applies. */
export function metSuccessRule(
  policy: SuccessPolicy | undefined,
  succeeded: IndexSet,
  completions: number,
): string | undefined {
  if (succeeded.length === 0) return undefined
  const index = (policy?.rules ?? []).findIndex((rule) => isMet(rule, succeeded, completions))
  return index < 0 ? undefined : `Matched rules at index ${index}`
}

function isMet(
  { succeededIndexes, succeededCount }: SuccessPolicyRule,
  succeeded: IndexSet,
  completions: number,
): boolean {
  if (succeededIndexes === undefined) return succeededCount !== undefined && indexCount(succeeded) >= succeededCount
  const required = parseIndexes(succeededIndexes, completions)
  return required.length > 0 && commonCount(succeeded, required) >= (succeededCount ?? indexCount(required))
}
