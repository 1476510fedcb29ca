import type { EndpointPort, EndpointSlice } from '../../types/discovery-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { ageColumn, column, firstFew, nameColumn } from '../columns.ts'
import { validateEndpointSlice, validateEndpointSliceUpdate } from './endpoint-slice-validation.ts'

/** Names the Service of a slice. */
export const serviceNameLabel = 'kubernetes.io/service-name'

export const endpointSlice = builtinKind<EndpointSlice>({
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
  hasGeneration: true,
  generationCountsLabels: true,
  message: 'k8s.io.api.discovery.v1.EndpointSlice',
  columns: [
    nameColumn,
    column('AddressType', 'Type of the addresses: IPv4, IPv6 or FQDN.', ({ addressType }) => addressType),
    column('Ports', 'Ports of every endpoint.', ({ ports }) => orUnset(firstFew((ports ?? []).map(portText)))),
    column('Endpoints', 'Addresses of the endpoints.', ({ endpoints }) => orUnset(firstFew(addressesOf(endpoints)))),
    ageColumn,
  ],
  strategy: {
    defaults: withPortDefaults,
    prepareForCreate: withoutTopology,
    prepareForUpdate: withoutTopology,
    validate: validateEndpointSlice,
    validateUpdate: validateEndpointSliceUpdate,
    warnings: ({ addressType }, old) =>
      addressType === 'FQDN' && old === undefined ? ['spec.addressType: FQDN endpoints are deprecated'] : [],
  },
})

function withPortDefaults(object: EndpointSlice): EndpointSlice {
  if (object.ports === null) return object
  return { ...object, ports: object.ports.map((port) => ({ name: '', protocol: 'TCP', ...port })) }
}

/** The field is a leftover of v1beta1 that v1 cannot write. */
function withoutTopology(object: EndpointSlice): EndpointSlice {
  if (!object.endpoints?.some((each) => each.deprecatedTopology !== undefined)) return object
  return { ...object, endpoints: object.endpoints.map(({ deprecatedTopology: _, ...rest }) => rest) }
}

function portText(port: EndpointPort): string {
  return port.port === undefined ? (port.name ?? '*') : String(port.port)
}

function addressesOf(endpoints: EndpointSlice['endpoints']): readonly string[] {
  return (endpoints ?? []).flatMap((each) => each.addresses ?? [])
}

function orUnset(text: string): string {
  return text === '' ? '<unset>' : text
}
