import { headless } from '../../api/core/services/service-questions.ts'
import type { KubeObject } from '../../api/object.ts'
import type { ServicePort, ServiceSpec } from '../../api/types/core-v1.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { KindSetting, ObjectFields, SyncKind } from '../contract.ts'
import { hostSelectorMap } from '../names/host-labels.ts'
import { assignedToVirtual } from './service-assignments.ts'
import { serviceSpecOf, withNodePortOf } from './service-spec.ts'
import { isKubernetesService } from './shared.ts'

/**
 * If Pods run on the host, a Service selects the same ones there. Otherwise it has no selector, and its Endpoints are
 * synced as data. The host assigns addresses and node ports.
 */
export const servicesSync: SyncKind = {
  id: 'services',
  group: '',
  resource: 'services',
  leavesOut: isKubernetesService,
  toHost: (virtual, setting) => ({
    spec: { ...requested(serviceSpecOf(virtual)), ...hostSelection(virtual, setting) },
  }),
  imported: (source) => ({ spec: requested(serviceSpecOf(source)) }),
  withDefaults: ({ spec }) => ({ spec: isJsonObject(spec) ? withServerDefaults(spec) : spec }),
  overCopy: (fields, copy) => ({ spec: withAssigned(serviceSpecOf(fields), serviceSpecOf(copy)) }),
  whyAnew: whySelectedAnew,
  toVirtual: assignedToVirtual,
}

/** Whether a controller lists the Pods of a Service. */
export function hasPodSelector(service: KubeObject | ObjectFields): boolean {
  const { selector = {}, type } = serviceSpecOf(service)
  return type !== 'ExternalName' && Object.keys(selector).length > 0
}

function hostSelection(virtual: KubeObject, { names, podsRunOnHost }: KindSetting): Pick<ServiceSpec, 'selector'> {
  if (!podsRunOnHost || !hasPodSelector(virtual)) return {}
  const { selector = {} } = serviceSpecOf(virtual)
  return { selector: hostSelectorMap(selector, virtual.metadata.namespace ?? '', names) }
}

/** Controllers keep the listed addresses of a Service that stops selecting, and remove them only when it is deleted. */
function whySelectedAnew(wanted: ObjectFields, copy: KubeObject): string | undefined {
  if (hasPodSelector(wanted) || !hasPodSelector(copy)) return undefined
  return 'the virtual object no longer selects Pods, whose addresses the host would keep'
}

/** Without what the host assigns, and without the selector, which is translated. */
function requested(spec: ServiceSpec): ServiceSpec {
  const { selector: _selector, clusterIP, clusterIPs: _clusterIPs, ipFamilies: _ipFamilies, ...others } = spec
  const { ipFamilyPolicy: _ipFamilyPolicy, healthCheckNodePort: _healthCheckNodePort, ports, ...kept } = others
  return {
    ...kept,
    ...(ports && { ports: ports.map(({ nodePort: _nodePort, ...port }) => port) }),
    ...(clusterIP === headless && { clusterIP }),
  }
}

function withServerDefaults(spec: ServiceSpec): ServiceSpec {
  const type = spec.type ?? 'ClusterIP'
  const isOutside = type === 'NodePort' || type === 'LoadBalancer'
  return {
    sessionAffinity: 'None',
    ...(type !== 'ExternalName' && { internalTrafficPolicy: 'Cluster' }),
    ...(isOutside && { externalTrafficPolicy: 'Cluster' }),
    ...(type === 'LoadBalancer' && { allocateLoadBalancerNodePorts: true }),
    ...spec,
    type,
    ...(spec.ports && { ports: spec.ports.map(withPortDefaults) }),
  }
}

function withPortDefaults(port: ServicePort): ServicePort {
  return { ...port, protocol: port.protocol ?? 'TCP', targetPort: port.targetPort || port.port }
}

const assignedOnce = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const

/** An update must repeat the values that the host assigned, or it would request others. */
function withAssigned(spec: ServiceSpec, copy: ServiceSpec): ServiceSpec {
  const isAddressed = spec.type !== 'ExternalName' && copy.type !== 'ExternalName'
  const addresses = isAddressed ? assignedOnce.map((member) => [member, copy[member]] as const) : []
  const isOutside = spec.type === 'NodePort' || spec.type === 'LoadBalancer'
  return {
    ...spec,
    ...Object.fromEntries(addresses.filter(([, value]) => value !== undefined)),
    ...(isOutside &&
      spec.ports && {
        ports: spec.ports.map((port) => (port.nodePort ? port : withNodePortOf(port, copy.ports ?? []))),
      }),
    ...(spec.type === 'LoadBalancer' &&
      copy.type === 'LoadBalancer' &&
      copy.loadBalancerClass && { loadBalancerClass: copy.loadBalancerClass }),
    ...(isOutside && copy.healthCheckNodePort && { healthCheckNodePort: copy.healthCheckNodePort }),
  }
}
