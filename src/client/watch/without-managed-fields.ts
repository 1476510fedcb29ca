import type { KubeObject } from '../../api/object.ts'

/** Often half of an object, and of no interest to whoever reads it. Servers keep their own when it is absent from a write. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields, ...metadata } = object.metadata
  return managedFields === undefined ? object : { ...object, metadata }
}
