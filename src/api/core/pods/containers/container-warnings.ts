import { quoted } from '../../../human/go-syntax.ts'
import type { Container, ContainerPort, EnvVar, PodSpec } from '../../../types/core-v1.ts'
import { repeated } from '../../repeated.ts'
import { fractionWarnings } from '../../volumes/claim-warnings.ts'

export interface PlacedContainer {
  readonly field: string
  readonly container: Container
}

/** Containers of all kinds, in validation order. */
export function placedContainers(field: string, spec: PodSpec): readonly PlacedContainer[] {
  const { initContainers = [], containers, ephemeralContainers = [] } = spec
  const placed = (member: string, list: readonly Container[]) =>
    list.map((container, index) => ({ field: `${field}.${member}[${index}]`, container }))
  return [
    ...placed('initContainers', initContainers),
    ...placed('containers', containers ?? []),
    ...placed('ephemeralContainers', ephemeralContainers),
  ]
}

export function resourceWarnings({ field, container: { resources } }: PlacedContainer): readonly string[] {
  const bytes = ['memory', 'ephemeral-storage']
  return bytes.flatMap((name) => [
    ...fractionWarnings(`${field}.resources.limits`, resources?.limits, [name]),
    ...fractionWarnings(`${field}.resources.requests`, resources?.requests, [name]),
  ])
}

export function environmentWarnings({ field, container: { env = [] } }: PlacedContainer): readonly string[] {
  const isTaken = repeated(env.map(({ name }) => name))
  return env.flatMap((variable, index) =>
    isTaken[index] && !addsToPrevious(variable)
      ? [
          `${field}.env[${index}]: hides previous definition of ${quoted(variable.name)}, which may be dropped when using apply`,
        ]
      : [],
  )
}

/** As in `PATH=$(PATH):/more`. */
function addsToPrevious({ name, value = '', valueFrom }: EnvVar): boolean {
  const reference = `$(${name})`
  return valueFrom === undefined && value !== reference && value.includes(reference)
}

interface PlacedPort {
  readonly at: string
  readonly port: ContainerPort
}

/** Each is compared with the first ones of the same number. Kubernetes has no limit. */
const mostPorts = 200

/** All containers share the ports of one machine. */
export function* portWarnings(containers: readonly PlacedContainer[]): Iterable<string> {
  const seen = new Map<string, PlacedPort[]>()
  for (const { field, container } of containers) {
    for (const [index, port] of (container.ports ?? []).entries()) {
      const at = `${field}.ports[${index}]`
      if ((port.hostIP ?? '') !== '' && (port.hostPort ?? 0) === 0) {
        yield `${at}: hostIP set without hostPort: ${printedPort(port)}`
      }
      const key = `${port.containerPort}/${port.protocol}`
      const others = seen.get(key)
      if (others === undefined) {
        seen.set(key, [{ at, port }])
        continue
      }
      for (const other of others) {
        const relation = portRelation(port, other.port)
        if (relation !== undefined) yield `${at}: ${relation} port definition with ${other.at}`
      }
      if (others.length < mostPorts) others.push({ at, port })
    }
  }
}

function portRelation(one: ContainerPort, other: ContainerPort): string | undefined {
  const [hostPort, otherPort] = [one.hostPort ?? 0, other.hostPort ?? 0]
  const [hostIP, otherIP] = [one.hostIP ?? '', other.hostIP ?? '']
  if (hostIP === otherIP && hostPort === otherPort) return 'duplicate'
  if (hostPort === 0 || otherPort === 0) return 'overlapping'
  return hostPort === otherPort && (hostIP === '') !== (otherIP === '') ? 'dangerously ambiguous' : undefined
}

/** In the notation that clients know. */
function printedPort({ name = '', containerPort, protocol = '', hostIP = '' }: ContainerPort): string {
  return `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
}
