import type { KubeObject } from '../object.ts'
import type { IPFamily } from './ip-address.ts'

export interface Service extends KubeObject {
  readonly spec: ServiceSpec
  readonly status: ServiceStatus
}

export interface ServiceSpec {
  readonly ports?: readonly ServicePort[]
  readonly selector?: Readonly<Record<string, string>>
  /** An address, `None` for headless services, absent until one is allocated. */
  readonly clusterIP?: string
  readonly clusterIPs?: readonly string[]
  readonly type?: string
  readonly externalIPs?: readonly string[]
  readonly sessionAffinity?: string
  readonly loadBalancerIP?: string
  readonly loadBalancerSourceRanges?: readonly string[]
  readonly externalName?: string
  readonly externalTrafficPolicy?: string
  readonly healthCheckNodePort?: number
  readonly publishNotReadyAddresses?: boolean
  readonly sessionAffinityConfig?: { readonly clientIP?: { readonly timeoutSeconds?: number } }
  readonly ipFamilies?: readonly IPFamily[]
  readonly ipFamilyPolicy?: string
  readonly allocateLoadBalancerNodePorts?: boolean
  readonly loadBalancerClass?: string
  readonly internalTrafficPolicy?: string
  readonly trafficDistribution?: string
}

export interface ServicePort {
  readonly name?: string
  readonly protocol?: string
  readonly appProtocol?: string
  readonly port: number
  readonly targetPort: number | string
  readonly nodePort?: number
}

export interface ServiceStatus {
  readonly loadBalancer: { readonly ingress?: readonly LoadBalancerIngress[] }
  readonly conditions?: readonly unknown[]
}

export interface LoadBalancerIngress {
  readonly ip?: string
  readonly hostname?: string
  readonly ipMode?: string
}

/** `spec.clusterIP` of a service that wants no address of its own. */
export const headless = 'None'

export function isHeadless({ spec }: Service): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === headless
}

export function isExternalName({ spec }: Service): boolean {
  return spec.type === 'ExternalName'
}

export function isLoadBalancer({ spec }: Service): boolean {
  return spec.type === 'LoadBalancer'
}

/** Whether the service is reached from outside: traffic policies for that side only make sense then. */
export function isExternallyAccessible({ spec }: Service): boolean {
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') return true
  return spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0
}
