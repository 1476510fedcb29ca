import { BlockList, isIP } from 'node:net'

/**
 * What NetworkPolicies allow, from the documentation of Kubernetes alone: a Pod that no policy selects is open, a
 * selected one is closed except for what some policy lists. Independent of the program that creates them.
 */
export interface NetworkWorld {
  /** Labels by namespace. */
  readonly namespaces: Readonly<Record<string, Labels>>
  readonly policies: readonly unknown[]
}

export type Labels = Readonly<Record<string, string>>

/** A Pod, or any other machine, which has no labels. */
export interface Party {
  readonly address: string
  readonly pod?: { readonly namespace: string; readonly labels: Labels }
}

export interface Destination {
  readonly port: number
  readonly protocol: 'TCP' | 'UDP'
}

type Direction = 'Egress' | 'Ingress'

interface Fields {
  readonly [field: string]: unknown
}

export function mayConnect(world: NetworkWorld, from: Party, to: Party, destination: Destination): boolean {
  return isOpen(world, 'Egress', from, to, destination) && isOpen(world, 'Ingress', to, from, destination)
}

function isOpen(
  world: NetworkWorld,
  direction: Direction,
  own: Party,
  other: Party,
  destination: Destination,
): boolean {
  const { pod } = own
  if (pod === undefined) return true
  const selecting = world.policies.map(fields).filter((policy) => selectsPod(policy, pod, direction))
  if (selecting.length === 0) return true
  return selecting.some((policy) =>
    list(fields(policy.spec)[direction.toLowerCase()]).some((rule) => {
      const peers = list(rule[direction === 'Egress' ? 'to' : 'from'])
      const ports = list(rule.ports)
      const home = String(fields(policy.metadata).namespace)
      return (
        (peers.length === 0 || peers.some((peer) => isPeer(world, peer, home, other))) &&
        (ports.length === 0 || ports.some((port) => isPort(port, destination)))
      )
    }),
  )
}

function selectsPod(policy: Fields, pod: NonNullable<Party['pod']>, direction: Direction): boolean {
  const spec = fields(policy.spec)
  const types = Array.isArray(spec.policyTypes) ? spec.policyTypes : ['Ingress', ...(spec.egress ? ['Egress'] : [])]
  return (
    fields(policy.metadata).namespace === pod.namespace &&
    types.includes(direction) &&
    isSelected(fields(spec.podSelector), pod.labels)
  )
}

function isPeer({ namespaces }: NetworkWorld, peer: Fields, home: string, { address, pod }: Party): boolean {
  if (peer.ipBlock !== undefined) return isInBlock(fields(peer.ipBlock), address)
  if (pod === undefined) return false
  const isPlace =
    peer.namespaceSelector === undefined
      ? pod.namespace === home
      : isSelected(fields(peer.namespaceSelector), namespaces[pod.namespace] ?? {})
  return isPlace && (peer.podSelector === undefined || isSelected(fields(peer.podSelector), pod.labels))
}

function isInBlock({ cidr, except = [] }: Fields, address: string): boolean {
  const isIn = (range: unknown) => {
    const [first = '', bits = ''] = String(range).split('/')
    const family = isIP(first) === 6 ? 'ipv6' : 'ipv4'
    if ((isIP(address) === 6) !== (family === 'ipv6')) return false
    const block = new BlockList()
    block.addSubnet(first, Number(bits), family)
    return block.check(address, family)
  }
  return isIn(cidr) && !(Array.isArray(except) && except.some(isIn))
}

function isPort({ port, endPort, protocol = 'TCP' }: Fields, destination: Destination): boolean {
  if (protocol !== destination.protocol) return false
  if (port === undefined) return true
  if (typeof port !== 'number') throw new Error(`a port by name is not looked up here: ${String(port)}`)
  return destination.port >= port && destination.port <= (typeof endPort === 'number' ? endPort : port)
}

function isSelected({ matchLabels, matchExpressions }: Fields, labels: Labels): boolean {
  return (
    Object.entries(fields(matchLabels)).every(([key, value]) => labels[key] === value) &&
    list(matchExpressions).every((expression) => {
      const value = labels[String(expression.key)]
      const values = Array.isArray(expression.values) ? expression.values : []
      switch (expression.operator) {
        case 'In':
          return value !== undefined && values.includes(value)
        case 'NotIn':
          return value === undefined || !values.includes(value)
        case 'Exists':
          return value !== undefined
        case 'DoesNotExist':
          return value === undefined
        default:
          throw new Error(`no such operator: ${String(expression.operator)}`)
      }
    })
  )
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : []
}
