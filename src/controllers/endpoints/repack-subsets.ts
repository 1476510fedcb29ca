import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../api/types/core-v1.ts'
import type { Steps } from '../../base/steps.ts'
import { inShownOrder } from './port-order.ts'

/** For all subsets together. A small object, with ports times addresses, could otherwise expand to millions. */
export const mostPackedAddresses = 100_000

/** Each of them becomes a slice. */
export const mostPackedSubsets = 1_000

export interface Repacked {
  readonly subsets: readonly EndpointSubset[]
  /** How many ports were left out because of the limits. */
  readonly leftOut: number
}

interface Known {
  readonly address: EndpointAddress
  readonly key: string
}

interface KnownSubset {
  readonly ready: readonly Known[]
  readonly notReady: readonly Known[]
}

/** A port, and the indexes of the subsets that contain it. A subset without ports has one undefined port. */
interface PlacedPort {
  readonly key: string
  readonly port: EndpointPort | undefined
  readonly places: number[]
}

/** Ports with the same addresses, each with its readiness. */
interface Offer {
  readonly ports: PlacedPort[]
  readonly ready: ReadonlyMap<Known, boolean>
}

/**
 * The same addresses and ports in as few subsets as possible: ports offered by exactly the same addresses share one.
 * The order depends only on the content, so that equal inputs look the same. Ports that always occur together are
 * processed in one step, however many there are.
 */
export function* repackSubsets(subsets: readonly EndpointSubset[]): Steps<Repacked> {
  const known = new Map<string, Known>()
  const knownSubsets: KnownSubset[] = []
  for (const subset of subsets) {
    knownSubsets.push(knownSubset(subset, known))
    yield
  }
  const rank = new Map([...known.values()].sort(byKey).map((each, index) => [each, index]))
  const offers = new Map<string, Offer>()
  let addresses = 0
  let leftOut = 0
  for (const ports of sideBySide(placedPorts(subsets))) {
    const those = (ports[0]?.places ?? []).flatMap((place) => knownSubsets[place] ?? [])
    const size = those.reduce((sum, { ready, notReady }) => sum + ready.length + notReady.length, 0)
    if (offers.size > 0 && (offers.size >= mostPackedSubsets || addresses + size > mostPackedAddresses)) {
      leftOut += ports.length
      continue
    }
    addresses += size
    const ready = readinessIn(those)
    const makers = makersKey(ready, rank)
    const offer = offers.get(makers)
    if (offer === undefined) offers.set(makers, { ports: [...ports], ready })
    else offer.ports.push(...ports)
    yield
  }
  const repacked: EndpointSubset[] = []
  for (const offer of offers.values()) {
    repacked.push(packed(offer, rank))
    yield
  }
  return { subsets: repacked, leftOut }
}

function knownSubset(
  { addresses = [], notReadyAddresses = [] }: EndpointSubset,
  known: Map<string, Known>,
): KnownSubset {
  return {
    ready: addresses.map((address) => remembered(address, known)),
    notReady: notReadyAddresses.map((address) => remembered(address, known)),
  }
}

function remembered(address: EndpointAddress, known: Map<string, Known>): Known {
  const key = `${address.ip} ${address.targetRef?.uid ?? ''}`
  const before = known.get(key)
  if (before !== undefined) return before
  const added = { address, key }
  known.set(key, added)
  return added
}

/** In their order. */
function placedPorts(subsets: readonly EndpointSubset[]): readonly PlacedPort[] {
  const placed = new Map<string, PlacedPort>()
  for (const [place, { ports = [] }] of subsets.entries()) {
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const key = port === undefined ? '' : portKey(port)
      const before = placed.get(key)
      if (before === undefined) placed.set(key, { key, port, places: [place] })
      else before.places.push(place)
    }
  }
  return [...placed.values()].sort(byKey)
}

/** Groups ports that are in the same subsets. */
function sideBySide(ports: readonly PlacedPort[]): Iterable<readonly PlacedPort[]> {
  const together = new Map<string, PlacedPort[]>()
  for (const port of ports) {
    const key = port.places.join()
    const those = together.get(key)
    if (those === undefined) together.set(key, [port])
    else those.push(port)
  }
  return together.values()
}

function readinessIn(subsets: readonly KnownSubset[]): ReadonlyMap<Known, boolean> {
  const readiness = new Map<Known, boolean>()
  for (const { ready, notReady } of subsets) {
    for (const each of notReady) readiness.set(each, false)
    for (const each of ready) readiness.set(each, true)
  }
  return readiness
}

/** Equal for the same addresses in the same state. */
function makersKey(ready: ReadonlyMap<Known, boolean>, rank: ReadonlyMap<Known, number>): string {
  return inOrder([...ready.keys()], rank)
    .map((each) => `${rank.get(each)}${ready.get(each) ? '+' : '-'}`)
    .join()
}

function packed({ ports: placed, ready }: Offer, rank: ReadonlyMap<Known, number>): EndpointSubset {
  const known = inOrder([...ready.keys()], rank)
  const those = (isReady: boolean) => known.filter((each) => ready.get(each) === isReady).map(({ address }) => address)
  const addresses = those(true)
  const notReadyAddresses = those(false)
  const ports = inShownOrder(placed.toSorted(byKey).flatMap(({ port }) => (port === undefined ? [] : [port])))
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports }),
  }
}

function inOrder(known: readonly Known[], rank: ReadonlyMap<Known, number>): readonly Known[] {
  return known.toSorted((left, right) => (rank.get(left) ?? 0) - (rank.get(right) ?? 0))
}

function portKey({ name = '', port, protocol = 'TCP', appProtocol = '' }: EndpointPort): string {
  return `${name} ${String(port).padStart(5, '0')} ${protocol} ${appProtocol}`
}

function byKey(left: { readonly key: string }, right: { readonly key: string }): number {
  return left.key < right.key ? -1 : Number(left.key > right.key)
}
