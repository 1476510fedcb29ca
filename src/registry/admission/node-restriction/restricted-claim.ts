import { quoted } from '../../../api/human/go-syntax.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { PersistentVolumeClaim } from '../../../api/types/core-v1.ts'
import { deepEqual } from '../../../base/equal.ts'
import type { RestrictedWrite } from './contract.ts'

/** The status is absent if the client has sent none. */
type ClaimAsSent = KubeObject & Partial<Pick<PersistentVolumeClaim, 'status'>>

/** A kubelet reports the size of a volume that it has expanded, and its progress. */
export const restrictedClaim: RestrictedWrite = ({ operation, request, node, object, old }) => {
  if (request.subresource !== 'status') return 'may only update PVC status'
  if (operation !== 'UPDATE' || old === undefined) return `unexpected operation ${quoted(operation)}`
  const changed = changedMembers(withoutSize(object as ClaimAsSent), withoutSize(old as ClaimAsSent))
  if (changed.length === 0) return undefined
  return `node ${quoted(node)} is not allowed to update fields other than status.capacity and status.conditions: ${changed.join(', ')}`
}

const sizeMembers: ReadonlySet<string> = new Set([
  'capacity',
  'conditions',
  'allocatedResources',
  'allocatedResourceStatuses',
])

function withoutSize({ metadata, status = {}, ...rest }: ClaimAsSent): KubeObject {
  const { resourceVersion: _, managedFields: __, ...kept } = metadata
  const others = Object.entries(status).filter(([member]) => !sizeMembers.has(member))
  return { ...rest, metadata: kept, status: Object.fromEntries(others) }
}

function changedMembers(object: KubeObject, old: KubeObject): readonly string[] {
  const members = new Set([...Object.keys(object), ...Object.keys(old)])
  return [...members].filter((member) => !deepEqual(object[member], old[member]))
}
