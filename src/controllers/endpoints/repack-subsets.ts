import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../api/types/core-v1.ts'

interface Known {
  readonly address: EndpointAddress
  readonly key: string
}

/** The addresses of one port, each with whether it is ready. */
interface Offer {
  readonly port: EndpointPort | undefined
  readonly ready: Map<string, boolean>
}

/**
 * The same addresses and ports in as few subsets as possible: ports that the very same addresses offer share one. The
 * order follows from what they are, so that equal ones look the same.
 */
export function repackSubsets(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  const known = new Map<string, Known>()
  const offers = new Map<string, Offer>()
  for (const subset of subsets) collect(subset, known, offers)
  const addresses = [...known.values()].sort(byAddress)
  return [...grouped([...offers.values()], addresses).values()].map((group) => subsetOf(group, addresses))
}

function collect(
  { addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset,
  known: Map<string, Known>,
  offers: Map<string, Offer>,
): void {
  for (const port of ports.length === 0 ? [undefined] : ports) {
    const id = port === undefined ? '' : portKey(port)
    const offer = offers.get(id) ?? { port, ready: new Map<string, boolean>() }
    offers.set(id, offer)
    for (const address of notReadyAddresses) offer.ready.set(remembered(address, known), false)
    for (const address of addresses) offer.ready.set(remembered(address, known), true)
  }
}

function remembered(address: EndpointAddress, known: Map<string, Known>): string {
  const key = `${address.ip} ${address.targetRef?.uid ?? ''}`
  if (!known.has(key)) known.set(key, { address, key })
  return key
}

/** Offers in the order of their ports, by who makes them. */
function grouped(offers: readonly Offer[], addresses: readonly Known[]): Map<string, readonly Offer[]> {
  const groups = new Map<string, readonly Offer[]>()
  for (const offer of offers.toSorted(byPort)) {
    const makers = addresses.map(({ key }) => mark(offer.ready.get(key))).join('')
    groups.set(makers, [...(groups.get(makers) ?? []), offer])
  }
  return groups
}

function mark(isReady: boolean | undefined): string {
  if (isReady === undefined) return '-'
  return isReady ? '1' : '0'
}

function subsetOf(offers: readonly Offer[], known: readonly Known[]): EndpointSubset {
  const ready = offers[0]?.ready ?? new Map<string, boolean>()
  const those = (isReady: boolean) =>
    known.filter(({ key }) => ready.get(key) === isReady).map(({ address }) => address)
  const addresses = those(true)
  const notReadyAddresses = those(false)
  const ports = offers.flatMap(({ port }) => (port === undefined ? [] : [port]))
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports }),
  }
}

function portKey({ name = '', port, protocol = 'TCP', appProtocol = '' }: EndpointPort): string {
  return `${name} ${String(port).padStart(5, '0')} ${protocol} ${appProtocol}`
}

function byPort(left: Offer, right: Offer): number {
  return compared(
    left.port === undefined ? '' : portKey(left.port),
    right.port === undefined ? '' : portKey(right.port),
  )
}

function byAddress(left: Known, right: Known): number {
  return compared(left.key, right.key)
}

function compared(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}
