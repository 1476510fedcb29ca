import type { Endpoint } from '../../api/types/discovery-v1.ts'
import { redistributed, type ZoneAllocations, type ZoneShares, zoneAllocationsOf } from './zone-allocations.ts'

/** The endpoints of one slice. */
export interface HintableSlice {
  readonly endpoints: readonly Endpoint[]
  /** Whether the slice is written anyway, regardless of hints. */
  readonly isWritten: boolean
}

/** The endpoints of each slice, in the same order. An identical list has not changed. */
export type HintedEndpoints = readonly (readonly Endpoint[])[]

/** With a problem there are no hints. */
export interface SharedHints {
  readonly endpoints: HintedEndpoints
  readonly problem?: string
}

export function withoutHints(slices: readonly HintableSlice[]): HintedEndpoints {
  return slices.map(({ endpoints }) =>
    endpoints.some(({ hints }) => hints !== undefined) ? endpoints.map(unhinted) : endpoints,
  )
}

/** Each ready endpoint is for its own zone. Unready ones keep their hints until something else is written. */
export function withOwnZones(slices: readonly HintableSlice[]): HintedEndpoints {
  return slices.map(({ endpoints, isWritten }) =>
    isWritten || endpoints.some(needsOwnZone) ? endpoints.map(forOwnZone) : endpoints,
  )
}

/**
 * Each ready endpoint is for its own zone, except those moved to zones that have fewer endpoints than their share of
 * CPUs requires. Slices that are not written stay as they are unless they give a zone too many.
 */
export function withSharedZones(slices: readonly HintableSlice[], shares: ZoneShares | undefined): SharedHints {
  const ready = slices.reduce((count, { endpoints }) => count + endpoints.filter(isReady).length, 0)
  const allocations = zoneAllocationsOf(shares, ready)
  if (typeof allocations === 'string') return { endpoints: withoutHints(slices), problem: allocations }
  const counts = new Map<string, number>()
  const stays = slices.map(({ endpoints, isWritten }) => !isWritten && fits(endpoints, allocations, counts))
  const own = slices.map(({ endpoints }, index) => (stays[index] ? endpoints : endpoints.map(forOwnZone)))
  const moving = own.filter((_, index) => !stays[index]).flat()
  if (moving.some((endpoint) => isReady(endpoint) && endpoint.zone === undefined)) {
    return { endpoints: withoutHints(slices), problem: 'One or more endpoints do not have a zone specified' }
  }
  for (const { zone = '' } of moving.filter(isReady)) counts.set(zone, (counts.get(zone) ?? 0) + 1)
  const move = redistributed(allocations, counts)
  return { endpoints: own.map((endpoints, index) => (stays[index] ? endpoints : endpoints.map(moved(move)))) }
}

/** Whether each endpoint is for a zone with room for it. If so, it is counted there. */
function fits(endpoints: readonly Endpoint[], allocations: ZoneAllocations, counts: Map<string, number>): boolean {
  const own = new Map<string, number>()
  for (const { hints } of endpoints.filter(isReady)) {
    const zones = hints?.forZones ?? []
    if (zones.length === 0) return false
    for (const { name } of zones) own.set(name, (own.get(name) ?? 0) + 1)
  }
  const total = (zone: string) => (counts.get(zone) ?? 0) + (own.get(zone) ?? 0)
  for (const zone of own.keys()) if (total(zone) > (allocations.get(zone)?.maximum ?? -1)) return false
  for (const zone of own.keys()) counts.set(zone, total(zone))
  return true
}

/** `move` returns the other zone for the next endpoint of a zone. */
function moved(move: (from: string) => string | undefined): (endpoint: Endpoint) => Endpoint {
  return (endpoint) => {
    const zone = isReady(endpoint) ? move(endpoint.zone ?? '') : undefined
    return zone === undefined ? endpoint : { ...endpoint, hints: { forZones: [{ name: zone }] } }
  }
}

function isReady({ conditions }: Endpoint): boolean {
  return conditions.ready === true
}

function unhinted({ hints: _, ...endpoint }: Endpoint): Endpoint {
  return endpoint
}

/** An endpoint without a zone is for all zones. */
function forOwnZone(endpoint: Endpoint): Endpoint {
  const { zone } = endpoint
  if (!isReady(endpoint)) return endpoint
  return zone === undefined ? unhinted(endpoint) : { ...endpoint, hints: { forZones: [{ name: zone }] } }
}

function needsOwnZone(endpoint: Endpoint): boolean {
  const { zone, hints } = endpoint
  if (!isReady(endpoint)) return false
  const zones = hints?.forZones ?? []
  return zone === undefined ? hints !== undefined : zones.length !== 1 || zones[0]?.name !== zone
}
