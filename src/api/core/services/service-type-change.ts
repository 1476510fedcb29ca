import { deepEqual } from '../../../base/equal.ts'
import type { Service, ServiceSpec } from '../../types/core-v1.ts'
import { usesClusterIP, usesHealthCheckNodePort, usesNodePorts } from './service-allocation.ts'
import { isExternallyAccessible, isExternalName, isLoadBalancer } from './service-questions.ts'

type Member = keyof ServiceSpec

/**
 * A service whose type changes loses fields that the new type does not use, if the client left them unchanged: fields
 * that it sent back unread must not make its update invalid.
 */
export function withoutStaleFields(service: Service, old: Service): Service {
  const stale = [...staleMembers(service, old)].filter((member) => deepEqual(service.spec[member], old.spec[member]))
  const spec = stale.length === 0 ? service.spec : omit(service.spec, new Set(stale))
  return {
    ...service,
    spec: losesNodePorts(service, old) ? withoutNodePorts(spec) : spec,
    status: isLoadBalancer(service) ? service.status : { ...service.status, loadBalancer: {} },
  }
}

function* staleMembers(service: Service, old: Service): Iterable<Member> {
  if (usesClusterIP(old) && !usesClusterIP(service)) {
    yield* ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const
  }
  if (usesHealthCheckNodePort(old) && !usesHealthCheckNodePort(service)) yield 'healthCheckNodePort'
  if (isLoadBalancer(old) && !isLoadBalancer(service)) {
    yield* ['allocateLoadBalancerNodePorts', 'loadBalancerClass'] as const
  }
  if (!isExternalName(old) && isExternalName(service)) yield 'internalTrafficPolicy'
  if (isExternallyAccessible(old) && !isExternallyAccessible(service)) yield 'externalTrafficPolicy'
}

function losesNodePorts(service: Service, old: Service): boolean {
  const had = new Set((old.spec.ports ?? []).map(({ nodePort }) => nodePort))
  const isUntouched = (service.spec.ports ?? []).every(({ nodePort }) => nodePort === undefined || had.has(nodePort))
  return usesNodePorts(old) && !usesNodePorts(service) && isUntouched
}

function withoutNodePorts(spec: ServiceSpec): ServiceSpec {
  if (spec.ports === undefined) return spec
  return { ...spec, ports: spec.ports.map(({ nodePort: _, ...port }) => port) }
}

function omit(spec: ServiceSpec, members: ReadonlySet<string>): ServiceSpec {
  return Object.fromEntries(Object.entries(spec).filter(([member]) => !members.has(member)))
}
