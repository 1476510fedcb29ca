/** Each zone's share of the CPUs of all nodes. */
export type ZoneShares = ReadonlyMap<string, number>

interface Allocation {
  readonly maximum: number
  readonly desired: number
}

/** How many endpoints are allocated to each zone. */
export type ZoneAllocations = ReadonlyMap<string, Allocation>

/** The maximum overload of one endpoint, relative to its share. */
const mostOverload = 0.2

/** Returns a problem as text if the endpoints cannot be allocated. */
export function zoneAllocationsOf(shares: ZoneShares | undefined, endpoints: number): ZoneAllocations | string {
  if (shares === undefined) {
    return 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes'
  }
  const counts = `(${endpoints} endpoints, ${shares.size} zones)`
  if (shares.size > endpoints) return `Insufficient number of endpoints ${counts}`
  const wanted = [...shares].map(([zone, share]) => {
    const minimum = Math.ceil(share * endpoints * (1 / (1 + mostOverload)))
    return { zone, minimum, desired: Math.max(share * endpoints, minimum) }
  })
  const left = wanted.reduce((rest, { minimum }) => rest - minimum, endpoints)
  if (left < 0) {
    return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${counts}`
  }
  return new Map(wanted.map(({ zone, minimum, desired }) => [zone, { maximum: minimum + left, desired }]))
}

/**
 * The zone to which the next endpoint of a zone is moved; undefined: it stays. `counts` is the number of endpoints in
 * each zone.
 */
export function redistributed(
  allocations: ZoneAllocations,
  counts: ReadonlyMap<string, number>,
): (from: string) => string | undefined {
  const spare = [...allocations].map(([zone, { desired }]) => [zone, (counts.get(zone) ?? 0) - desired] as const)
  const giving = new Map(spare.filter(([, count]) => count > 0))
  const receiving = new Map(spare.filter(([, count]) => count < 0).map(([zone, count]) => [zone, -count]))
  const given = new Map<string, number>()
  const received: string[] = []
  for (;;) {
    const [from, toGive] = most(giving)
    const [to, toReceive] = most(receiving)
    if (toGive < 0.5 || toReceive < 0.5 || (toGive < 1 && toReceive < 1)) break
    giving.set(from, toGive - 1)
    receiving.set(to, toReceive - 1)
    given.set(from, (given.get(from) ?? 0) + 1)
    received.push(to)
  }
  return (from) => {
    const left = given.get(from) ?? 0
    if (left === 0) return undefined
    given.set(from, left - 1)
    return received.shift()
  }
}

function most(zones: ReadonlyMap<string, number>): readonly [zone: string, count: number] {
  return [...zones].reduce((found, each) => (each[1] > found[1] ? each : found), ['', 0])
}
