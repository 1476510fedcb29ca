/** Descriptions of Service, Endpoints and EndpointSlice. */
export const serviceTexts: Readonly<Record<string, string>> = {
  'core.Service':
    'A name and a stable address for a set of pods or other endpoints: clients talk to the service, and it passes the traffic on.',
  'core.Service.spec': 'How the service is reached and where its traffic goes.',
  'core.Service.status': 'What was found out about the service, such as the address of its load balancer.',
  'core.ServiceSpec': 'How a service is reached and where its traffic goes.',
  'core.ServiceSpec.ports': 'Ports on which the service listens.',
  'core.ServiceSpec.selector':
    'Labels of the pods that get the traffic. Without it, an external process manages the endpoints. Not used for type ExternalName.',
  'core.ServiceSpec.clusterIP':
    'Address of the service. The server chooses a free one unless one is given; `None` makes the service headless, so that its name leads to the endpoints directly. It cannot be changed, except to and from type ExternalName, which has none.',
  'core.ServiceSpec.clusterIPs': 'Addresses of the service, one for each IP family. The first one equals clusterIP.',
  'core.ServiceSpec.type':
    'How the service is reached: `ClusterIP` on an address inside the cluster (the default), `NodePort` also on a port of every node, `LoadBalancer` also through an external balancer; `ExternalName` is an alias for another name.',
  'core.ServiceSpec.externalIPs':
    'Further addresses whose traffic the nodes take for this service. The cluster does not manage them.',
  'core.ServiceSpec.sessionAffinity':
    '`ClientIP` sends the connections of one client to the same endpoint; `None`, the default, sends them anywhere.',
  'core.ServiceSpec.loadBalancerIP':
    'Deprecated: address that the load balancer should get, where the provider supports it.',
  'core.ServiceSpec.loadBalancerSourceRanges':
    'Networks from which the load balancer takes traffic, where the provider supports it. Only for type LoadBalancer.',
  'core.ServiceSpec.externalName':
    'Name that this service is an alias for. Needed for type ExternalName, and used for it only.',
  'core.ServiceSpec.externalTrafficPolicy':
    '`Local` keeps traffic from outside on the node where it arrives and shows endpoints the address of the client; `Cluster` spreads it over all nodes.',
  'core.ServiceSpec.healthCheckNodePort':
    'Port on which each node tells a load balancer whether it has endpoints. Only for type LoadBalancer with externalTrafficPolicy Local; the server chooses one unless one is given.',
  'core.ServiceSpec.publishNotReadyAddresses': 'Whether endpoints that are not ready count as if they were.',
  'core.ServiceSpec.sessionAffinityConfig': 'Details of the session affinity.',
  'core.ServiceSpec.ipFamilies':
    'IP families of the service, `IPv4` or `IPv6`. The server fills it in; the first one cannot be changed.',
  'core.ServiceSpec.ipFamilyPolicy':
    'How many families the service has: `SingleStack`, `PreferDualStack` (two where the cluster has two) or `RequireDualStack`.',
  'core.ServiceSpec.allocateLoadBalancerNodePorts':
    'Whether a service of type LoadBalancer gets node ports. True by default; some balancers do without.',
  'core.ServiceSpec.loadBalancerClass':
    'Implementation that provides the load balancer, for example `example.com/internal`. Only for type LoadBalancer, and it cannot be changed.',
  'core.ServiceSpec.internalTrafficPolicy':
    '`Local` sends traffic from inside the cluster only to endpoints on the same node; `Cluster`, the default, to all.',
  'core.ServiceSpec.trafficDistribution':
    '`PreferClose` prefers endpoints that are near the client. Absent: no preference.',
  'core.ServicePort': 'One port of a service.',
  'core.ServicePort.name': 'Name of the port, unique in the service. Needed when there is more than one port.',
  'core.ServicePort.protocol': '`TCP` (the default), `UDP` or `SCTP`.',
  'core.ServicePort.appProtocol': 'What is spoken on the port, for example `http` or `kubernetes.io/h2c`. A hint only.',
  'core.ServicePort.port': 'Number of the port on the address of the service.',
  'core.ServicePort.targetPort':
    'Number of the port on the endpoints, or the name of a port of their containers. The same as port by default.',
  'core.ServicePort.nodePort':
    'Number of the port on every node, for types NodePort and LoadBalancer. The server chooses a free one unless one is given.',
  'core.SessionAffinityConfig': 'Details of session affinity.',
  'core.SessionAffinityConfig.clientIP': 'How long a client, known by its address, stays with one pod.',
  'core.ClientIPConfig': 'Details of affinity by the address of the client.',
  'core.ClientIPConfig.timeoutSeconds':
    'How long a client that is silent is remembered, at most a day. 10800, three hours, by default.',
  'core.ServiceStatus': 'The observed state of a service.',
  'core.ServiceStatus.loadBalancer': 'State of the load balancer, if there is one.',
  'core.ServiceStatus.conditions': 'What is known about the service at present.',
  'core.LoadBalancerStatus': 'The observed state of a load balancer.',
  'core.LoadBalancerStatus.ingress': 'Where the load balancer takes traffic.',
  'core.LoadBalancerIngress': 'A point at which a load balancer takes traffic, by address or by name.',
  'core.LoadBalancerIngress.ip': 'Address of the point.',
  'core.LoadBalancerIngress.hostname': 'Name of the point.',
  'core.LoadBalancerIngress.ipMode':
    '`VIP` if traffic arrives addressed to the balancer, `Proxy` if it arrives addressed to the node. Only together with ip.',
  'core.LoadBalancerIngress.ports': 'Ports of the service at this point.',
  'core.PortStatus': 'The state of one port at a load balancer.',
  'core.PortStatus.port': 'Number of the port.',
  'core.PortStatus.protocol': '`TCP`, `UDP` or `SCTP`.',
  'core.PortStatus.error': 'What is wrong with the port, as one word in CamelCase; absent if nothing is.',

  'core.Endpoints': 'Where the traffic of the service of the same name goes: addresses and ports, grouped in subsets.',
  'core.Endpoints.subsets': 'The endpoints: every address of a subset, combined with every one of its ports.',
  'core.EndpointSubset': 'Addresses that have the same ports.',
  'core.EndpointSubset.addresses': 'Addresses that are ready for traffic.',
  'core.EndpointSubset.notReadyAddresses': 'Addresses that are not ready: still starting, or failing their checks.',
  'core.EndpointSubset.ports': 'Ports of every one of the addresses.',
  'core.EndpointAddress': 'The address of an endpoint.',
  'core.EndpointAddress.ip': 'The IP address. It may not be a loopback or link-local one.',
  'core.EndpointAddress.hostname': 'Host name of the endpoint, below the name of the service.',
  'core.EndpointAddress.nodeName': 'Node that the endpoint is on.',
  'core.EndpointAddress.targetRef': 'Object that the endpoint stands for, usually a pod.',
  'core.EndpointPort': 'A port of endpoints.',
  'core.EndpointPort.name': 'Name of the port, as in the service. Needed when there is more than one.',
  'core.EndpointPort.port': 'Number of the port.',
  'core.EndpointPort.protocol': '`TCP` (the default), `UDP` or `SCTP`.',
  'core.EndpointPort.appProtocol': 'What is spoken on the port, for example `http`. A hint only.',

  'discovery.EndpointSlice':
    'Some of the endpoints of a service. The label `kubernetes.io/service-name` names the service; all slices with it together are its endpoints.',
  'discovery.EndpointSlice.addressType':
    'What the addresses are: `IPv4`, `IPv6` or the deprecated `FQDN`. It cannot be changed.',
  'discovery.EndpointSlice.endpoints': 'The endpoints, at most 1000.',
  'discovery.EndpointSlice.ports': 'Ports of every one of the endpoints. None at all means that any port may be used.',
  'discovery.Endpoint': 'One place that traffic can go to.',
  'discovery.Endpoint.addresses': 'Addresses of the endpoint, all leading to the same place. Usually one, at most 100.',
  'discovery.Endpoint.conditions': 'Whether the endpoint can take traffic now.',
  'discovery.Endpoint.hostname': 'Host name of the endpoint, below the name of the service.',
  'discovery.Endpoint.targetRef': 'Object that the endpoint stands for, usually a pod.',
  'discovery.Endpoint.deprecatedTopology': 'Topology as v1beta1 had it. It cannot be written through v1.',
  'discovery.Endpoint.nodeName': 'Node that the endpoint is on.',
  'discovery.Endpoint.zone': 'Zone that the endpoint is in.',
  'discovery.Endpoint.hints': 'From where the endpoint is best used.',
  'discovery.EndpointConditions':
    'Whether an endpoint can take traffic. Absent means unknown, which counts as yes except for terminating.',
  'discovery.EndpointConditions.ready': 'Whether new connections should go to the endpoint. False while it terminates.',
  'discovery.EndpointConditions.serving': 'Whether the endpoint answers, even while it terminates.',
  'discovery.EndpointConditions.terminating': 'Whether the endpoint is going away.',
  'discovery.EndpointHints': 'From where an endpoint is best used.',
  'discovery.EndpointHints.forZones': 'Zones whose clients should use the endpoint, at most 8.',
  'discovery.ForZone': 'A zone whose clients should use an endpoint.',
  'discovery.ForZone.name': 'Name of the zone.',
  'discovery.EndpointPort': 'A port of endpoints.',
  'discovery.EndpointPort.name': 'Name of the port, unique in the slice; may be empty.',
  'discovery.EndpointPort.protocol': '`TCP` (the default), `UDP` or `SCTP`.',
  'discovery.EndpointPort.port': 'Number of the port. Absent: what it means is up to the reader.',
  'discovery.EndpointPort.appProtocol': 'What is spoken on the port, for example `http`. A hint only.',
}
