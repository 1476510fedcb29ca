import { type FieldError, invalidField } from '../field-error.ts'
import { validateLabelValue, validateQualifiedName } from '../names.ts'

/** For one selector: each is evaluated for every object. */
export const mostRequirements = 200

export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | '>' | '<'

/** One condition on one label. All conditions of a selector must hold. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: LabelOperator
  readonly values: ReadonlySet<string>
}

export type Labels = Readonly<Record<string, string>>

export function requirementHolds({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case 'in':
    case '=':
    case '==':
      return value !== undefined && values.has(value)
    case 'notin':
    case '!=':
      return value === undefined || !values.has(value)
    case 'exists':
      return value !== undefined
    case '!':
      return value === undefined
    case '>':
      return isOrdered(value, values, (left, right) => left > right)
    case '<':
      return isOrdered(value, values, (left, right) => left < right)
  }
}

/** What Kubernetes says about an invalid requirement; empty if it is valid. */
export function requirementErrors({ key, operator, values }: LabelRequirement): readonly FieldError[] {
  const list = [...values].sort()
  const errors = [...keyErrors('key', key)]
  list.forEach((value, index) => {
    if ((operator === '>' || operator === '<') && integer(value) === undefined) {
      const detail = "for 'Gt', 'Lt' operators, the value must be an integer"
      errors.push(invalidField(`values[${index}]`, value, detail))
    }
  })
  list.forEach((value, index) => {
    const problems = validateLabelValue(value)
    if (problems.length > 0) errors.push(invalidField(`values[${index}][${key}]`, value, problems.join('; ')))
  })
  return errors
}

/** Problems of a key as one error, as selectors report them. */
export function keyErrors(field: string, key: string): readonly FieldError[] {
  const problems = validateQualifiedName(key)
  return problems.length === 0 ? [] : [invalidField(field, key, problems.join('; '))]
}

function isOrdered(
  value: string | undefined,
  values: ReadonlySet<string>,
  compare: (left: bigint, right: bigint) => boolean,
): boolean {
  const left = integer(value ?? '')
  const [bound = ''] = values
  const right = integer(bound)
  return left !== undefined && right !== undefined && compare(left, right)
}

/** An integer that fits into 64 bits. */
function integer(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]{1,40}$/.test(text)) return undefined
  const number = BigInt(text.startsWith('+') ? text.slice(1) : text)
  return BigInt.asIntN(64, number) === number ? number : undefined
}
