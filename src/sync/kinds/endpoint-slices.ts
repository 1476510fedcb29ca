import { serviceNameLabel } from '../../api/core/endpoints/endpoint-slice.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Endpoint, EndpointPort } from '../../api/types/discovery-v1.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { SyncKind } from '../contract.ts'
import { checkedObjectsIn } from './lists.ts'
import { translatedPodReference } from './shared.ts'

const managerLabel = 'endpointslice.kubernetes.io/managed-by'
const mirroringManager = 'endpointslicemirroring-controller.k8s.io'
/** The manager that lists the Pods of a Service's selector. */
const listingManager = 'endpointslice-controller.k8s.io'
/** The controllers of Kubernetes ignore slices of another manager. */
const ownManager = 'tenant-syncer'
const ownedLabels = [serviceNameLabel, managerLabel]

export const endpointSlicesSync: SyncKind = {
  id: 'endpointSlices',
  group: 'discovery.k8s.io',
  resource: 'endpointslices',
  leavesOut: whyLeftOut,
  listsPodsOf: serviceListed,
  takesHoldOf: ({ metadata: { labels, namespace = '' } }) => {
    const name = labels?.[serviceNameLabel]
    return name === undefined ? [] : [{ apiVersion: 'v1', kind: 'Service', namespace, name }]
  },
  staysOnItsSide: (key) => ownedLabels.includes(key),
  ownedLabels,
  hostLabels: ({ metadata }, { names }) => {
    const service = metadata.labels?.[serviceNameLabel]
    const translated = service === undefined ? undefined : names.of(metadata.namespace ?? '', service).name
    return { [managerLabel]: ownManager, ...(translated !== undefined && { [serviceNameLabel]: translated }) }
  },
  toHost: ({ addressType, endpoints, ports, metadata }, { names }) => ({
    addressType,
    endpoints: checkedObjectsIn<Endpoint>(endpoints)?.map((each) =>
      translatedPodReference(each, metadata.namespace ?? '', names),
    ),
    ports,
  }),
  closedFields: ['addressType', 'endpoints', 'ports'],
  withDefaults: ({ ports, ...rest }) => ({
    ...rest,
    ports: checkedObjectsIn<EndpointPort>(ports)?.map((port) => ({ name: '', protocol: 'TCP', ...port })),
  }),
}

/** Slices that another client added to a Service are synced whatever the Service selects. */
function serviceListed({ metadata }: KubeObject): readonly ObjectName[] {
  const { [managerLabel]: manager, [serviceNameLabel]: name } = metadata.labels ?? {}
  return manager === listingManager && name !== undefined ? [{ namespace: metadata.namespace ?? '', name }] : []
}

/** The host mirrors slices again, from the copy of the Endpoints. */
function whyLeftOut({ metadata }: KubeObject): string | undefined {
  const { [managerLabel]: manager, [serviceNameLabel]: service } = metadata.labels ?? {}
  if (manager === mirroringManager) return 'it mirrors Endpoints'
  return service === 'kubernetes' && metadata.namespace === 'default'
    ? 'it stands for the API of the virtual cluster'
    : undefined
}
