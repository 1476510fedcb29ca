import { repeated } from '../core/repeated.ts'
import {
  duplicateField,
  type FieldError,
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../field-error.ts'
import { validateQualifiedName } from '../names.ts'
import type { Condition } from '../types/meta-v1.ts'
import { utf8Length } from '../utf8-length.ts'

const statuses = ['False', 'True', 'Unknown']
const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?'
const reasonForm = new RegExp(`^${reasonPattern}$`)
const reasonAdvice = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${reasonPattern}')`
const longestReason = 1024
const longestMessage = 32 * 1024

/** Conditions in the form of newer kinds: each records when it changed, and why. */
export function validateMetaConditions(field: string, conditions: readonly Condition[]): readonly FieldError[] {
  const isTaken = repeated(conditions.map(({ type }) => type))
  return conditions.flatMap((condition, index) => [
    ...(isTaken[index] ? [duplicateField(`${field}[${index}].type`, condition.type)] : []),
    ...validateCondition(`${field}[${index}]`, condition),
  ])
}

function validateCondition(field: string, condition: Condition): readonly FieldError[] {
  const { type, status, observedGeneration = 0, lastTransitionTime, message = '' } = condition
  return [
    ...validateQualifiedName(type).map((problem) => invalidField(`${field}.type`, type, problem)),
    ...(statuses.includes(status) ? [] : [notSupportedField(`${field}.status`, status, statuses)]),
    ...(observedGeneration < 0
      ? [invalidField(`${field}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero')]
      : []),
    ...(lastTransitionTime === null ? [requiredField(`${field}.lastTransitionTime`, 'must be set')] : []),
    ...validateReason(`${field}.reason`, condition.reason),
    ...(utf8Length(message) > longestMessage ? [tooLongField(`${field}.message`, longestMessage)] : []),
  ]
}

function validateReason(field: string, reason: string): readonly FieldError[] {
  if (reason === '') return [requiredField(field, 'must be set')]
  return [
    ...(reasonForm.test(reason) ? [] : [invalidField(field, reason, reasonAdvice)]),
    ...(utf8Length(reason) > longestReason ? [tooLongField(field, longestReason)] : []),
  ]
}
