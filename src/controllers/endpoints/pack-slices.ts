import type { Endpoint, EndpointSlice } from '../../api/types/discovery-v1.ts'
import { deepEqual } from '../../base/equal.ts'

/** What becomes of the slices of one kind of address and one set of ports. */
export interface Packing {
  /** Those that stay, with what is in them from now on. */
  readonly kept: readonly FilledSlice[]
  readonly emptied: readonly EndpointSlice[]
  /** What each new slice has in it. */
  readonly added: readonly (readonly Endpoint[])[]
}

export interface FilledSlice {
  readonly slice: EndpointSlice
  readonly endpoints: readonly Endpoint[]
  readonly isChanged: boolean
}

/**
 * Puts endpoints into slices with as few writes as possible, since every node reads each slice that is written. What is in a
 * slice stays in it. New ones go where something is written anyway, then together into one slice with room for all of them,
 * and only then into new ones. `isOutdated`: has to be written whatever is in it.
 */
export function packSlices(
  existing: readonly EndpointSlice[],
  wanted: readonly Endpoint[],
  most: number,
  isOutdated: (slice: EndpointSlice) => boolean,
): Packing {
  const missing = new Map(wanted.map((endpoint) => [endpointKey(endpoint), endpoint]))
  const filled = existing.map((slice) => withoutUnwanted(slice, missing, isOutdated(slice)))
  const left = [...missing.values()]
  const written = filled.filter(({ isChanged, endpoints }) => isChanged && endpoints.length > 0)
  const topped = new Map(
    written.toSorted(byFullest).map((each) => {
      const more = left.splice(0, Math.max(0, most - each.endpoints.length))
      return [each.slice, more.length === 0 ? each : { ...each, endpoints: [...each.endpoints, ...more] }] as const
    }),
  )
  const added: (readonly Endpoint[])[] = []
  while (left.length >= most) added.push(left.splice(0, most))
  const roomy = left.length === 0 ? undefined : fullestWithRoom(filled, left.length, most)
  if (roomy !== undefined) {
    const endpoints = [...roomy.endpoints, ...left]
    topped.set(roomy.slice, { ...roomy, endpoints, isChanged: true })
  } else if (left.length > 0) added.push(left)
  return {
    kept: filled
      .filter(({ isChanged, endpoints }) => !isChanged || endpoints.length > 0)
      .map((each) => topped.get(each.slice) ?? each),
    emptied: filled.filter(({ isChanged, endpoints }) => isChanged && endpoints.length === 0).map(({ slice }) => slice),
    added,
  }
}

/** One endpoint is the same as long as it leads to the same addresses of the same object. */
function endpointKey({ addresses, hostname = '', targetRef = {} }: Endpoint): string {
  const { namespace = '', name = '' } = targetRef
  return JSON.stringify([(addresses ?? []).toSorted(), hostname, namespace, name])
}

/** Takes each endpoint that stays from the missing ones, so that none is in two slices. */
function withoutUnwanted(slice: EndpointSlice, missing: Map<string, Endpoint>, isOutdated: boolean): FilledSlice {
  const before = slice.endpoints ?? []
  const endpoints = before.flatMap((endpoint) => {
    const key = endpointKey(endpoint)
    const now = missing.get(key)
    missing.delete(key)
    return now === undefined ? [] : [now]
  })
  return { slice, endpoints, isChanged: isOutdated || !deepEqual(before, endpoints) }
}

function byFullest(left: FilledSlice, right: FilledSlice): number {
  return right.endpoints.length - left.endpoints.length
}

/** Among those that would otherwise not be written. */
function fullestWithRoom(filled: readonly FilledSlice[], count: number, most: number): FilledSlice | undefined {
  const roomy = filled.filter(({ isChanged, endpoints }) => !isChanged && endpoints.length + count <= most)
  return roomy.toSorted(byFullest)[0]
}
