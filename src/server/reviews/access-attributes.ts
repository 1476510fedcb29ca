import type { Attributes, UserInfo } from '../../api/access.ts'
import { type FieldError, invalidField, requiredField } from '../../api/field-error.ts'
import { parseFieldTerms, printFieldTerms } from '../../api/selectors/field-terms.ts'
import { parseLabelSelector } from '../../api/selectors/label-selector.ts'
import {
  type LabelSelectorExpression,
  validateExpression,
  validateExpressionValues,
} from '../../api/selectors/label-selector-object.ts'
import { objectAt, objectsAt, textAt, textsAt, type UnknownMembers } from '../../auth/member.ts'

/** Exactly one of the two must describe the request. Errors in the subject are reported before errors in selectors. */
export function validateAttributes(
  spec: UnknownMembers | undefined,
  ofSubject: readonly FieldError[] = [],
): readonly FieldError[] {
  const resource = objectAt(spec, 'resourceAttributes')
  const path = objectAt(spec, 'nonResourceAttributes')
  if (resource !== undefined && path !== undefined) {
    const problem = 'cannot be specified in combination with resourceAttributes'
    return [invalidField('spec.nonResourceAttributes', path, problem), ...ofSubject, ...validateSelectors(resource)]
  }
  if (resource !== undefined) return [...ofSubject, ...validateSelectors(resource)]
  if (path !== undefined) return ofSubject
  const problem = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  return [invalidField('spec.resourceAttributes', 'null', problem), ...ofSubject]
}

/** The request that a valid review describes, made by the user. */
export function attributesFrom(spec: UnknownMembers | undefined, user: UserInfo): Attributes {
  const resource = objectAt(spec, 'resourceAttributes')
  if (resource === undefined) {
    const path = objectAt(spec, 'nonResourceAttributes')
    return { user, verb: textAt(path, 'verb'), path: textAt(path, 'path') }
  }
  const fieldSelector = fieldSelectorOf(objectAt(resource, 'fieldSelector'))
  return {
    ...(fieldSelector !== '' && { fieldSelector }),
    user,
    verb: textAt(resource, 'verb'),
    group: textAt(resource, 'group'),
    version: textAt(resource, 'version') || '*',
    resource: textAt(resource, 'resource'),
    subresource: textAt(resource, 'subresource'),
    namespace: textAt(resource, 'namespace'),
    name: textAt(resource, 'name'),
  }
}

/**
 * Uses the syntax of list queries. Requirements that a query cannot express are omitted: a caller who may list without
 * them may list with them.
 */
function fieldSelectorOf(selector: UnknownMembers | undefined): string {
  const raw = textAt(selector, 'rawSelector')
  if (raw !== '') return raw
  const terms = objectsAt(selector, 'requirements').flatMap((requirement) => {
    const [value, second] = textsAt(requirement, 'values')
    const operator = textAt(requirement, 'operator')
    if (value === undefined || second !== undefined || (operator !== 'In' && operator !== 'NotIn')) return []
    return [{ field: textAt(requirement, 'key'), equal: operator === 'In', value }]
  })
  return printFieldTerms(terms)
}

function validateSelectors(resource: UnknownMembers): readonly FieldError[] {
  return ['fieldSelector', 'labelSelector'].flatMap((member) => {
    const selector = objectAt(resource, member)
    const validate = member === 'labelSelector' ? validateLabelRequirement : validateFieldRequirement
    return selector === undefined ? [] : validateSelector(`spec.resourceAttributes.${member}`, selector, validate)
  })
}

/** Which selectors were not taken into account, since they cannot be read. */
export function unreadSelectors(spec: UnknownMembers): string {
  const resource = objectAt(spec, 'resourceAttributes')
  const parsers = { fieldSelector: parseFieldTerms, labelSelector: parseLabelSelector }
  return Object.entries(parsers)
    .filter(([member, parse]) => !isReadable(textAt(objectAt(resource, member), 'rawSelector'), parse))
    .map(([member]) => `spec.resourceAttributes.${member} ignored due to parse error`)
    .join('; ')
}

function isReadable(text: string, parse: (text: string) => unknown): boolean {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

type ValidateRequirement = (field: string, requirement: LabelSelectorExpression) => readonly FieldError[]

function validateSelector(
  field: string,
  selector: UnknownMembers,
  validate: ValidateRequirement,
): readonly FieldError[] {
  const raw = textAt(selector, 'rawSelector')
  const requirements = objectsAt(selector, 'requirements')
  const hasRequirements = requirements.length > 0
  if (hasRequirements) {
    return [
      ...(raw === ''
        ? []
        : [invalidField(`${field}.rawSelector`, raw, 'may not specified at the same time as requirements')]),
      ...requirements.flatMap((each, index) => validate(`${field}.requirements[${index}]`, requirementFrom(each))),
    ]
  }
  if (raw !== '') return []
  return [requiredField(`${field}.requirements`, `when ${field} is specified, requirements or rawSelector is required`)]
}

function requirementFrom(requirement: UnknownMembers): LabelSelectorExpression {
  return {
    key: textAt(requirement, 'key'),
    operator: textAt(requirement, 'operator'),
    values: textsAt(requirement, 'values'),
  }
}

/** Unknown operators are ignored: another server may know them. */
function validateLabelRequirement(field: string, requirement: LabelSelectorExpression): readonly FieldError[] {
  return validateExpression(field, requirement).filter((error) => error.field !== `${field}.operator`)
}

function validateFieldRequirement(field: string, requirement: LabelSelectorExpression): readonly FieldError[] {
  const ofKey = requirement.key === '' ? [requiredField(`${field}.key`, 'must be specified')] : []
  const ofValues = validateExpressionValues(field, requirement).filter((error) => error.field !== `${field}.operator`)
  return [...ofKey, ...ofValues]
}
