/** Descriptions of Service, Endpoints and EndpointSlice. */
export const serviceTexts: Readonly<Record<string, string>> = {
  'core.Service':
    'A stable name and address for a set of pods or other endpoints, to which it forwards the traffic of clients.',
  'core.Service.spec': 'Addresses and ports of the service, and the endpoints behind it.',
  'core.Service.status': 'The observed state of the service, such as the address of its load balancer.',
  'core.ServiceSpec': 'Describes the addresses and ports of a service, and the endpoints behind it.',
  'core.ServiceSpec.ports': 'Ports that the service listens on.',
  'core.ServiceSpec.selector':
    'Labels of the pods that receive the traffic. If absent, the endpoints must be managed externally. Ignored for type ExternalName.',
  'core.ServiceSpec.clusterIP':
    'IP address of the service. The server assigns a free one unless one is specified. `None` makes the service headless: its name resolves to the endpoints. The address cannot be changed, except when type changes to or from ExternalName, which has no address.',
  'core.ServiceSpec.clusterIPs': 'IP addresses of the service, one per IP family. The first one equals clusterIP.',
  'core.ServiceSpec.type':
    'How the service is reached: `ClusterIP` (the default) at an address inside the cluster, `NodePort` also at a port of every node, `LoadBalancer` also through an external load balancer. `ExternalName` is an alias for another DNS name.',
  'core.ServiceSpec.externalIPs':
    'Additional IP addresses for which the nodes accept traffic to this service. The cluster does not manage them.',
  'core.ServiceSpec.sessionAffinity':
    '`ClientIP` sends all connections of a client to the same endpoint. `None`, the default, sends each connection to any endpoint.',
  'core.ServiceSpec.loadBalancerIP':
    'Deprecated: the IP address that the load balancer should have, if the provider supports this.',
  'core.ServiceSpec.loadBalancerSourceRanges':
    'IP ranges from which the load balancer accepts traffic, if the provider supports this. Only for type LoadBalancer.',
  'core.ServiceSpec.externalName':
    'DNS name that the service is an alias for. Required for type ExternalName, and used only for it.',
  'core.ServiceSpec.externalTrafficPolicy':
    '`Local` keeps external traffic on the node where it arrives and preserves the IP address of the client. `Cluster` spreads it across all nodes.',
  'core.ServiceSpec.healthCheckNodePort':
    'Port on which each node reports to a load balancer whether it has endpoints. Only for type LoadBalancer with externalTrafficPolicy Local. The server assigns a port unless one is specified.',
  'core.ServiceSpec.publishNotReadyAddresses': 'Whether endpoints are treated as ready even if they are not.',
  'core.ServiceSpec.sessionAffinityConfig': 'Settings of the session affinity.',
  'core.ServiceSpec.ipFamilies':
    'IP families of the service: `IPv4`, `IPv6` or both. The server sets them by default. The first one cannot be changed.',
  'core.ServiceSpec.ipFamilyPolicy':
    'Number of IP families: `SingleStack`, `PreferDualStack` (two if the cluster has two) or `RequireDualStack`.',
  'core.ServiceSpec.allocateLoadBalancerNodePorts':
    'Whether a service of type LoadBalancer gets node ports. True by default; some load balancers do not need them.',
  'core.ServiceSpec.loadBalancerClass':
    'Implementation that provides the load balancer, for example `example.com/internal`. Only for type LoadBalancer. Immutable.',
  'core.ServiceSpec.internalTrafficPolicy':
    '`Local` sends traffic from inside the cluster only to endpoints on the same node. `Cluster`, the default, sends it to all endpoints.',
  'core.ServiceSpec.trafficDistribution':
    '`PreferClose` prefers endpoints close to the client. If absent, there is no preference.',
  'core.ServicePort': 'A port of a service.',
  'core.ServicePort.name': 'Name of the port, unique within the service. Required if there is more than one port.',
  'core.ServicePort.protocol': '`TCP` (the default), `UDP` or `SCTP`.',
  'core.ServicePort.appProtocol':
    'Application protocol of the port, for example `http` or `kubernetes.io/h2c`. Only a hint.',
  'core.ServicePort.port': 'Port number at the address of the service.',
  'core.ServicePort.targetPort':
    'Port number on the endpoints, or the name of a container port. The same as port by default.',
  'core.ServicePort.nodePort':
    'Port number on every node, for types NodePort and LoadBalancer. The server assigns a free one unless one is specified.',
  'core.SessionAffinityConfig': 'Settings of session affinity.',
  'core.SessionAffinityConfig.clientIP': 'Settings of affinity by client IP address, such as how long it lasts.',
  'core.ClientIPConfig': 'Settings of affinity by the IP address of the client.',
  'core.ClientIPConfig.timeoutSeconds':
    'Seconds after which an idle client may be sent to another endpoint, at most one day. 10800 (three hours) by default.',
  'core.ServiceStatus': 'The observed state of a service.',
  'core.ServiceStatus.loadBalancer': 'State of the load balancer, if there is one.',
  'core.ServiceStatus.conditions': 'Conditions of the service.',
  'core.LoadBalancerStatus': 'The observed state of a load balancer.',
  'core.LoadBalancerStatus.ingress': 'Points at which the load balancer accepts traffic.',
  'core.LoadBalancerIngress': 'A point at which a load balancer accepts traffic, given as an IP address or a name.',
  'core.LoadBalancerIngress.ip': 'IP address of the point.',
  'core.LoadBalancerIngress.hostname': 'DNS name of the point.',
  'core.LoadBalancerIngress.ipMode':
    '`VIP` if traffic arrives with the address of the load balancer as its destination, `Proxy` if with that of the node. Requires ip.',
  'core.LoadBalancerIngress.ports': 'State of the ports of the service at this point.',
  'core.PortStatus': 'The state of one port of a load balancer.',
  'core.PortStatus.port': 'Port number.',
  'core.PortStatus.protocol': '`TCP`, `UDP` or `SCTP`.',
  'core.PortStatus.error': 'Problem with the port, as one word in CamelCase. Absent if there is none.',

  'core.Endpoints':
    'Addresses and ports, grouped in subsets, that the service with the same name forwards its traffic to.',
  'core.Endpoints.subsets': 'The endpoints: every address of a subset, combined with every port of that subset.',
  'core.EndpointSubset': 'Addresses that share the same ports.',
  'core.EndpointSubset.addresses': 'Addresses that are ready to receive traffic.',
  'core.EndpointSubset.notReadyAddresses':
    'Addresses that are not ready: they are still starting, or fail their readiness checks.',
  'core.EndpointSubset.ports': 'Ports of each of the addresses.',
  'core.EndpointAddress': 'The address of an endpoint.',
  'core.EndpointAddress.ip': 'IP address. Loopback and link-local addresses are not allowed.',
  'core.EndpointAddress.hostname': 'Host name of the endpoint, within the domain of the service.',
  'core.EndpointAddress.nodeName': 'Node that hosts the endpoint.',
  'core.EndpointAddress.targetRef': 'Object that the endpoint represents, usually a pod.',
  'core.EndpointPort': 'A port of one or more endpoints.',
  'core.EndpointPort.name': 'Name of the port, as in the service. Required if there is more than one.',
  'core.EndpointPort.port': 'Port number.',
  'core.EndpointPort.protocol': '`TCP` (the default), `UDP` or `SCTP`.',
  'core.EndpointPort.appProtocol': 'Application protocol of the port, for example `http`. Only a hint.',

  'discovery.EndpointSlice':
    'A subset of the endpoints of a service, which the label `kubernetes.io/service-name` names. All slices with the label together are the endpoints of that service.',
  'discovery.EndpointSlice.addressType': 'Type of the addresses: `IPv4`, `IPv6` or the deprecated `FQDN`. Immutable.',
  'discovery.EndpointSlice.endpoints': 'The endpoints, at most 1000.',
  'discovery.EndpointSlice.ports': 'Ports of each of the endpoints. An empty list means that every port may be used.',
  'discovery.Endpoint': 'A destination for the traffic of a service.',
  'discovery.Endpoint.addresses':
    'Addresses of the endpoint, which all lead to the same destination. Usually one, at most 100.',
  'discovery.Endpoint.conditions': 'Whether the endpoint can currently receive traffic.',
  'discovery.Endpoint.hostname': 'Host name of the endpoint, within the domain of the service.',
  'discovery.Endpoint.targetRef': 'Object that the endpoint represents, usually a pod.',
  'discovery.Endpoint.deprecatedTopology': 'Topology in the format of v1beta1. It cannot be written through v1.',
  'discovery.Endpoint.nodeName': 'Node that hosts the endpoint.',
  'discovery.Endpoint.zone': 'Zone of the endpoint.',
  'discovery.Endpoint.hints': 'Clients that should preferably use the endpoint.',
  'discovery.EndpointConditions':
    'Whether an endpoint can receive traffic. Absent means unknown, which counts as true, except for terminating.',
  'discovery.EndpointConditions.ready':
    'Whether the endpoint should receive new connections. False while it is terminating.',
  'discovery.EndpointConditions.serving': 'Whether the endpoint responds, even while it is terminating.',
  'discovery.EndpointConditions.terminating': 'Whether the endpoint is terminating.',
  'discovery.EndpointHints': 'Describes which clients should preferably use an endpoint.',
  'discovery.EndpointHints.forZones': 'Zones whose clients should use the endpoint, at most 8.',
  'discovery.ForZone': 'A zone whose clients should use an endpoint.',
  'discovery.ForZone.name': 'Name of the zone.',
  'discovery.EndpointPort': 'A port of one or more endpoints.',
  'discovery.EndpointPort.name': 'Name of the port, unique within the slice. May be empty.',
  'discovery.EndpointPort.protocol': '`TCP` (the default), `UDP` or `SCTP`.',
  'discovery.EndpointPort.port': 'Port number. If absent, its meaning depends on the consumer.',
  'discovery.EndpointPort.appProtocol': 'Application protocol of the port, for example `http`. Only a hint.',
}
