/** Descriptions of frequently used fields of Ingresses and NetworkPolicies. */
export const trafficTexts: Readonly<Record<string, string>> = {
  'networking.IngressSpec.defaultBackend': 'Backend for requests that match no rule. Required if there are no rules.',
  'networking.IngressRuleValue.http': 'Backends for the requests to the host, by path.',
  'networking.HTTPIngressPath.backend': 'Backend for the requests whose path matches.',
  'networking.IngressBackend.service': 'A Service in the same namespace. Cannot be combined with resource.',
  'networking.IngressBackend.resource': 'Another object in the same namespace. Cannot be combined with service.',
  'networking.IngressServiceBackend.port': 'Name or number of a port of the Service.',
  'networking.IngressStatus.loadBalancer': 'Addresses at which the ingress is reachable.',
  'networking.IngressClassSpec.parameters': 'An object with additional settings for the controller.',
  'networking.NetworkPolicySpec.podSelector':
    'Selects the pods that the policy applies to. An empty selector selects all pods in the namespace.',
  'networking.NetworkPolicyPeer.podSelector':
    'Selects pods by label, in the namespaces that namespaceSelector selects or, without it, in the namespace of the policy.',
  'networking.NetworkPolicyPeer.namespaceSelector':
    'Selects namespaces by label. An empty selector selects all namespaces.',
  'networking.NetworkPolicyPeer.ipBlock': 'A range of IP addresses. Cannot be combined with either selector.',
  'networking.NetworkPolicyPort.port':
    'Number of the port, or the name of a container port. If absent, all ports match.',
}
