import type { KubeObject } from '../api/object.ts'

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** What is kept of a virtual object. Whole copies of it that clients leave in annotations never travel. */
export function keptVirtual(object: KubeObject): KubeObject {
  const { managedFields: _, annotations, ...metadata } = object.metadata
  if (annotations === undefined) return { ...object, metadata }
  if (!Object.hasOwn(annotations, lastApplied)) return { ...object, metadata: { ...metadata, annotations } }
  const { [lastApplied]: __, ...kept } = annotations
  return { ...object, metadata: { ...metadata, annotations: kept } }
}
