import { badRequest, unreachable } from '../../api/error.ts'
import type { Endpoints, Pod, Service } from '../../api/types/core-v1.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { ProxyRequest } from './proxy-request.ts'

/** A Pod that answers for a Service, and its port. */
export interface PodBehind {
  readonly pod: ObjectName
  /** Empty if not stated. */
  readonly uid: string
  readonly port: number
}

/** The requested port of a Pod: the named one, or the first that it lists, as in Kubernetes. */
export function portOfPod({ spec }: Pod, { scheme, port, object }: ProxyRequest): number {
  if (port === '') {
    const listed = (spec.containers ?? []).flatMap(({ ports = [] }) => ports)
    return listed[0]?.containerPort ?? (scheme === 'https' ? 443 : 80)
  }
  const number = portNumber(port)
  if (number === undefined) throw badRequest(`invalid port ${JSON.stringify(port)} of pod ${object.name}`)
  return number
}

/**
 * The Pods of the Service's own namespace that its Endpoints list as ready. Tenants can write any address, so addresses
 * are not used: the host would send the request to whatever is there from inside its own network.
 */
export function podsBehind(
  { spec }: Service,
  { subsets = [] }: Endpoints,
  { object, port }: ProxyRequest,
): readonly PodBehind[] {
  const name = portName(spec, object.name, port)
  const found = subsets.flatMap(({ addresses = [], ports = [] }) => {
    const at = ports.find((each) => (each.name ?? '') === name)
    return at === undefined ? [] : addresses.map(({ targetRef }) => ({ targetRef, port: at.port }))
  })
  if (found.length === 0) throw unreachable(`no endpoints available for service ${JSON.stringify(object.name)}`)
  const pods = found.flatMap(({ targetRef: target, port }) => {
    const isPod = target?.kind === 'Pod' && target.namespace === object.namespace && Boolean(target.name)
    const pod = { namespace: object.namespace, name: target?.name ?? '' }
    return isPod && isPort(port) ? [{ pod, uid: target.uid ?? '', port }] : []
  })
  if (pods.length > 0) return pods
  throw unreachable(
    `no endpoint of service ${JSON.stringify(object.name)} is a Pod of its namespace, and only Pods are reached`,
  )
}

/** A number is a port of the Service; its Endpoints know ports by name. */
function portName({ ports = [] }: Service['spec'], service: string, port: string): string {
  const number = portNumber(port)
  if (number === undefined) return port
  const found = ports.find((each) => each.port === number)
  if (found === undefined) throw unreachable(`no service port ${number} found for service ${JSON.stringify(service)}`)
  return found.name ?? ''
}

function portNumber(text: string): number | undefined {
  return /^[0-9]{1,5}$/.test(text) && isPort(Number(text)) ? Number(text) : undefined
}

function isPort(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= 65_535
}
