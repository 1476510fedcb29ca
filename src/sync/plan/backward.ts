import type { KubeObject } from '../../api/object.ts'
import type { SyncKind, Trouble } from '../contract.ts'
import { nameOf } from '../names/names.ts'
import { forward } from './forward.ts'
import { own } from './merge.ts'
import { type Patched, patched, translatedObject } from './patched.ts'
import type { KindRules } from './rules.ts'
import { type Maps, mapNames, travels } from './traveling.ts'

export type BackwardFlow =
  | { readonly ok: true; readonly virtual: KubeObject; readonly wanted: Patched & { readonly ok: true } }
  | { readonly ok: false; readonly trouble: Trouble }

/** Labels and annotations in the form of the host. */
export interface FlowSides {
  /** Those of the virtual object now. */
  readonly before: Maps
  /** Those it should have. */
  readonly after: Maps
  /** What it then asks for. */
  readonly asked: Maps
}

/** The copy as the virtual cluster would see it, with the given labels and annotations. */
export function backward(virtual: KubeObject, copy: KubeObject, maps: Maps, rules: KindRules): Promise<Patched> {
  const { apiVersion: _, kind: __, metadata: ___, ...fields } = copy
  const translated = translatedObject(virtual, nameOf(virtual), maps, fields)
  return patched(translated, 'toVirtual', { virtualObject: virtual, hostObject: copy }, rules)
}

/**
 * The virtual object with the host's changes to its labels and annotations. Translated to the host again, it must give
 * the current copy; otherwise each side would answer the other forever, so nothing flows back.
 */
export async function flowBack(
  virtual: KubeObject,
  copy: KubeObject,
  sides: FlowSides,
  rules: KindRules,
): Promise<BackwardFlow> {
  const [before, after] = await Promise.all([
    backward(virtual, copy, sides.before, rules),
    backward(virtual, copy, sides.after, rules),
  ])
  if (!before.ok) return before
  if (!after.ok) return after
  const changed = withChanges(virtual, before, after, rules)
  const again = await forward(changed, copy, nameOf(copy), rules)
  if (!again.ok) return again
  const lost = firstDifference(again, sides.asked, rules.kind)
  return lost === undefined ? { ok: true, virtual: changed, wanted: again } : { ok: false, trouble: lost }
}

function withChanges(virtual: KubeObject, before: Maps, after: Maps, { kind }: KindRules): KubeObject {
  const maps = mapNames.map((name) => {
    const current = new Map(Object.entries(virtual.metadata[name] ?? {}))
    for (const key of new Set([...Object.keys(before[name]), ...Object.keys(after[name])])) {
      const value = own(after[name], key)
      if (value === own(before[name], key) || !travels(key, kind)) continue
      if (value === undefined) current.delete(key)
      else current.set(key, value)
    }
    return [name, Object.fromEntries(current)] as const
  })
  return { ...virtual, metadata: { ...virtual.metadata, ...Object.fromEntries(maps) } }
}

function firstDifference(again: Maps, merged: Maps, { hidesValues = false }: SyncKind): Trouble | undefined {
  const shown = hidesValues ? () => 'a value that is not shown' : shownValue
  for (const name of mapNames) {
    for (const key of new Set([...Object.keys(again[name]), ...Object.keys(merged[name])])) {
      const [given, found] = [own(again[name], key), own(merged[name], key)]
      if (given !== found) return doNotCancelOut(`metadata.${name}[${JSON.stringify(key)}]`, shown(given), shown(found))
    }
  }
  return undefined
}

function doNotCancelOut(path: string, given: string, found: string): Trouble {
  return {
    reason: 'PatchesDoNotCancelOut',
    message:
      `${path} was changed on the host to ${found}; taken over by the virtual object, the patches would make it ` +
      `${given}. Neither side is changed until the patches or one of the values are`,
  }
}

const longestShown = 100

function shownValue(value: string | undefined): string {
  if (value === undefined) return 'nothing'
  return JSON.stringify(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value)
}
