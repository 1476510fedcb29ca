import { type FieldError, invalidFieldAs, notSupportedField } from '../field-error.ts'
import { nanosOf } from '../quantity.ts'
import type { PersistentVolumeClaim } from '../types/core-v1.ts'
import { checkQualifiedName } from './field-checks.ts'
import { isNativeResource } from './resource-names.ts'

const one = 1_000_000_000n

export function validateClaimStatus({ status }: PersistentVolumeClaim): readonly FieldError[] {
  const { capacity = {}, allocatedResources = {} } = status
  return [
    ...Object.entries(capacity).flatMap(([name, amount]) => checkAmount(`status.capacity[${name}]`, amount)),
    ...Object.entries(allocatedResources).flatMap(([name, amount]) => validateAllocated(name, amount)),
  ]
}

function validateAllocated(name: string, amount: string | number): readonly FieldError[] {
  const field = 'status.allocatedResources'
  const problems = checkQualifiedName(field, name)
  if (problems.length > 0) return problems
  if (isNativeResource(name) && name !== 'storage') return [notSupportedField(field, name, ['storage'])]
  return checkAmount(`${field}[${name}]`, amount)
}

/** Told as a whole number, rounded away from zero. */
function checkAmount(field: string, amount: string | number): readonly FieldError[] {
  const nanos = nanosOf(amount)
  if (nanos >= 0n) return []
  return [invalidFieldAs(field, String((nanos - one + 1n) / one), 'must be a valid resource quantity')]
}
