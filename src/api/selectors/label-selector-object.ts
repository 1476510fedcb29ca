import {
  allErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  tooManyField,
} from '../field-error.ts'
import { validateLabels } from '../metadata/labels.ts'
import { validateLabelValue, validateQualifiedName } from '../names.ts'
import { type LabelOperator, type LabelRequirement, mostRequirements } from './label-requirement.ts'
import { type LabelSelector, labelSelectorOf, noLabel, printLabelSelector } from './label-selector.ts'

/** A label selector as written in objects. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly LabelSelectorExpression[]
}

export interface LabelSelectorExpression {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
])

/** Absent selects nothing, empty selects everything. The object has been validated. */
export function labelSelectorFrom(object: LabelSelectorObject | undefined): LabelSelector {
  if (object === undefined) return noLabel
  const equalities = Object.entries(object.matchLabels ?? {}).map(
    ([key, value]): LabelRequirement => ({ key, operator: '=', values: new Set([value]) }),
  )
  return labelSelectorOf([...equalities, ...(object.matchExpressions ?? []).map(requirementFrom)])
}

/** For settings that apply to everything unless narrowed: absent if the selector is absent or empty. */
export function narrowingSelector(object: LabelSelectorObject | undefined): LabelSelector | undefined {
  return object === undefined || requirementCount(object) === 0 ? undefined : labelSelectorFrom(object)
}

/** The text form, ordered by key. Empty if the selector is absent, empty or invalid. */
export function labelSelectorText(object: LabelSelectorObject | undefined): string {
  if (object === undefined || validateLabelSelector('', object).length > 0) return ''
  const { requirements } = labelSelectorFrom(object)
  const sorted = [...requirements].sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
  return printLabelSelector(labelSelectorOf(sorted))
}

function requirementCount({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): number {
  return Object.keys(matchLabels).length + matchExpressions.length
}

export function validateLabelSelector(field: string, object: LabelSelectorObject): readonly FieldError[] {
  const count = requirementCount(object)
  if (count > mostRequirements) return [tooManyField(field, count, mostRequirements)]
  const errors: FieldError[] = []
  validateLabels(`${field}.matchLabels`, object.matchLabels, errors)
  object.matchExpressions?.forEach((expression, index) => {
    errors.push(...validateExpression(`${field}.matchExpressions[${index}]`, expression))
  })
  return errors
}

function requirementFrom({ key, operator, values }: LabelSelectorExpression): LabelRequirement {
  const known = operators.get(operator)
  if (known === undefined) throw new Error(`The label selector operator ${operator} got past validation.`)
  return { key, operator: known, values: new Set(values) }
}

export function validateExpression(field: string, expression: LabelSelectorExpression): readonly FieldError[] {
  const { key, values = [] } = expression
  return allErrors(
    validateExpressionValues(field, expression),
    validateQualifiedName(key).map((problem) => invalidField(`${field}.key`, key, problem)),
    values.flatMap((value, index) =>
      validateLabelValue(value).map((problem) => invalidField(`${field}.values[${index}]`, value, problem)),
    ),
  )
}

export function validateExpressionValues(
  field: string,
  { operator, values = [] }: LabelSelectorExpression,
): readonly FieldError[] {
  switch (operators.get(operator)) {
    case 'in':
    case 'notin':
      if (values.length > 0) return []
      return [requiredField(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'exists':
    case '!':
      if (values.length === 0) return []
      return [forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    default:
      return [invalidField(`${field}.operator`, operator, 'not a valid selector operator')]
  }
}
