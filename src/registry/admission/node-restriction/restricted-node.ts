import { quoted } from '../../../api/human/go-syntax.ts'
import type { Node } from '../../../api/types/core-v1.ts'
import { deepEqual } from '../../../base/equal.ts'
import type { RestrictedWrite } from './contract.ts'
import { forbiddenLabels } from './node-labels.ts'

/** A kubelet writes only its own node, and cannot attract Pods that are meant for other nodes. */
export const restrictedNode: RestrictedWrite = ({ operation, node, object, old }) => {
  const { name = '' } = object.metadata
  if (name !== node) return `node ${quoted(node)} is not allowed to modify node ${quoted(name)}`
  if (operation === 'CREATE') return refusalOfNew(node, object as Node)
  return old === undefined || operation === 'DELETE' ? undefined : refusalOfChange(node, object as Node, old as Node)
}

function refusalOfNew(node: string, { metadata, spec }: Node): string | undefined {
  if (spec.configSource !== undefined)
    return `node ${quoted(node)} is not allowed to create pods with a non-nil configSource`
  const labels = forbiddenLabels(metadata.labels, {})
  if (labels.length === 0) return undefined
  return `node ${quoted(node)} is not allowed to set the following labels: ${labels.join(', ')}`
}

function refusalOfChange(node: string, changed: Node, old: Node): string | undefined {
  const { configSource, taints = [] } = changed.spec
  if (configSource !== undefined && !deepEqual(configSource, old.spec.configSource))
    return `node ${quoted(node)} is not allowed to update configSource to a new non-nil configSource`
  if (!deepEqual(taints, old.spec.taints ?? [])) return `node ${quoted(node)} is not allowed to modify taints`
  const labels = forbiddenLabels(changed.metadata.labels, old.metadata.labels)
  if (labels.length > 0) return `is not allowed to modify labels: ${labels.join(', ')}`
  // With an owner that does not exist, the node would be garbage-collected, and could register again with other taints.
  return deepEqual(changed.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? [])
    ? undefined
    : `node ${quoted(node)} is not allowed to modify ownerReferences`
}
