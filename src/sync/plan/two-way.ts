import type { KubeObject } from '../../api/object.ts'
import type { ObjectFields, TextMap, Trouble } from '../contract.ts'
import { flowBack } from './backward.ts'
import { lastSyncKeeping, lastSyncOf, rememberedFixed } from './copy.ts'
import { hostSetMaps, notYetShown, rememberedHostSet, withoutGone } from './host-set.ts'
import { hashAt, type LastSync, type PendingFlow, readLastSync, settled } from './last-sync.ts'
import { mergeMap } from './merge.ts'
import type { Counterpart } from './patched.ts'
import type { KindRules } from './rules.ts'
import { both, hasNoEntries, type Maps, pick, travelingMaps, withoutEntries } from './traveling.ts'

/** Labels and annotations after merging both sides. */
export interface TwoWay {
  /** For the copy. */
  readonly maps: Maps
  /** Includes what flows back. */
  readonly virtual: KubeObject
  /** What the virtual object then asks for. */
  readonly wanted: Counterpart
  readonly memory: LastSync
  /** What flows back to the virtual object. */
  readonly flow?: PendingFlow
  /** Why a change of the host does not flow back. */
  readonly trouble?: Trouble
}

export async function mergeTwoWay(
  virtual: KubeObject,
  copy: KubeObject,
  wanted: Counterpart,
  rules: KindRules,
): Promise<TwoWay> {
  const base = settled(readLastSync(copy), wanted)
  const found = travelingMaps(copy, rules.kind)
  const held = hostSetMaps(found, wanted, base, rules.policy)
  const { merged, fromHost } = mergeMaps(withoutEntries(found, held), wanted, base)
  const maps = both(merged, held)
  const told = both(pick(merged, fromHost), notYetShown(held, base))
  const known = withoutGone(virtual, found, base)
  const remembered = (after: KubeObject, fields: ObjectFields) => ({
    ...lastSyncOf(fields, merged, rules.kind),
    ...(base.resources && { resources: base.resources }),
    ...rememberedFixed(virtual, rules.kind, base),
    ...rememberedHostSet(after, { held, told, merged }, base),
  })
  if (isNothing(fromHost) && hasNoEntries(told)) {
    return { maps, virtual: known, wanted, memory: remembered(known, wanted.fields) }
  }
  const sides = { before: both(wanted, withoutEntries(held, told)), after: maps, asked: merged }
  const flow = await flowBack(known, copy, sides, rules)
  if (!flow.ok) {
    const kept = lastSyncKeeping(lastSyncOf(wanted.fields, merged, rules.kind), base, fromHost)
    return { maps, virtual, wanted, memory: kept, trouble: flow.trouble }
  }
  return {
    maps,
    ...flow,
    memory: remembered(flow.virtual, flow.wanted.fields),
    ...(!isNothing(fromHost) && { flow: flowOf(merged, fromHost) }),
  }
}

interface Keys {
  readonly labels: readonly string[]
  readonly annotations: readonly string[]
}

function flowOf(maps: Maps, fromHost: Keys): PendingFlow {
  return {
    labels: hashesAt(maps.labels, fromHost.labels),
    annotations: hashesAt(maps.annotations, fromHost.annotations),
  }
}

function hashesAt(map: TextMap, keys: readonly string[]): TextMap {
  return Object.fromEntries(keys.map((key) => [key, hashAt(map, key)]))
}

function mergeMaps(found: Maps, wanted: Maps, base: LastSync): { readonly merged: Maps; readonly fromHost: Keys } {
  const labels = mergeMap({ wanted: wanted.labels, found: found.labels, base: base.labels })
  const annotations = mergeMap({ wanted: wanted.annotations, found: found.annotations, base: base.annotations })
  return {
    merged: { labels: labels.merged, annotations: annotations.merged },
    fromHost: { labels: labels.fromHost, annotations: annotations.fromHost },
  }
}

function isNothing({ labels, annotations }: Keys): boolean {
  return labels.length === 0 && annotations.length === 0
}
