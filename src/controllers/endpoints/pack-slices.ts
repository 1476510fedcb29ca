import type { Endpoint, EndpointSlice } from '../../api/types/discovery-v1.ts'
import { deepEqual } from '../../base/equal.ts'

/** The result for the slices of one address type and one set of ports. */
export interface Packing {
  /** Slices that stay, with their new content. */
  readonly kept: readonly FilledSlice[]
  readonly emptied: readonly EndpointSlice[]
  /** The endpoints of each new slice. */
  readonly added: readonly (readonly Endpoint[])[]
}

export interface FilledSlice {
  readonly slice: EndpointSlice
  readonly endpoints: readonly Endpoint[]
  readonly isChanged: boolean
}

/**
 * Distributes endpoints over slices with as few writes as possible, since every node reads each written slice.
 * Endpoints stay in their slice. New ones are added to slices that are written anyway, then together to one slice with
 * room for all of them, and only then to new slices. `isOutdated`: the slice must be written whatever its content.
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

/** An endpoint is the same as long as it has the same addresses and the same target. */
function endpointKey({ addresses, hostname = '', targetRef = {} }: Endpoint): string {
  const { namespace = '', name = '' } = targetRef
  return JSON.stringify([(addresses ?? []).toSorted(), hostname, namespace, name])
}

/** Removes each remaining endpoint from `missing`, so that none is in two slices. */
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

/** Among slices that would otherwise not be written. */
function fullestWithRoom(filled: readonly FilledSlice[], count: number, most: number): FilledSlice | undefined {
  const roomy = filled.filter(({ isChanged, endpoints }) => !isChanged && endpoints.length + count <= most)
  return roomy.toSorted(byFullest)[0]
}
