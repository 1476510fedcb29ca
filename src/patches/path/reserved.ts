import type { ConcretePath, Path } from './path.ts'

/** Prefix of the labels and annotations by which the syncer recognizes its own objects. */
export const markerPrefix = 'tenant.internal/'

const objectIdentity = new Set(['apiVersion', 'kind'])

const identityInMetadata = new Set(['name', 'namespace'])

const serverOwned = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
])

/** Whether patches cannot reach a place: the type of an object, server-managed metadata, and the markers. */
export function isReserved(path: ConcretePath): boolean {
  const first = path[0]
  return (first === 'metadata' || first === 'apiVersion' || first === 'kind') && whyReserved(path) !== undefined
}

/** Why no match of a path could ever be changed; undefined if there may be one. */
export function whyPathIsReserved(path: Path): string | undefined {
  const wildcard = path.findIndex((element) => element.type === 'wildcard')
  const known = wildcard < 0 ? path : path.slice(0, wildcard)
  const steps = known.map((element) => (element.type === 'member' ? element.name : 0))
  if (steps.length === 1 && path.length > 1) return undefined
  return whyReserved(steps)
}

/** Markers are hidden from patches of the whole map, and restored afterward. */
export function isMarkerMap(path: ConcretePath): boolean {
  return path.length === 2 && path[0] === 'metadata' && (path[1] === 'labels' || path[1] === 'annotations')
}

function whyReserved(path: ConcretePath): string | undefined {
  const [first, second, third] = path
  if (typeof first === 'string' && objectIdentity.has(first)) return `${first} says what the object is`
  if (first !== 'metadata') return undefined
  if (second === undefined)
    return 'metadata cannot be replaced as a whole; name a field in it, such as metadata.annotations'
  if (typeof second === 'string' && identityInMetadata.has(second)) return `metadata.${second} is set by the syncer`
  if (typeof second === 'string' && serverOwned.has(second)) return `metadata.${second} belongs to the API server`
  const isMarker = isMarkerMap(path.slice(0, 2)) && typeof third === 'string' && third.startsWith(markerPrefix)
  return isMarker ? `labels and annotations under ${markerPrefix} belong to the syncer` : undefined
}
