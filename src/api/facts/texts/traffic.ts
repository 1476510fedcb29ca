/** Descriptions of what people look up in Ingresses and NetworkPolicies. */
export const trafficTexts: Readonly<Record<string, string>> = {
  'networking.IngressSpec.defaultBackend': 'Takes what no rule matches. Needed where there are no rules.',
  'networking.IngressRuleValue.http': 'Where requests for the host go, by their path.',
  'networking.HTTPIngressPath.backend': 'Takes the requests whose path matches.',
  'networking.IngressBackend.service': 'A Service of the namespace. Excludes resource.',
  'networking.IngressBackend.resource': 'Another object of the namespace. Excludes service.',
  'networking.IngressServiceBackend.port': 'A port of the Service, by its name or its number.',
  'networking.IngressStatus.loadBalancer': 'Addresses under which the ingress is reached.',
  'networking.IngressClassSpec.parameters': 'An object with more settings for the controller.',
  'networking.NetworkPolicySpec.podSelector':
    'Labels of the pods that the policy is about. An empty selector means all pods of the namespace.',
  'networking.NetworkPolicyPeer.podSelector':
    'Labels of the pods, in the namespaces that namespaceSelector selects, or else in that of the policy.',
  'networking.NetworkPolicyPeer.namespaceSelector': 'Labels of the namespaces. An empty selector means all of them.',
  'networking.NetworkPolicyPeer.ipBlock': 'Addresses. Excludes both selectors.',
  'networking.NetworkPolicyPort.port':
    'The port: a number, or the name of a port of the pods. Absent, it means all ports.',
}
