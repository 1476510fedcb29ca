import { allErrors, type FieldError, forbiddenField, invalidField, requiredField } from '../../field-error.ts'
import type { NodeAffinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../../types/core-v1.ts'
import { checkQualifiedName, checkSubdomain } from '../field-checks.ts'

/** Which nodes something can be on; used by Pods and volumes. */
export function validateNodeSelector(field: string, { nodeSelectorTerms }: NodeSelector): readonly FieldError[] {
  const list = `${field}.nodeSelectorTerms`
  const terms = nodeSelectorTerms ?? []
  if (terms.length === 0) return [requiredField(list, 'must have at least one node selector term')]
  return terms.flatMap((term, index) => validateTerm(`${list}[${index}]`, term))
}

export function validateNodeAffinity(field: string, affinity: NodeAffinity): readonly FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity
  return allErrors(
    required === undefined
      ? []
      : validateNodeSelector(`${field}.requiredDuringSchedulingIgnoredDuringExecution`, required),
    preferred.flatMap(({ weight, preference }, index) => {
      const path = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`
      return allErrors(checkWeight(`${path}.weight`, weight), validateTerm(`${path}.preference`, preference))
    }),
  )
}

export function checkWeight(field: string, weight: number): readonly FieldError[] {
  return weight >= 1 && weight <= 100 ? [] : [invalidField(field, weight, 'must be in the range 1-100')]
}

function validateTerm(field: string, { matchExpressions = [], matchFields = [] }: NodeSelectorTerm) {
  return allErrors(
    matchExpressions.flatMap((each, index) => validateExpression(`${field}.matchExpressions[${index}]`, each)),
    matchFields.flatMap((each, index) => validateFieldMatch(`${field}.matchFields[${index}]`, each)),
  )
}

function validateExpression(field: string, requirement: NodeSelectorRequirement): readonly FieldError[] {
  return allErrors(validateValues(field, requirement), checkQualifiedName(`${field}.key`, requirement.key))
}

function validateValues(field: string, { operator, values = [] }: NodeSelectorRequirement): readonly FieldError[] {
  const path = `${field}.values`
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return []
      return [requiredField(path, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return []
      return [forbiddenField(path, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    case 'Gt':
    case 'Lt':
      if (values.length === 1) return []
      return [requiredField(path, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
    default:
      return [invalidField(`${field}.operator`, operator, 'not a valid selector operator')]
  }
}

/** The only field of nodes that can be selected is their name. */
function validateFieldMatch(field: string, { key, operator, values = [] }: NodeSelectorRequirement) {
  const onlyOne = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
  const isKnown = operator === 'In' || operator === 'NotIn'
  return allErrors(
    isKnown ? [] : [invalidField(`${field}.operator`, operator, 'not a valid selector operator')],
    isKnown && values.length !== 1 ? [requiredField(`${field}.values`, onlyOne)] : [],
    key === 'metadata.name'
      ? values.flatMap((value, index) => checkSubdomain(`${field}.values[${index}]`, value))
      : [invalidField(`${field}.key`, key, 'not a valid field selector key')],
  )
}
