import { repeated } from '../core/repeated.ts'
import { duplicateField, type FieldError, requiredField } from '../field-error.ts'

/** Conditions in a status are identified by their types. */
export function validateConditionTypes(conditions: readonly { readonly type?: string }[]): readonly FieldError[] {
  const isTaken = repeated(conditions.map(({ type = '' }) => type))
  return conditions.flatMap(({ type = '' }, index) => {
    const field = `status.conditions[${index}].type`
    return [
      ...(isTaken[index] ? [duplicateField(field, type)] : []),
      ...(type === '' ? [requiredField(field, 'must not be empty')] : []),
    ]
  })
}
