import {
  allErrors,
  duplicateField,
  errorsOfEach,
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../../field-error.ts'
import { validateLabelSelector } from '../../../selectors/label-selector-object.ts'
import type { TopologySpreadConstraint } from '../../../types/core-v1.ts'
import { checkQualifiedName } from '../../field-checks.ts'

const actions = ['DoNotSchedule', 'ScheduleAnyway']
const nodePolicies = ['Honor', 'Ignore']

export function validateSpread(list: string, constraints: readonly TopologySpreadConstraint[]): readonly FieldError[] {
  const lasts = new Map(constraints.map((each, index) => [kindOf(each), index]))
  return errorsOfEach(constraints, (each, index) =>
    validateConstraint(`${list}[${index}]`, each, lasts.get(kindOf(each)) !== index),
  )
}

/** Constraints with the same values here are of the same kind. */
function kindOf({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string {
  return `{${topologyKey}, ${whenUnsatisfiable}}`
}

function validateConstraint(
  field: string,
  constraint: TopologySpreadConstraint,
  isRepeated: boolean,
): readonly FieldError[] {
  const { maxSkew, topologyKey, whenUnsatisfiable: action, labelSelector } = constraint
  return allErrors(
    maxSkew > 0 ? [] : [invalidField(`${field}.maxSkew`, maxSkew, 'must be greater than zero')],
    topologyKey === '' ? [requiredField(`${field}.topologyKey`, 'can not be empty')] : [],
    actions.includes(action) ? [] : [notSupportedField(`${field}.whenUnsatisfiable`, action, actions)],
    isRepeated ? [duplicateField(`${field}.{topologyKey, whenUnsatisfiable}`, kindOf(constraint))] : [],
    validateDomains(`${field}.minDomains`, constraint),
    checkPolicy(`${field}.nodeAffinityPolicy`, constraint.nodeAffinityPolicy),
    checkPolicy(`${field}.nodeTaintsPolicy`, constraint.nodeTaintsPolicy),
    validateLabelKeys(`${field}.matchLabelKeys`, constraint),
    labelSelector === undefined ? [] : validateLabelSelector(`${field}.labelSelector`, labelSelector),
  )
}

function validateDomains(field: string, { minDomains, whenUnsatisfiable }: TopologySpreadConstraint) {
  if (minDomains === undefined) return []
  const problem = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`
  return allErrors(
    minDomains > 0 ? [] : [invalidField(field, minDomains, 'must be greater than zero')],
    whenUnsatisfiable === 'DoNotSchedule' ? [] : [invalidField(field, minDomains, problem)],
  )
}

function checkPolicy(field: string, policy: string | undefined): readonly FieldError[] {
  return policy === undefined || nodePolicies.includes(policy) ? [] : [notSupportedField(field, policy, nodePolicies)]
}

function validateLabelKeys(field: string, { matchLabelKeys = [], labelSelector }: TopologySpreadConstraint) {
  const { matchLabels = {}, matchExpressions = [] } = labelSelector ?? {}
  const selected = new Set([...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)])
  return allErrors(
    matchLabelKeys.length > 0 && labelSelector === undefined
      ? [forbiddenField(field, 'must not be specified when labelSelector is not set')]
      : [],
    errorsOfEach(matchLabelKeys, (key, index) =>
      allErrors(
        checkQualifiedName(`${field}[${index}]`, key),
        selected.has(key)
          ? [invalidField(`${field}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector')]
          : [],
      ),
    ),
  )
}
