/** k8s.io.api.networking.v1 */
export const networkingV1 = `
HTTPIngressPath
  1 path: string
  3 pathType: string? (required, one of Exact ImplementationSpecific Prefix, go v1.PathType)
  2 backend: IngressBackend! (required)

HTTPIngressRuleValue
  1 paths: HTTPIngressPath[]! (required)

IPBlock
  1 cidr: string! (required)
  2 except: string[]

Ingress
  1 metadata: meta.ObjectMeta
  2 spec: IngressSpec!
  3 status: IngressStatus!

IngressBackend
  4 service: IngressServiceBackend
  3 resource: core.TypedLocalObjectReference

IngressClass
  1 metadata: meta.ObjectMeta
  2 spec: IngressClassSpec!

IngressClassList
  1 metadata: meta.ListMeta
  2 items: IngressClass[]!

IngressClassParametersReference
  1 aPIGroup: string? (json apiGroup)
  2 kind: string! (required)
  3 name: string! (required)
  4 scope: string?
  5 namespace: string?

IngressClassSpec
  1 controller: string
  2 parameters: IngressClassParametersReference

IngressList
  1 metadata: meta.ListMeta
  2 items: Ingress[]!

IngressLoadBalancerIngress
  1 ip: string
  2 hostname: string
  4 ports: IngressPortStatus[]

IngressLoadBalancerStatus
  1 ingress: IngressLoadBalancerIngress[]

IngressPortStatus
  1 port: int32! (required)
  2 protocol: string! (required, one of SCTP TCP UDP, go v1.Protocol)
  3 error: string?

IngressRule
  1 host: string
  2 ingressRuleValue: IngressRuleValue (inline)

IngressRuleValue
  1 http: HTTPIngressRuleValue

IngressServiceBackend
  1 name: string! (required)
  2 port: ServiceBackendPort!

IngressSpec
  4 ingressClassName: string?
  1 defaultBackend: IngressBackend
  2 tls: IngressTLS[]
  3 rules: IngressRule[]

IngressStatus
  1 loadBalancer: IngressLoadBalancerStatus!

IngressTLS
  1 hosts: string[]
  2 secretName: string

NetworkPolicy
  1 metadata: meta.ObjectMeta
  2 spec: NetworkPolicySpec!

NetworkPolicyEgressRule
  1 ports: NetworkPolicyPort[]
  2 to: NetworkPolicyPeer[]

NetworkPolicyIngressRule
  1 ports: NetworkPolicyPort[]
  2 from: NetworkPolicyPeer[]

NetworkPolicyList
  1 metadata: meta.ListMeta
  2 items: NetworkPolicy[]!

NetworkPolicyPeer
  1 podSelector: meta.LabelSelector
  2 namespaceSelector: meta.LabelSelector
  3 ipBlock: IPBlock

NetworkPolicyPort
  1 protocol: string? (one of SCTP TCP UDP, go v1.Protocol)
  2 port: intstr.IntOrString
  3 endPort: int32?

NetworkPolicySpec
  1 podSelector: meta.LabelSelector! (required)
  2 ingress: NetworkPolicyIngressRule[]
  3 egress: NetworkPolicyEgressRule[]
  4 policyTypes: string[] (one of Egress Ingress, go []v1.PolicyType)

ServiceBackendPort atomic
  1 name: string
  2 number: int32
`
