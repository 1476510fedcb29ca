import { headless } from '../../api/core/services/service-questions.ts'
import type { KubeObject } from '../../api/object.ts'
import type { LoadBalancerIngress, ServiceSpec } from '../../api/types/core-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { KindSetting, ObjectFields, TakenOver } from '../contract.ts'
import { hostClusterIP } from '../names/markers.ts'
import { checkedObjectsIn } from './lists.ts'
import { serviceSpecOf, withNodePortOf } from './service-spec.ts'

/** The values that the host assigned to the copy of a Service and that the virtual Service lacks. */
export function assignedToVirtual(copy: KubeObject, virtual: KubeObject, setting: KindSetting): TakenOver {
  const fields = setting.virtualFollowsHostAddresses ? followed(serviceSpecOf(copy), serviceSpecOf(virtual)) : undefined
  const annotations = setting.virtualFollowsHostAddresses ? undefined : noted(copy, virtual)
  const status = balancedStatus(copy, virtual)
  return { ...(fields && { fields }), ...(annotations && { annotations }), ...(status && { status }) }
}

function followed(copy: ServiceSpec, virtual: ServiceSpec): ObjectFields | undefined {
  if (virtual.type === 'ExternalName' || virtual.clusterIP === headless) return undefined
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, healthCheckNodePort } = copy
  const ports = virtual.ports?.map((port) => withNodePortOf(port, copy.ports ?? []))
  const spec = {
    ...(clusterIP &&
      clusterIP !== virtual.clusterIP &&
      given({ clusterIP, clusterIPs: clusterIPs ?? [clusterIP], ipFamilies, ipFamilyPolicy })),
    ...(!deepEqual(ports, virtual.ports) && { ports }),
    ...(healthCheckNodePort && healthCheckNodePort !== virtual.healthCheckNodePort && { healthCheckNodePort }),
  }
  return Object.keys(spec).length === 0 ? undefined : { spec }
}

function given(fields: ObjectFields): ObjectFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** If the virtual cluster has its own addresses, the host's address is noted in an annotation. */
function noted(copy: KubeObject, virtual: KubeObject): TakenOver['annotations'] {
  const { clusterIP } = serviceSpecOf(copy)
  const address = clusterIP && clusterIP !== headless ? clusterIP : undefined
  if (virtual.metadata.annotations?.[hostClusterIP] === address) return undefined
  return { [hostClusterIP]: address ?? null }
}

function balancedStatus(copy: KubeObject, virtual: KubeObject): ObjectFields | undefined {
  const [theirs, ours] = [ingressOf(copy), ingressOf(virtual)]
  const isSame = theirs.length === ours.length && theirs.every((each, index) => isSameIngress(each, ours[index]))
  return isSame ? undefined : { loadBalancer: { ingress: theirs.length === 0 ? null : theirs } }
}

/** Servers of different versions fill in different fields. */
function isSameIngress(left: LoadBalancerIngress, right: LoadBalancerIngress | undefined): boolean {
  const isSameMode = (left.ipMode ?? right?.ipMode) === (right?.ipMode ?? left.ipMode)
  return left.ip === right?.ip && left.hostname === right?.hostname && isSameMode
}

function ingressOf({ status }: KubeObject): readonly LoadBalancerIngress[] {
  const balancer = isJsonObject(status) ? status.loadBalancer : undefined
  return (isJsonObject(balancer) ? checkedObjectsIn<LoadBalancerIngress>(balancer.ingress) : undefined) ?? []
}
