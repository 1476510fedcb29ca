import type { KubeObject } from '../../api/object.ts'
import type { Node } from '../../api/types/core-v1.ts'
import { withoutManagedFields } from '../../client/watch/without-managed-fields.ts'

/** A host may have thousands of nodes, and most of each is its list of images. */
export function keptNode(object: KubeObject): KubeObject {
  const node = withoutManagedFields(object) as Node
  const { annotations: _, ...metadata } = node.metadata
  const { images: __, volumesInUse: ___, volumesAttached: ____, ...status } = node.status ?? {}
  return { ...node, metadata, status }
}
