import type { Service, ServicePort } from '../../types/core-v1.ts'
import { familyOf } from '../addresses/ip-address.ts'
import { headless, isExternalName, isLoadBalancer } from './service-questions.ts'

/**
 * What a service takes from the cluster's pools of addresses and ports. The pools themselves are elsewhere; this file
 * only determines what a service needs, has and releases.
 */

export interface Allocations {
  readonly clusterIPs: readonly string[]
  readonly nodePorts: readonly number[]
}

const nothing: Allocations = { clusterIPs: [], nodePorts: [] }

/** Whether an address must be assigned. Headless and external services have none. */
export function needsClusterIP(service: Service): boolean {
  return usesClusterIP(service) && service.spec.clusterIP === undefined
}

/** Whether this type of service has an address; `None` counts as one. */
export function usesClusterIP(service: Service): boolean {
  return !isExternalName(service)
}

export function withClusterIP(service: Service, ip: string): Service {
  return { ...service, spec: { ...service.spec, clusterIP: ip, clusterIPs: [ip] } }
}

/** Whether this type of service has a port on every node. */
export function usesNodePorts({ spec }: Service): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer'
}

/** The indexes of the ports that need a node port. */
export function needsNodePorts(service: Service): readonly number[] {
  const isOptedOut = isLoadBalancer(service) && service.spec.allocateLoadBalancerNodePorts === false
  if (!usesNodePorts(service) || isOptedOut) return []
  return (service.spec.ports ?? []).flatMap((port, index) => (port.nodePort === undefined ? [index] : []))
}

export function withNodePort(service: Service, portIndex: number, nodePort: number): Service {
  const ports = (service.spec.ports ?? []).map((port, index) => (index === portIndex ? { ...port, nodePort } : port))
  return { ...service, spec: { ...service.spec, ports } }
}

/** Load balancers that preserve the client's address ask each node whether it has an endpoint. */
export function usesHealthCheckNodePort(service: Service): boolean {
  return isLoadBalancer(service) && service.spec.externalTrafficPolicy === 'Local'
}

export function needsHealthCheckNodePort(service: Service): boolean {
  return usesHealthCheckNodePort(service) && service.spec.healthCheckNodePort === undefined
}

export function withHealthCheckNodePort(service: Service, nodePort: number): Service {
  return { ...service, spec: { ...service.spec, healthCheckNodePort: nodePort } }
}

/** What a service occupies. */
export function allocationsOf(service: Service): Allocations {
  if (!usesClusterIP(service)) return nothing
  const { clusterIPs = [], ports = [], healthCheckNodePort } = service.spec
  return {
    clusterIPs: clusterIPs.filter((ip) => ip !== headless),
    nodePorts: [
      ...new Set([
        ...ports.flatMap(({ nodePort }) => (nodePort === undefined ? [] : [nodePort])),
        ...(healthCheckNodePort === undefined ? [] : [healthCheckNodePort]),
      ]),
    ],
  }
}

/** What a change releases; without `after`, what a deletion releases. */
export function releasedAllocations(before: Service, after?: Service): Allocations {
  const had = allocationsOf(before)
  const has = after === undefined ? nothing : allocationsOf(after)
  return {
    clusterIPs: had.clusterIPs.filter((ip) => !has.clusterIPs.includes(ip)),
    nodePorts: had.nodePorts.filter((port) => !has.nodePorts.includes(port)),
  }
}

/** A service without anything assigned to it; a headless one stays headless. */
export function withoutAllocations(service: Service): Service {
  const { clusterIP, clusterIPs: _, healthCheckNodePort: __, ports, ...spec } = service.spec
  return {
    ...service,
    spec: {
      ...spec,
      ...(clusterIP === headless ? { clusterIP, clusterIPs: [clusterIP] } : {}),
      ...(ports === undefined ? {} : { ports: ports.map(({ nodePort: ___, ...port }) => port) }),
    },
  }
}

/** Restores what a client left out of an update but the service already has. */
export function withKeptAllocations(service: Service, old: Service): Service {
  return withKeptHealthCheck(withKeptNodePorts(withKeptClusterIPs(service, old), old), old)
}

function withKeptClusterIPs(service: Service, old: Service): Service {
  if (!usesClusterIP(service) || !usesClusterIP(old)) return service
  const { clusterIP = old.spec.clusterIP, clusterIPs = old.spec.clusterIPs } = service.spec
  return {
    ...service,
    spec: {
      ...service.spec,
      ...(clusterIP === undefined ? {} : { clusterIP }),
      ...(clusterIPs === undefined ? {} : { clusterIPs }),
    },
  }
}

/** Ports are identified by name. A node port that the client gave to another port is not assigned twice. */
function withKeptNodePorts(service: Service, old: Service): Service {
  const { ports } = service.spec
  if (ports === undefined || !usesNodePorts(service) || !usesNodePorts(old)) return service
  const oldPorts = new Map((old.spec.ports ?? []).map(({ name, nodePort }) => [name, nodePort]))
  const sent = new Set(ports.map(({ nodePort }) => nodePort))
  const kept = (port: ServicePort) => {
    const before = oldPorts.get(port.name)
    return port.nodePort !== undefined || before === undefined || sent.has(before)
      ? port
      : { ...port, nodePort: before }
  }
  return { ...service, spec: { ...service.spec, ports: ports.map(kept) } }
}

function withKeptHealthCheck(service: Service, old: Service): Service {
  const { healthCheckNodePort } = old.spec
  const isKept = needsHealthCheckNodePort(service) && usesHealthCheckNodePort(old)
  return isKept && healthCheckNodePort !== undefined ? withHealthCheckNodePort(service, healthCheckNodePort) : service
}

/** `clusterIPs` follows `clusterIP` for clients that only know the older field. */
export function withMatchingClusterIPs(service: Service, old?: Service): Service {
  const { clusterIP, clusterIPs } = service.spec
  const isStale = clusterIPs === undefined || (old !== undefined && clusterIPs.join() === old.spec.clusterIPs?.join())
  if (!isStale || clusterIP === undefined || clusterIPs?.[0] === clusterIP) return service
  return { ...service, spec: { ...service.spec, clusterIPs: [clusterIP] } }
}

/** The families of its addresses. The cluster has only IPv4. */
export function withIPFamilies(service: Service, old?: Service): Service {
  if (!usesClusterIP(service)) return service
  const { spec } = service
  const isUndirected = spec.clusterIP === headless && spec.selector === undefined
  const ipFamilyPolicy =
    spec.ipFamilyPolicy ?? old?.spec.ipFamilyPolicy ?? (isUndirected ? 'RequireDualStack' : 'SingleStack')
  const given = spec.ipFamilies ?? familiesOfAddresses(service)
  const ipFamilies = isUndirected && ipFamilyPolicy !== 'SingleStack' ? bothFamilies(given) : given
  return { ...service, spec: { ...spec, ipFamilies, ipFamilyPolicy } }
}

function familiesOfAddresses({ spec }: Service): NonNullable<Service['spec']['ipFamilies']> {
  const addresses = (spec.clusterIPs ?? []).filter((ip) => ip !== headless)
  return addresses.length === 0 ? ['IPv4'] : addresses.map(familyOf)
}

function bothFamilies(given: NonNullable<Service['spec']['ipFamilies']>): NonNullable<Service['spec']['ipFamilies']> {
  return given.length > 1 ? given : [...given, given[0] === 'IPv6' ? 'IPv4' : 'IPv6']
}
