import { allErrors, errorsOfEach, type FieldError, invalidField, notSupportedField } from '../../field-error.ts'
import { validateLabelValue } from '../../names.ts'
import type { Toleration } from '../../types/core-v1.ts'
import { checkOneOf, checkQualifiedName } from '../field-checks.ts'

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

export function validateTolerations(field: string, tolerations: readonly Toleration[]): readonly FieldError[] {
  return errorsOfEach(tolerations, (each, index) => validateToleration(`${field}[${index}]`, each))
}

function validateToleration(field: string, toleration: Toleration): readonly FieldError[] {
  const { key, operator = '', effect, tolerationSeconds } = toleration
  return allErrors(
    key === undefined ? [] : checkQualifiedName(`${field}.key`, key),
    key === undefined && operator !== 'Exists'
      ? [
          invalidField(
            `${field}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : [],
    tolerationSeconds !== undefined && effect !== 'NoExecute'
      ? [invalidField(`${field}.effect`, effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : [],
    validateOperator(`${field}.operator`, operator, toleration.value ?? ''),
    effect === undefined ? [] : checkOneOf(`${field}.effect`, effect, taintEffects),
  )
}

function validateOperator(field: string, operator: string, value: string): readonly FieldError[] {
  switch (operator) {
    case '':
    case 'Equal': {
      const problems = validateLabelValue(value)
      return problems.length === 0 ? [] : [invalidField(field, value, problems.join(';'))]
    }
    case 'Exists':
      return value === '' ? [] : [invalidField(field, value, "value must be empty when `operator` is 'Exists'")]
    default:
      return [notSupportedField(field, operator, ['Equal', 'Exists'])]
  }
}
