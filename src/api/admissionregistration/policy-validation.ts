import { reservedWords } from '../../cel/syntax/parse.ts'
import { type CelExpression, newExpressionErrors } from '../cel/expression.ts'
import { checkEach, checkSupported } from '../core/field-checks.ts'
import { repeated } from '../core/repeated.ts'
import { duplicateField, type FieldError, invalidField, requiredField, tooManyField } from '../field-error.ts'
import { validateQualifiedName } from '../names.ts'
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  Validation,
  Variable,
} from '../types/admissionregistration-v1.ts'
import { validateMatchConditions } from './match-conditions.ts'
import { failurePolicies, validateMatchResources } from './match-resources.ts'
import { validateParamKind } from './param-kind.ts'
import { compilePolicy, mostPolicyVariables, type PolicyValidation } from './policy-expressions.ts'

const mostAnnotations = 20
/** Reasons that a refusal may give: clients act on them. */
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']

export function validatePolicy({ metadata, spec }: ValidatingAdmissionPolicy): readonly FieldError[] {
  const { matchConditions = [], variables = [], matchConstraints, paramKind } = spec
  const compiled = compilePolicy(spec)
  return [
    ...checkSupported('spec.failurePolicy', spec.failurePolicy, failurePolicies),
    ...(paramKind === undefined ? [] : validateParamKind('spec.paramKind', paramKind)),
    ...(matchConstraints === undefined ? [requiredField('spec.matchConstraints')] : []),
    ...validateMatchResources('spec.matchConstraints', matchConstraints),
    ...(matchConstraints !== undefined && (matchConstraints.resourceRules ?? []).length === 0
      ? [requiredField('spec.matchConstraints.resourceRules')]
      : []),
    ...validateMatchConditions('spec.matchConditions', matchConditions, compiled.conditions),
    ...validateVariables('spec.variables', variables, compiled.variables),
    ...validateFindings(spec),
    ...(spec.validations ?? []).flatMap((validation, index) =>
      validateValidation(`spec.validations[${index}]`, validation, compiled.validations[index]),
    ),
    ...validateAnnotations(
      'spec.auditAnnotations',
      metadata.name ?? '',
      spec.auditAnnotations ?? [],
      compiled.annotations.map(({ expression }) => expression),
    ),
  ]
}

/** A policy without validations and annotations has no effect. */
function validateFindings({ validations = [], auditAnnotations = [] }: ValidatingAdmissionPolicy['spec']) {
  if (validations.length > 0 || auditAnnotations.length > 0) return []
  const problem = 'validations or auditAnnotations must contain at least one item'
  return [requiredField('spec.validations', problem), requiredField('spec.auditAnnotations', problem)]
}

function validateVariables(
  field: string,
  variables: readonly Variable[],
  compiled: ReadonlyMap<string, CelExpression>,
): readonly FieldError[] {
  if (variables.length > mostPolicyVariables) return [tooManyField(field, variables.length, mostPolicyVariables)]
  return variables.flatMap(({ name }, index) => [
    ...validateVariableName(`${field}[${index}].name`, name),
    ...validateCompiled(`${field}[${index}].expression`, compiled.get(name)),
  ])
}

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/

function validateVariableName(field: string, name: string): readonly FieldError[] {
  if (name.trim() === '') return [requiredField(field, 'name is not specified')]
  return identifier.test(name) && !reservedWords.has(name)
    ? []
    : [invalidField(field, name, 'name is not a valid CEL identifier')]
}

function validateCompiled(
  field: string,
  compiled: CelExpression | undefined,
  named = 'expression',
): readonly FieldError[] {
  if (compiled === undefined || compiled.text.trim() === '') return [requiredField(field, `${named} is not specified`)]
  return newExpressionErrors(field, compiled)
}

function validateValidation(
  field: string,
  { message = '', messageExpression = '', reason }: Validation,
  compiled: PolicyValidation | undefined,
): readonly FieldError[] {
  return [
    ...validateCompiled(`${field}.expression`, compiled?.expression),
    ...(messageExpression !== '' && messageExpression.trim() === ''
      ? [invalidField(`${field}.messageExpression`, messageExpression, 'must be non-empty if specified')]
      : []),
    ...(compiled?.messageExpression === undefined
      ? []
      : validateCompiled(`${field}.messageExpression`, compiled.messageExpression)),
    ...validateMessage(`${field}.message`, message),
    ...checkSupported(`${field}.reason`, reason, reasons),
  ]
}

function validateMessage(field: string, message: string): readonly FieldError[] {
  if (message === '') return []
  if (message.trim() === '') return [invalidField(field, message, 'message must be non-empty if specified')]
  return /[\n\r]/.test(message.trim()) ? [invalidField(field, message, 'message must not contain line breaks')] : []
}

/** The name of the policy is prepended to the keys. */
function validateAnnotations(
  field: string,
  policy: string,
  annotations: readonly AuditAnnotation[],
  compiled: readonly CelExpression[],
): readonly FieldError[] {
  if (annotations.length > mostAnnotations) return [tooManyField(field, annotations.length, mostAnnotations)]
  const isTaken = repeated(annotations.map(({ key }) => key))
  return annotations.flatMap(({ key }, index) => {
    const whole = `${policy}/${key}`
    return [
      ...checkEach(`${field}[${index}].key`, whole, validateQualifiedName(whole)),
      ...validateCompiled(`${field}[${index}].valueExpression`, compiled[index], 'valueExpression'),
      ...(isTaken[index] ? [duplicateField(`${field}[${index}].key`, key)] : []),
    ]
  })
}
