import type { KubeObject } from '../../api/object.ts'

/** Often half of an object, and irrelevant to its readers. Servers keep their own when a write omits it. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
