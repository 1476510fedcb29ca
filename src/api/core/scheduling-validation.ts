import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../field-error.ts'
import type { NodeAffinity, PodSpec, TopologySpreadConstraint } from '../types/core-v1.ts'
import { checkIP, checkQualifiedName, checkSubdomain } from './field-checks.ts'
import { repeated } from './repeated.ts'

const whenUnsatisfiable = ['DoNotSchedule', 'ScheduleAnyway']

export function validateAffinity(field: string, { affinity }: PodSpec): readonly FieldError[] {
  const { nodeAffinity } = affinity ?? {}
  return nodeAffinity === undefined ? [] : validateNodeAffinity(`${field}.affinity.nodeAffinity`, nodeAffinity)
}

function validateNodeAffinity(field: string, affinity: NodeAffinity): readonly FieldError[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity
  const terms = `${field}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`
  return [
    ...(required !== undefined && (required.nodeSelectorTerms ?? []).length === 0
      ? [requiredField(terms, 'must have at least one node selector term')]
      : []),
    ...preferred.flatMap(({ weight }, index) => {
      const path = `${field}.preferredDuringSchedulingIgnoredDuringExecution[${index}].weight`
      return weight >= 1 && weight <= 100 ? [] : [invalidField(path, weight, 'must be in the range 1-100')]
    }),
  ]
}

export function validateReadinessGates(field: string, { readinessGates = [] }: PodSpec): readonly FieldError[] {
  return readinessGates.flatMap(({ conditionType }, index) =>
    checkQualifiedName(`${field}.readinessGates[${index}].conditionType`, conditionType),
  )
}

export function validateSchedulingGates(field: string, { schedulingGates = [] }: PodSpec): readonly FieldError[] {
  const isTaken = repeated(schedulingGates.map(({ name }) => name))
  return schedulingGates.flatMap(({ name }, index) => {
    const path = `${field}.schedulingGates[${index}]`
    return [...checkQualifiedName(path, name), ...(isTaken[index] ? [duplicateField(path, name)] : [])]
  })
}

/** A pod that has to wait cannot have a place yet. */
export function validateUnplaced(field: string, { schedulingGates = [], nodeName }: PodSpec): readonly FieldError[] {
  if (schedulingGates.length === 0 || nodeName === undefined) return []
  return [forbiddenField(`${field}.nodeName`, 'cannot be set until all schedulingGates have been cleared')]
}

export function validateSpread(field: string, { topologySpreadConstraints = [] }: PodSpec): readonly FieldError[] {
  return topologySpreadConstraints.flatMap((each, index) =>
    validateConstraint(`${field}.topologySpreadConstraints[${index}]`, each),
  )
}

function validateConstraint(field: string, constraint: TopologySpreadConstraint): readonly FieldError[] {
  const { maxSkew, topologyKey, minDomains, matchLabelKeys = [], labelSelector } = constraint
  const { whenUnsatisfiable: action } = constraint
  return [
    ...(maxSkew > 0 ? [] : [invalidField(`${field}.maxSkew`, maxSkew, 'must be greater than zero')]),
    ...(topologyKey === '' ? [requiredField(`${field}.topologyKey`, 'can not be empty')] : []),
    ...(whenUnsatisfiable.includes(action)
      ? []
      : [notSupportedField(`${field}.whenUnsatisfiable`, action, whenUnsatisfiable)]),
    ...(minDomains === undefined || minDomains > 0
      ? []
      : [invalidField(`${field}.minDomains`, minDomains, 'must be greater than zero')]),
    ...(matchLabelKeys.length > 0 && labelSelector === undefined
      ? [forbiddenField(`${field}.matchLabelKeys`, 'must not be specified when labelSelector is not set')]
      : []),
  ]
}

export function validateHostAliases(field: string, { hostAliases = [] }: PodSpec): readonly FieldError[] {
  return hostAliases.flatMap(({ ip, hostnames = [] }, index) => {
    const path = `${field}.hostAliases[${index}]`
    return [
      ...checkIP(`${path}.ip`, ip),
      ...hostnames.flatMap((name, at) => checkSubdomain(`${path}.hostnames[${at}]`, name)),
    ]
  })
}
