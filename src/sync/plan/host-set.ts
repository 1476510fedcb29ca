import type { KeyMap } from '../../api/host-controllers.ts'
import type { KubeObject } from '../../api/object.ts'
import type { TextMap } from '../contract.ts'
import type { ObjectPolicy } from '../policy/contract.ts'
import { type HostSet, hashAt, type LastSync } from './last-sync.ts'
import { own } from './merge.ts'
import { type Maps, mapNames } from './traveling.ts'

/**
 * Labels and annotations of a copy that the host itself set and that tenants may not set. They stay on the copy
 * whatever the virtual object has, and each change is shown there once. Values from an earlier sync are not included.
 */
export function hostSetMaps(found: Maps, wanted: Maps, base: LastSync, policy: ObjectPolicy): Maps {
  return eachMap((map) =>
    Object.fromEntries(
      Object.entries(found[map]).filter(
        ([key, value]) =>
          own(wanted[map], key) === undefined &&
          !policy.mayCarry(map, key, value) &&
          (own(base.host?.[map] ?? {}, key) !== undefined || own(base[map], key) !== hashAt(found[map], key)),
      ),
    ),
  )
}

/** Those that the virtual side has not been shown. */
export function notYetShown(hostSet: Maps, base: LastSync): Maps {
  return eachMap((map) =>
    Object.fromEntries(
      Object.entries(hostSet[map]).filter(([key]) => toldOf(base, map, key)?.found !== hashAt(hostSet[map], key)),
    ),
  )
}

/** The virtual object without keys that the host removed again; keys that the tenant changed since stay. */
export function withoutGone(virtual: KubeObject, found: Maps, base: LastSync): KubeObject {
  const maps = eachMap((map) => {
    const current = virtual.metadata[map] ?? {}
    const isGone = (key: string) =>
      own(found[map], key) === undefined &&
      own(base[map], key) === undefined &&
      toldOf(base, map, key)?.virtual === hashAt(current, key)
    return Object.fromEntries(Object.entries(current).filter(([key]) => !isGone(key)))
  })
  const isSame = mapNames.every(
    (map) => Object.keys(maps[map]).length === Object.keys(virtual.metadata[map] ?? {}).length,
  )
  return isSame ? virtual : { ...virtual, metadata: { ...virtual.metadata, ...maps } }
}

/** Whether the virtual object has a label or annotation only because the host set it. */
export function isSetByHost(virtual: KubeObject, base: LastSync, map: KeyMap, key: string): boolean {
  return toldOf(base, map, key)?.virtual === hashAt(virtual.metadata[map] ?? {}, key)
}

/**
 * The host-set keys to remember: those just written to the virtual side, and those written earlier and unchanged since.
 * They include keys that tenants may set as well, because a later policy may forbid that.
 */
export function rememberedHostSet(
  virtual: KubeObject,
  { held, told, merged }: { readonly held: Maps; readonly told: Maps; readonly merged: Maps },
  base: LastSync,
): { readonly host?: HostSet } {
  const host = eachMap((map) => {
    const kept = Object.entries(base.host?.[map] ?? {}).filter(
      ([key]) => own(held[map], key) !== undefined || isUnchanged(key, merged[map], base[map]),
    )
    const fresh = Object.keys(told[map]).map((key) => {
      const [found, shown] = [hashAt(told[map], key), hashAt(virtual.metadata[map] ?? {}, key)]
      return [key, found === shown ? found : `${found}.${shown}`] as const
    })
    return Object.fromEntries([...kept, ...fresh])
  })
  return mapNames.every((map) => Object.keys(host[map]).length === 0) ? {} : { host }
}

function isUnchanged(key: string, merged: TextMap, base: TextMap): boolean {
  return own(merged, key) !== undefined && hashAt(merged, key) === own(base, key)
}

function toldOf(
  base: LastSync,
  map: KeyMap,
  key: string,
): { readonly found: string; readonly virtual: string } | undefined {
  const told = own(base.host?.[map] ?? {}, key)
  if (told === undefined) return undefined
  const [found = '', virtual = found] = told.split('.')
  return { found, virtual }
}

function eachMap(make: (map: KeyMap) => TextMap): Maps {
  return { labels: make('labels'), annotations: make('annotations') }
}
