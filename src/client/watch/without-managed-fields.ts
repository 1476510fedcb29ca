import type { KubeObject } from '../../api/object.ts'

/** Often half of an object, and of no interest to whoever reads it. Servers keep their own when it is absent from a write. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
