import type { Service, ServicePort, ServiceSpec } from '../../types/core-v1.ts'
import { isExternallyAccessible } from './service-questions.ts'

const defaultAffinitySeconds = 10_800

export function withServiceDefaults(service: Service): Service {
  const typed = { ...service, spec: withType(service.spec) }
  return {
    ...typed,
    spec: {
      ...typed.spec,
      ...(isExternallyAccessible(typed)
        ? { externalTrafficPolicy: typed.spec.externalTrafficPolicy ?? 'Cluster' }
        : {}),
    },
    ...(typed.spec.type === 'LoadBalancer' ? { status: withIPModes(typed.status) } : {}),
  }
}

function withType(spec: ServiceSpec): ServiceSpec {
  const type = spec.type ?? 'ClusterIP'
  const isForwarded = type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer'
  return {
    ...withAffinity(spec),
    type,
    ...(spec.ports === undefined ? {} : { ports: spec.ports.map(withPortDefaults) }),
    ...(isForwarded ? { internalTrafficPolicy: spec.internalTrafficPolicy ?? 'Cluster' } : {}),
    ...(type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: spec.allocateLoadBalancerNodePorts ?? true } : {}),
  }
}

function withAffinity(spec: ServiceSpec): ServiceSpec {
  const { sessionAffinityConfig: config, sessionAffinity = 'None', ...rest } = spec
  if (sessionAffinity === 'None') return { ...rest, sessionAffinity }
  if (sessionAffinity !== 'ClientIP' || config?.clientIP?.timeoutSeconds !== undefined) return spec
  return {
    ...rest,
    sessionAffinity,
    sessionAffinityConfig: { clientIP: { timeoutSeconds: defaultAffinitySeconds } },
  }
}

function withPortDefaults(port: ServicePort): ServicePort {
  const { protocol = 'TCP', targetPort } = port
  const isUnset = targetPort === 0 || targetPort === ''
  return { ...port, protocol, targetPort: isUnset ? port.port : targetPort }
}

function withIPModes(status: Service['status']): Service['status'] {
  const { ingress } = status.loadBalancer
  if (ingress === undefined) return status
  const withModes = ingress.map((each) => (each.ip === undefined ? each : { ipMode: 'VIP', ...each }))
  return { ...status, loadBalancer: { ...status.loadBalancer, ingress: withModes } }
}
