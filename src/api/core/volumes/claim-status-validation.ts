import { allErrors, type FieldError, notSupportedField, notSupportedFieldAs, requiredField } from '../../field-error.ts'
import type { PersistentVolumeClaim } from '../../types/core-v1.ts'
import { isNativeResource } from '../amounts/resource-names.ts'
import { checkStoredAmount } from '../amounts/stored-amounts.ts'
import { checkQualifiedName } from '../field-checks.ts'

const resizeStates = [
  ...['ControllerResizeInProgress', 'ControllerResizeInfeasible'],
  ...['NodeResizeInProgress', 'NodeResizeInfeasible', 'NodeResizePending'],
].sort()

export function validateClaimStatus({ spec, status }: PersistentVolumeClaim): readonly FieldError[] {
  const { capacity = {}, allocatedResources = {}, allocatedResourceStatuses = {} } = status
  return allErrors(
    (spec.accessModes ?? []).length === 0 ? [requiredField('Spec.accessModes')] : [],
    Object.entries(capacity).flatMap(([name, amount]) => checkStoredAmount(`status.capacity[${name}]`, amount)),
    Object.entries(allocatedResourceStatuses).flatMap(([name, state]) => validateState(name, state)),
    Object.entries(allocatedResources).flatMap(([name, amount]) => validateAllocated(name, amount)),
  )
}

function validateState(name: string, state: string): readonly FieldError[] {
  const field = 'status.allocatedResourceStatus'
  return allErrors(
    checkName(field, name),
    resizeStates.includes(state) ? [] : [notSupportedFieldAs(field, name, resizeStates)],
  )
}

function validateAllocated(name: string, amount: string | number): readonly FieldError[] {
  const field = 'status.allocatedResources'
  const problems = checkName(field, name)
  if (problems.length > 0) return problems
  return checkStoredAmount(`${field}[${name}]`, amount)
}

function checkName(field: string, name: string): readonly FieldError[] {
  const problems = checkQualifiedName(field, name)
  if (problems.length > 0) return problems
  return isNativeResource(name) && name !== 'storage' ? [notSupportedField(field, name, ['storage'])] : []
}
