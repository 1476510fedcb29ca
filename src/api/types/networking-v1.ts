import type { KubeObject } from '../object.ts'
import type { TypedLocalObjectReference } from './core-v1.ts'
import type { LabelSelector } from './meta-v1.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface HTTPIngressPath {
  readonly path?: string
  readonly pathType?: string
  readonly backend: IngressBackend
}

export interface HTTPIngressRuleValue {
  readonly paths: readonly HTTPIngressPath[] | null
}

export interface IPBlock {
  readonly cidr: string
  readonly except?: readonly string[]
}

export interface Ingress extends KubeObject {
  readonly spec: IngressSpec
  readonly status: IngressStatus
}

export interface IngressBackend {
  readonly service?: IngressServiceBackend
  readonly resource?: TypedLocalObjectReference
}

export interface IngressClass extends KubeObject {
  readonly spec: IngressClassSpec
}

export interface IngressClassParametersReference {
  readonly apiGroup?: string
  readonly kind: string
  readonly name: string
  readonly scope?: string
  readonly namespace?: string
}

export interface IngressClassSpec {
  readonly controller?: string
  readonly parameters?: IngressClassParametersReference
}

export interface IngressLoadBalancerIngress {
  readonly ip?: string
  readonly hostname?: string
  readonly ports?: readonly IngressPortStatus[]
}

export interface IngressLoadBalancerStatus {
  readonly ingress?: readonly IngressLoadBalancerIngress[]
}

export interface IngressPortStatus {
  readonly port: number
  readonly protocol: string
  readonly error?: string
}

export interface IngressRule {
  readonly host?: string
  readonly http?: HTTPIngressRuleValue
}

export interface IngressRuleValue {
  readonly http?: HTTPIngressRuleValue
}

export interface IngressServiceBackend {
  readonly name: string
  readonly port: ServiceBackendPort
}

export interface IngressSpec {
  readonly ingressClassName?: string
  readonly defaultBackend?: IngressBackend
  readonly tls?: readonly IngressTLS[]
  readonly rules?: readonly IngressRule[]
}

export interface IngressStatus {
  readonly loadBalancer: IngressLoadBalancerStatus
}

export interface IngressTLS {
  readonly hosts?: readonly string[]
  readonly secretName?: string
}

export interface NetworkPolicy extends KubeObject {
  readonly spec: NetworkPolicySpec
}

export interface NetworkPolicyEgressRule {
  readonly ports?: readonly NetworkPolicyPort[]
  readonly to?: readonly NetworkPolicyPeer[]
}

export interface NetworkPolicyIngressRule {
  readonly ports?: readonly NetworkPolicyPort[]
  readonly from?: readonly NetworkPolicyPeer[]
}

export interface NetworkPolicyPeer {
  readonly podSelector?: LabelSelector
  readonly namespaceSelector?: LabelSelector
  readonly ipBlock?: IPBlock
}

export interface NetworkPolicyPort {
  readonly protocol?: string
  readonly port?: string | number
  readonly endPort?: number
}

export interface NetworkPolicySpec {
  readonly podSelector: LabelSelector
  readonly ingress?: readonly NetworkPolicyIngressRule[]
  readonly egress?: readonly NetworkPolicyEgressRule[]
  readonly policyTypes?: readonly string[]
}

export interface ServiceBackendPort {
  readonly name?: string
  readonly number?: number
}
