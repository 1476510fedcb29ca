/** k8s.io.api.discovery.v1 */
export const discoveryV1 = `
Endpoint
  1 addresses: string[]! (required, set)
  2 conditions: EndpointConditions!
  3 hostname: string?
  4 targetRef: core.ObjectReference
  5 deprecatedTopology: map string
  6 nodeName: string?
  7 zone: string?
  8 hints: EndpointHints

EndpointConditions
  1 ready: bool?
  2 serving: bool?
  3 terminating: bool?

EndpointHints
  1 forZones: ForZone[]

EndpointPort atomic
  1 name: string?
  2 protocol: string? (one of SCTP TCP UDP, go v1.Protocol)
  3 port: int32?
  4 appProtocol: string?

EndpointSlice
  1 metadata: meta.ObjectMeta
  4 addressType: string! (required, one of FQDN IPv4 IPv6, go v1.AddressType)
  2 endpoints: Endpoint[]! (required)
  3 ports: EndpointPort[]!

EndpointSliceList
  1 metadata: meta.ListMeta
  2 items: EndpointSlice[]!

ForZone
  1 name: string! (required)
`
