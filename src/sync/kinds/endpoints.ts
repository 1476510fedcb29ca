import type { EndpointAddress, EndpointSubset } from '../../api/types/core-v1.ts'
import type { HostNames, ObjectFields, SyncKind } from '../contract.ts'
import { nameOf } from '../names/names.ts'
import { checkedObjectsIn } from './lists.ts'
import { isKubernetesService, translatedPodReference } from './shared.ts'

/** With this label, the host's own controller would take the copy for its own and delete it. */
const managedByController = 'endpoints.kubernetes.io/managed-by'

/** Addresses are synced as data: the host need not know the Pods behind them. */
export const endpointsSync: SyncKind = {
  id: 'endpoints',
  group: '',
  resource: 'endpoints',
  leavesOut: isKubernetesService,
  listsPodsOf: (virtual) => [nameOf(virtual)],
  // The host mirrors them for a Service of the same name without a selector.
  takesHoldOf: (virtual) => [{ apiVersion: 'v1', kind: 'Service', ...nameOf(virtual) }],
  staysOnItsSide: (key) => key === managedByController,
  toHost: ({ subsets, metadata }, { names }) => ({
    subsets: checkedObjectsIn<EndpointSubset>(subsets)?.map((subset) =>
      translatedSubset(subset, metadata.namespace ?? '', names),
    ),
  }),
  closedFields: ['subsets'],
  withDefaults: ({ subsets }) => ({ subsets: checkedObjectsIn<EndpointSubset>(subsets)?.map(withProtocols) }),
}

function translatedSubset(subset: EndpointSubset, namespace: string, names: HostNames): EndpointSubset {
  const { addresses, notReadyAddresses } = subset
  const translated = (address: EndpointAddress) => translatedPodReference(address, namespace, names)
  return {
    ...subset,
    ...(addresses && { addresses: addresses.map(translated) }),
    ...(notReadyAddresses && { notReadyAddresses: notReadyAddresses.map(translated) }),
  }
}

function withProtocols(subset: EndpointSubset): ObjectFields {
  return { ...subset, ports: subset.ports?.map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' })) }
}
