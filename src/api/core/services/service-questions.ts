import type { Service } from '../../types/core-v1.ts'

/** `spec.clusterIP` of a service without an address. */
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

/** Whether the service is reachable from outside: external traffic policies only apply then. */
export function isExternallyAccessible({ spec }: Service): boolean {
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') return true
  return spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0
}
