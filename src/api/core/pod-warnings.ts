import { validateLabel } from '../names.ts'
import type { Container, ContainerPort, Pod, PodSpec } from '../types/core-v1.ts'
import { repeated } from './repeated.ts'

const renamedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
}

export function podWarnings({ metadata, spec }: Pod, old?: Pod): readonly string[] {
  if (old !== undefined) return []
  const problems = validateLabel(metadata.name ?? '')
  const hostname =
    "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended"
  return [...(problems.length === 0 ? [] : [`${hostname}: [${problems.join(' ')}]`]), ...podSpecWarnings('spec', spec)]
}

/** `field` is where the spec stands: templates of pods are warned about the same. */
export function podSpecWarnings(field: string, spec: PodSpec): readonly string[] {
  return [
    ...Object.keys(spec.nodeSelector ?? {})
      .filter((label) => renamedLabels[label] !== undefined)
      .map((label) => `${field}.nodeSelector[${label}]: ${renamedLabels[label]}`),
    ...containerWarnings(`${field}.initContainers`, spec.initContainers ?? []),
    ...containerWarnings(`${field}.containers`, spec.containers ?? []),
    ...portWarnings(field, spec),
    ...(spec.imagePullSecrets ?? []).flatMap(({ name = '' }, index) =>
      name === '' ? [`${field}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${field}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
  ]
}

/** Ports of all containers are those of one machine. */
function portWarnings(field: string, { initContainers = [], containers }: PodSpec): readonly string[] {
  const seen = new Map<string, { readonly at: string; readonly port: ContainerPort }[]>()
  const lists = [
    [`${field}.initContainers`, initContainers] as const,
    [`${field}.containers`, containers ?? []] as const,
  ]
  const all = lists.flatMap(([list, each]) =>
    each.flatMap(({ ports = [] }, index) => ports.map((port, at) => ({ at: `${list}[${index}].ports[${at}]`, port }))),
  )
  return all.flatMap((one) => {
    const key = `${one.port.containerPort}/${one.port.protocol}`
    const others = seen.get(key) ?? []
    seen.set(key, [...others, one])
    return others.flatMap((other) => {
      const relation = portRelation(one.port, other.port)
      return relation === undefined ? [] : [`${one.at}: ${relation} port definition with ${other.at}`]
    })
  })
}

function portRelation(one: ContainerPort, other: ContainerPort): string | undefined {
  const [hostPort, otherPort] = [one.hostPort ?? 0, other.hostPort ?? 0]
  const [hostIP, otherIP] = [one.hostIP ?? '', other.hostIP ?? '']
  if (hostIP === otherIP && hostPort === otherPort) return 'duplicate'
  if (hostPort === 0 || otherPort === 0) return 'overlapping'
  return hostPort === otherPort && (hostIP === '') !== (otherIP === '') ? 'dangerously ambiguous' : undefined
}

function containerWarnings(list: string, containers: readonly Container[]): readonly string[] {
  return containers.flatMap(({ env = [] }, index) => {
    const isTaken = repeated(env.map(({ name }) => name))
    return env.flatMap(({ name }, at) =>
      isTaken[at]
        ? [
            `${list}[${index}].env[${at}]: hides previous definition of "${name}", which may be dropped when using apply`,
          ]
        : [],
    )
  })
}
