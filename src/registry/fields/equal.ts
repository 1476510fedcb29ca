import type { KubeObject, ManagedFieldsEntry } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'

/**
 * Whether writing one over the other would change nothing relevant: they are equal except for the times in
 * managedFields and for resourceVersion, which a writer need not send.
 */
export function equalIgnoringManagedFieldsTimes(left: KubeObject, right: KubeObject): boolean {
  const { metadata: leftMetadata, ...leftRest } = left
  const { metadata: rightMetadata, ...rightRest } = right
  const { managedFields: leftEntries, resourceVersion: _, ...leftOwn } = leftMetadata
  const { managedFields: rightEntries, resourceVersion: __, ...rightOwn } = rightMetadata
  return (
    deepEqual(leftOwn, rightOwn) &&
    deepEqual(leftRest, rightRest) &&
    equalEntries(leftEntries ?? [], rightEntries ?? [])
  )
}

/** Times also determine the order of entries, so the order is ignored too. */
function equalEntries(left: readonly ManagedFieldsEntry[], right: readonly ManagedFieldsEntry[]): boolean {
  if (left === right) return true
  if (left.length !== right.length) return false
  return left.every((entry) => right.some((other) => equalEntry(entry, other)))
}

function equalEntry(left: ManagedFieldsEntry, right: ManagedFieldsEntry): boolean {
  if (left === right) return true
  return (
    left.manager === right.manager &&
    left.operation === right.operation &&
    left.apiVersion === right.apiVersion &&
    left.subresource === right.subresource &&
    deepEqual(left.fieldsV1, right.fieldsV1)
  )
}
