import type { KubeObject } from '../../api/object.ts'
import { withoutManagedFields } from '../../client/watch/without-managed-fields.ts'

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** What is kept of a virtual object. Whole copies of it that clients leave in annotations never travel. */
export function keptVirtual(object: KubeObject): KubeObject {
  const kept = withoutManagedFields(object)
  const { annotations } = kept.metadata
  if (annotations === undefined || !Object.hasOwn(annotations, lastApplied)) return kept
  const { [lastApplied]: _, ...rest } = annotations
  return { ...kept, metadata: { ...kept.metadata, annotations: rest } }
}
