import { isSidecar } from '../../api/core/pods/sidecar.ts'
import type { Container, Pod } from '../../api/types/core-v1.ts'

/** How a Pod is reached. */
export interface NetworkFacts {
  /** At most one of each family; none until assigned. */
  readonly addresses: readonly string[]
  readonly hostname: string
  readonly subdomain: string
  /** Ports that a Service can refer to by name. */
  readonly ports: readonly NamedPort[]
}

export interface NamedPort {
  readonly name: string
  readonly protocol: string
  readonly port: number
}

const none: readonly never[] = []

export function networkFactsFrom({ spec, status }: Pod): NetworkFacts {
  const { podIP = '', podIPs = podIP === '' ? none : [{ ip: podIP }] } = status
  const ports: NamedPort[] = []
  for (const container of spec.containers ?? none) addNamedPorts(ports, container)
  for (const container of spec.initContainers ?? none) if (isSidecar(container)) addNamedPorts(ports, container)
  return {
    addresses: podIPs.length === 0 ? none : podIPs.map(({ ip }) => ip),
    hostname: spec.hostname ?? '',
    subdomain: spec.subdomain ?? '',
    ports: ports.length === 0 ? none : ports,
  }
}

/** Most Pods have none, and there are very many Pods. */
function addNamedPorts(ports: NamedPort[], container: Container): void {
  for (const { name = '', protocol = 'TCP', containerPort } of container.ports ?? none) {
    if (name !== '') ports.push({ name, protocol, port: containerPort })
  }
}
