import type { SyncKind } from '../contract.ts'

/** The authority of each cluster, which the cluster itself publishes in every namespace. */
const rootCertificate = 'kube-root-ca.crt'

export const configMapsSync: SyncKind = {
  id: 'configMaps',
  group: '',
  resource: 'configmaps',
  staysWhileNamed: true,
  leavesOut: ({ metadata }) =>
    metadata.name === rootCertificate ? 'it belongs to the virtual cluster itself' : undefined,
  toHost: ({ data, binaryData, immutable }) => ({ data, binaryData, immutable }),
  closedFields: ['data', 'binaryData', 'immutable'],
}
