import type { Container, ContainerPort, Pod } from '../../api/types/core-v1.ts'

/** How a Pod is reached. */
export interface NetworkFacts {
  /** Of each family at most one; none until it has been given any. */
  readonly addresses: readonly string[]
  readonly hostname: string
  readonly subdomain: string
  /** Those that a Service can ask for by name. */
  readonly ports: readonly NamedPort[]
}

export interface NamedPort {
  readonly name: string
  readonly protocol: string
  readonly port: number
}

const none: readonly never[] = []

export function networkFactsFrom({ spec, status }: Pod): NetworkFacts {
  const { podIP = '', podIPs = podIP === '' ? [] : [{ ip: podIP }] } = status
  const sidecars = spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? []
  const ports = [...(spec.containers ?? []), ...sidecars].flatMap(namedPortsOf)
  return {
    addresses: podIPs.map(({ ip }) => ip),
    hostname: spec.hostname ?? '',
    subdomain: spec.subdomain ?? '',
    ports: ports.length === 0 ? none : ports,
  }
}

function namedPortsOf({ ports = [] }: Container): readonly NamedPort[] {
  return ports.filter(({ name = '' }) => name !== '').map(namedPort)
}

function namedPort({ name = '', protocol = 'TCP', containerPort }: ContainerPort): NamedPort {
  return { name, protocol, port: containerPort }
}
