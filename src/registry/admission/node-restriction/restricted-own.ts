import { nodeLeaseNamespace } from '../../../api/core/nodes/kubelet.ts'
import { quoted } from '../../../api/human/go-syntax.ts'
import type { RestrictedWrite } from './contract.ts'

export const restrictedLease: RestrictedWrite = ({ node, object: { metadata } }) => {
  if (metadata.namespace !== nodeLeaseNamespace)
    return `can only access leases in the ${quoted(nodeLeaseNamespace)} system namespace`
  return metadata.name === node ? undefined : 'can only access node lease with the same name as the requesting node'
}

export const restrictedCsiNode: RestrictedWrite = ({ node, object }) =>
  object.metadata.name === node ? undefined : 'can only access CSINode with the same name as the requesting node'
