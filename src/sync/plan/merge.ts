import type { TextMap } from '../contract.ts'
import { shortHash } from './hash.ts'

/** One map of labels or annotations, in the form of the host. */
export interface MapSides {
  /** The values that the virtual object asks for. */
  readonly wanted: TextMap
  /** The values of the copy. */
  readonly found: TextMap
  /** Hashes of the copy's values when both were last in step. */
  readonly base: TextMap
}

export interface MergedMap {
  readonly merged: TextMap
  /** The keys that only the host changed, and that flow back. */
  readonly fromHost: readonly string[]
}

/** Key by key: if only one side changed since the last sync, it wins; if both did, the virtual side wins. */
export function mergeMap({ wanted, found, base }: MapSides): MergedMap {
  const merged = new Map<string, string>()
  const fromHost: string[] = []
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(found)])) {
    const isChangedByVirtual = hashAt(wanted, key) !== own(base, key)
    const value = isChangedByVirtual ? own(wanted, key) : own(found, key)
    if (value !== own(wanted, key)) fromHost.push(key)
    if (value !== undefined) merged.set(key, value)
  }
  return { merged: Object.fromEntries(merged), fromHost }
}

/** Maps come from users: a key may be the name of an inherited member. */
export function own(map: TextMap, key: string): string | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

export function sameMap(left: TextMap, right: TextMap): boolean {
  const keys = Object.keys(left)
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === own(right, key))
}

function hashAt(map: TextMap, key: string): string | undefined {
  const value = own(map, key)
  return value === undefined ? undefined : shortHash(value)
}
