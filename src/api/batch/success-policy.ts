import { checkNotNegative } from '../core/field-checks.ts'
import { type FieldError, invalidField, requiredField, tooManyField } from '../field-error.ts'
import type { JobSpec, SuccessPolicy, SuccessPolicyRule } from '../types/batch-v1.ts'
import { readIndexIntervals } from './index-intervals.ts'

const maxRules = 20

export function validateSuccessPolicy(field: string, policy: SuccessPolicy, spec: JobSpec): readonly FieldError[] {
  if (spec.completionMode !== 'Indexed') return [invalidField(field, policy, 'requires indexed completion mode')]
  const rules = policy.rules ?? []
  const path = `${field}.rules`
  return [
    ...(rules.length === 0
      ? [requiredField(path, 'at least one rules must be specified when the successPolicy is specified')]
      : []),
    ...(rules.length > maxRules ? [tooManyField(path, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, index) => validateRule(`${path}[${index}]`, rule, spec.completions ?? 0)),
  ]
}

function validateRule(field: string, rule: SuccessPolicyRule, completions: number): readonly FieldError[] {
  const { succeededCount, succeededIndexes } = rule
  const indexes = succeededIndexes === undefined ? undefined : readIndexIntervals(succeededIndexes, completions)
  const total = (indexes?.intervals ?? []).reduce((sum, [first, last]) => sum + last - first + 1, 0)
  return [
    ...(succeededCount === undefined && succeededIndexes === undefined
      ? [requiredField(field, 'at least one of succeededCount or succeededIndexes must be specified')]
      : []),
    ...(indexes?.problem === undefined
      ? []
      : [
          invalidField(
            `${field}.succeededIndexes`,
            succeededIndexes,
            `error parsing succeededIndexes: ${indexes.problem}`,
          ),
        ]),
    ...checkNotNegative(`${field}.succeededCount`, succeededCount),
    ...(succeededCount !== undefined && succeededCount > completions
      ? [
          invalidField(
            `${field}.succeededCount`,
            succeededCount,
            `must be less than or equal to ${completions} (the number of specified completions)`,
          ),
        ]
      : []),
    ...(indexes !== undefined && succeededCount !== undefined && succeededCount > total
      ? [
          invalidField(
            `${field}.succeededCount`,
            succeededCount,
            `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
          ),
        ]
      : []),
  ]
}
