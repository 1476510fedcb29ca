import type { KubeObject } from '../../api/object.ts'
import { isEnvironmentName } from '../companions/environment/environment-names.ts'
import type { KindSetting, SyncKind } from '../contract.ts'

/** The certificate authority that each cluster publishes in every namespace. */
const rootCertificate = 'kube-root-ca.crt'

export const configMapsSync: SyncKind = {
  id: 'configMaps',
  group: '',
  resource: 'configmaps',
  staysWhileNamed: true,
  leavesOut: whyItStays,
  toHost: ({ data, binaryData, immutable }) => ({ data, binaryData, immutable }),
  closedFields: ['data', 'binaryData', 'immutable'],
}

/** Where names are kept, a tenant could take the name of the variables of another tenant's Pods. */
function whyItStays(
  { metadata: { name = '', namespace = '' } }: KubeObject,
  { names }: KindSetting,
): string | undefined {
  if (name === rootCertificate) return 'it belongs to the virtual cluster itself'
  const mayBeShared = names.multiNamespace && names.mappingOf(namespace)?.isPattern !== true
  return mayBeShared && isEnvironmentName(name) ? 'variables of Pods have such names on the host' : undefined
}
