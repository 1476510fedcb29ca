import { checkDomainPrefixedPath, checkNotNegative } from '../core/field-checks.ts'
import { validateTemplate } from '../core/pods/pod-template.ts'
import { type FieldError, invalidField, notSupportedField, requiredField, tooLongField } from '../field-error.ts'
import type { JobSpec } from '../types/batch-v1.ts'
import { utf8Length } from '../utf8-length.ts'
import { validatePodFailurePolicy } from './pod-failure-policy.ts'
import { validateSuccessPolicy } from './success-policy.ts'

const maxIndexed = 100_000
const manyCompletions = 100_000
const maxIndexedOfMany = 10_000

/** `field` is the path of the spec: a CronJob has one in its template. */
export function validateJobSpec(field: string, spec: JobSpec): readonly FieldError[] {
  const { podReplacementPolicy } = spec
  return [
    ...validateCounts(field, spec),
    ...(spec.managedBy === undefined ? [] : checkManager(`${field}.managedBy`, spec.managedBy)),
    ...validateMode(field, spec),
    ...(spec.podFailurePolicy === undefined
      ? []
      : validatePodFailurePolicy(`${field}.podFailurePolicy`, spec.podFailurePolicy, spec)),
    ...(spec.successPolicy === undefined
      ? []
      : validateSuccessPolicy(`${field}.successPolicy`, spec.successPolicy, spec)),
    ...validateReplacement(`${field}.podReplacementPolicy`, podReplacementPolicy, spec),
    ...validateTemplate(`${field}.template`, spec.template),
    ...validateRestarts(`${field}.template.spec.restartPolicy`, spec),
  ]
}

const longestManagerBytes = 63

function checkManager(field: string, manager: string): readonly FieldError[] {
  return [
    ...checkDomainPrefixedPath(field, manager),
    ...(utf8Length(manager) > longestManagerBytes ? [tooLongField(field, longestManagerBytes)] : []),
  ]
}

function validateCounts(field: string, spec: JobSpec): readonly FieldError[] {
  const { backoffLimitPerIndex, maxFailedIndexes } = spec
  return [
    ...checkNotNegative(`${field}.parallelism`, spec.parallelism),
    ...checkNotNegative(`${field}.completions`, spec.completions),
    ...checkNotNegative(`${field}.activeDeadlineSeconds`, spec.activeDeadlineSeconds),
    ...checkNotNegative(`${field}.backoffLimit`, spec.backoffLimit),
    ...checkNotNegative(`${field}.ttlSecondsAfterFinished`, spec.ttlSecondsAfterFinished),
    ...checkNotNegative(`${field}.backoffLimitPerIndex`, backoffLimitPerIndex),
    ...checkNotNegative(`${field}.maxFailedIndexes`, maxFailedIndexes),
    ...(maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined
      ? [requiredField(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
  ]
}

function validateMode(field: string, spec: JobSpec): readonly FieldError[] {
  const { completionMode = 'NonIndexed', backoffLimitPerIndex, maxFailedIndexes } = spec
  switch (completionMode) {
    case 'Indexed':
      return validateIndexed(field, spec)
    case 'NonIndexed':
      return Object.entries({ backoffLimitPerIndex, maxFailedIndexes }).flatMap(([name, value]) =>
        value === undefined ? [] : [invalidField(`${field}.${name}`, value, 'requires indexed completion mode')],
      )
    default:
      return [notSupportedField(`${field}.completionMode`, completionMode, ['NonIndexed', 'Indexed'])]
  }
}

function validateIndexed(field: string, spec: JobSpec): readonly FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = spec
  const failed = `${field}.maxFailedIndexes`
  return [
    ...(completions === undefined ? [requiredField(`${field}.completions`, 'when completion mode is Indexed')] : []),
    ...checkAtMost(`${field}.parallelism`, parallelism, maxIndexed, ' when completion mode is Indexed'),
    ...(completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions
      ? [invalidField(failed, maxFailedIndexes, 'must be less than or equal to completions')]
      : []),
    ...checkAtMost(failed, maxFailedIndexes ?? 0, maxIndexed),
    ...(completions !== undefined && completions > manyCompletions && backoffLimitPerIndex !== undefined
      ? validateManyIndexes(field, parallelism, maxFailedIndexes)
      : []),
  ]
}

function validateManyIndexes(
  field: string,
  parallelism: number,
  maxFailedIndexes: number | undefined,
): readonly FieldError[] {
  const failed = `${field}.maxFailedIndexes`
  const when = ` when completions are above ${manyCompletions} and used with backoff limit per index`
  return [
    ...(maxFailedIndexes === undefined
      ? [requiredField(failed, `must be specified when completions is above ${manyCompletions}`)]
      : []),
    ...checkAtMost(`${field}.parallelism`, parallelism, maxIndexedOfMany, when),
    ...checkAtMost(failed, maxFailedIndexes ?? 0, maxIndexedOfMany, when),
  ]
}

function checkAtMost(field: string, value: number, max: number, when = ''): readonly FieldError[] {
  return value <= max ? [] : [invalidField(field, value, `must be less than or equal to ${max}${when}`)]
}

function validateReplacement(field: string, policy: string | undefined, spec: JobSpec): readonly FieldError[] {
  if (policy === undefined) return []
  const supported = spec.podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed']
  return supported.includes(policy) ? [] : [notSupportedField(field, policy, supported)]
}

function validateRestarts(field: string, spec: JobSpec): readonly FieldError[] {
  const { restartPolicy } = spec.template.spec
  if (restartPolicy === 'Always' || restartPolicy === undefined) {
    return [requiredField(field, 'valid values: "OnFailure", "Never"')]
  }
  if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never') {
    return [notSupportedField(field, restartPolicy, ['OnFailure', 'Never'])]
  }
  if (spec.podFailurePolicy === undefined || restartPolicy === 'Never') return []
  return [invalidField(field, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified')]
}
