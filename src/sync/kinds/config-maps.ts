import type { SyncKind } from '../contract.ts'

/** The certificate authority that each cluster publishes in every namespace. */
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
