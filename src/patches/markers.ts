import { isJsonObject, setMember } from '../base/json/member.ts'
import { markerPrefix } from './path/reserved.ts'

/** Labels or annotations as seen by a patch of the whole map. */
export function withoutMarkers(map: unknown): unknown {
  if (!isJsonObject(map) || !Object.keys(map).some(isMarker)) return map
  const visible: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(map)) {
    if (!isMarker(key)) setMember(visible, key, value)
  }
  return visible
}

export type WithMarkers =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }

/** The result of a patch on the map, with the markers that it did not see. */
export function withMarkersOf(before: unknown, after: unknown): WithMarkers {
  const markers = isJsonObject(before) ? Object.entries(before).filter(([key]) => isMarker(key)) : []
  if (after === undefined) return { ok: true, value: markers.length === 0 ? undefined : Object.fromEntries(markers) }
  if (!isJsonObject(after)) return markers.length === 0 ? { ok: true, value: after } : refuse('an object must stay one')
  const forged = Object.keys(after).find(isMarker)
  if (forged !== undefined) return refuse(`"${forged}" belongs to the syncer, a patch cannot set it`)
  return { ok: true, value: markers.length === 0 ? after : { ...after, ...Object.fromEntries(markers) } }
}

function isMarker(key: string): boolean {
  return key.startsWith(markerPrefix)
}

function refuse(message: string): WithMarkers {
  return { ok: false, message }
}
