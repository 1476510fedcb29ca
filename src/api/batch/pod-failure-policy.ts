import { checkQualifiedName } from '../core/field-checks.ts'
import { repeated } from '../core/repeated.ts'
import {
  duplicateField,
  type FieldError,
  invalidField,
  invalidFieldAs,
  notSupportedField,
  requiredField,
  tooManyField,
} from '../field-error.ts'
import type {
  JobSpec,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from '../types/batch-v1.ts'

const maxRules = 20
const maxExitCodes = 255
const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const statuses = ['False', 'True', 'Unknown']

export function validatePodFailurePolicy(
  field: string,
  policy: PodFailurePolicy,
  spec: JobSpec,
): readonly FieldError[] {
  const rules = policy.rules ?? []
  const { containers, initContainers } = spec.template.spec
  const names = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name))
  return [
    ...(rules.length > maxRules ? [tooManyField(`${field}.rules`, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, index) => validateRule(`${field}.rules[${index}]`, rule, names, spec)),
  ]
}

function validateRule(
  field: string,
  rule: PodFailurePolicyRule,
  containers: ReadonlySet<string>,
  spec: JobSpec,
): readonly FieldError[] {
  const { onExitCodes, onPodConditions = [] } = rule
  const hasConditions = onPodConditions.length > 0
  return [
    ...validateAction(`${field}.action`, rule.action, spec),
    ...(onExitCodes === undefined ? [] : validateExitCodes(`${field}.onExitCodes`, onExitCodes, containers)),
    ...(onPodConditions.length > maxRules
      ? [tooManyField(`${field}.onPodConditions`, onPodConditions.length, maxRules)]
      : []),
    ...onPodConditions.flatMap((each, index) => validateCondition(`${field}.onPodConditions[${index}]`, each)),
    ...(onExitCodes !== undefined && hasConditions
      ? [invalidRule(field, 'specifying both OnExitCodes and OnPodConditions is not supported')]
      : []),
    ...(onExitCodes === undefined && !hasConditions
      ? [invalidRule(field, 'specifying one of OnExitCodes and OnPodConditions is required')]
      : []),
  ]
}

/** Kubernetes omits the value here. */
function invalidRule(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` }
}

function validateAction(field: string, action: string, spec: JobSpec): readonly FieldError[] {
  if (action === '') return [requiredField(field, `valid values: ["${actions.join('" "')}"]`)]
  if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    return [invalidField(field, action, 'requires the backoffLimitPerIndex to be set')]
  }
  return actions.includes(action) ? [] : [notSupportedField(field, action, actions)]
}

function validateExitCodes(
  field: string,
  { operator, containerName, values }: PodFailurePolicyOnExitCodesRequirement,
  containers: ReadonlySet<string>,
): readonly FieldError[] {
  return [
    ...validateOperator(`${field}.operator`, operator),
    ...(containerName === undefined || containers.has(containerName)
      ? []
      : [
          invalidField(
            `${field}.containerName`,
            containerName,
            'must be one of the container or initContainer names in the pod template',
          ),
        ]),
    ...validateCodes(`${field}.values`, values ?? [], operator),
  ]
}

function validateOperator(field: string, operator: string): readonly FieldError[] {
  if (operator === '') return [requiredField(field, 'valid values: ["In" "NotIn"]')]
  return operator === 'In' || operator === 'NotIn' ? [] : [notSupportedField(field, operator, ['In', 'NotIn'])]
}

function validateCodes(field: string, codes: readonly number[], operator: string): readonly FieldError[] {
  const isTaken = repeated(codes.map(String))
  const isOrdered = codes.every((code, index) => index === 0 || (codes[index - 1] ?? 0) <= code)
  return [
    ...(codes.length === 0 ? [invalidFieldAs(field, '[]int32{}', 'at least one value is required')] : []),
    ...(codes.length > maxExitCodes ? [tooManyField(field, codes.length, maxExitCodes)] : []),
    ...codes.flatMap((code, index) => [
      ...(operator === 'In' && code === 0
        ? [invalidField(`${field}[${index}]`, code, 'must not be 0 for the In operator')]
        : []),
      ...(isTaken[index] ? [duplicateField(`${field}[${index}]`, code)] : []),
    ]),
    ...(isOrdered ? [] : [invalidField(field, codes, 'must be ordered')]),
  ]
}

function validateCondition(
  field: string,
  { type, status }: PodFailurePolicyOnPodConditionsPattern,
): readonly FieldError[] {
  return [...checkQualifiedName(`${field}.type`, type), ...validateStatus(`${field}.status`, status)]
}

function validateStatus(field: string, status: string): readonly FieldError[] {
  if (status === '') return [requiredField(field, `valid values: ["${statuses.join('" "')}"]`)]
  return statuses.includes(status) ? [] : [notSupportedField(field, status, statuses)]
}
