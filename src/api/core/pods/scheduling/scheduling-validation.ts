import { allErrors, duplicateField, type FieldError, forbiddenField } from '../../../field-error.ts'
import type { PodSpec } from '../../../types/core-v1.ts'
import { checkIP, checkQualifiedName, checkSubdomain } from '../../field-checks.ts'
import { validateNodeAffinity } from '../../nodes/node-selector-validation.ts'
import { repeated } from '../../repeated.ts'
import { validatePodAffinity } from './pod-affinity-validation.ts'

export function validateAffinity(field: string, { affinity }: PodSpec): readonly FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {}
  const path = `${field}.affinity`
  return allErrors(
    nodeAffinity === undefined ? [] : validateNodeAffinity(`${path}.nodeAffinity`, nodeAffinity),
    podAffinity === undefined ? [] : validatePodAffinity(`${path}.podAffinity`, podAffinity),
    podAntiAffinity === undefined ? [] : validatePodAffinity(`${path}.podAntiAffinity`, podAntiAffinity),
  )
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
    return allErrors(checkQualifiedName(path, name), isTaken[index] ? [duplicateField(path, name)] : [])
  })
}

/** A gated pod cannot have a node yet. */
export function validateUnplaced(field: string, { schedulingGates = [], nodeName }: PodSpec): readonly FieldError[] {
  if (schedulingGates.length === 0 || nodeName === undefined) return []
  return [forbiddenField(`${field}.nodeName`, 'cannot be set until all schedulingGates have been cleared')]
}

export function validateHostAliases(field: string, { hostAliases = [] }: PodSpec): readonly FieldError[] {
  return hostAliases.flatMap(({ ip, hostnames = [] }, index) => {
    const path = `${field}.hostAliases[${index}]`
    return allErrors(
      checkIP(`${path}.ip`, ip),
      hostnames.flatMap((name, at) => checkSubdomain(`${path}.hostnames[${at}]`, name)),
    )
  })
}
