import type { RestrictedWrite } from './contract.ts'

const nodeLeases = 'kube-node-lease'

export const restrictedLease: RestrictedWrite = ({ node, object: { metadata } }) => {
  if (metadata.namespace !== nodeLeases) return `can only access leases in the "${nodeLeases}" system namespace`
  return metadata.name === node ? undefined : 'can only access node lease with the same name as the requesting node'
}

export const restrictedCsiNode: RestrictedWrite = ({ node, object }) =>
  object.metadata.name === node ? undefined : 'can only access CSINode with the same name as the requesting node'
