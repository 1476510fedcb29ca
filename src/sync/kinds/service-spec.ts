import type { KubeObject } from '../../api/object.ts'
import type { ServicePort, ServiceSpec } from '../../api/types/core-v1.ts'
import { asMembers } from '../../base/json/lenient.ts'
import type { ObjectFields } from '../contract.ts'

/** Every server returns a Service with a spec. */
export function serviceSpecOf({ spec }: KubeObject | ObjectFields): ServiceSpec {
  return asMembers(spec)
}

/** A port with the node port of the same port elsewhere, or without one. */
export function withNodePortOf({ nodePort: _, ...port }: ServicePort, others: readonly ServicePort[]): ServicePort {
  const nodePort = others.find((other) => isSamePort(other, port))?.nodePort
  return nodePort ? { ...port, nodePort } : port
}

/** Not every server fills in the protocol. */
function isSamePort(left: ServicePort, right: ServicePort): boolean {
  return left.port === right.port && (left.protocol ?? 'TCP') === (right.protocol ?? 'TCP')
}
