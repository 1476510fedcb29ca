import type { KubeObject } from '../../api/object.ts'
import type { SyncKind, TextMap, Trouble } from '../contract.ts'
import { flowBack } from './backward.ts'
import { lastSyncKeeping, lastSyncOf } from './copy.ts'
import { hashAt, type LastSync, type PendingFlow, readLastSync, settled } from './last-sync.ts'
import { mergeMap } from './merge.ts'
import type { Counterpart } from './patched.ts'
import type { KindRules } from './rules.ts'
import { type Maps, travellingMaps } from './travelling.ts'

/** Labels and annotations after both sides have had their say. */
export interface TwoWay {
  /** As the copy should have them. */
  readonly maps: Maps
  /** With what flows back. */
  readonly virtual: KubeObject
  /** What the virtual object asks for then. */
  readonly wanted: Counterpart
  readonly memory: LastSync
  /** What flows back to the virtual object. */
  readonly flow?: PendingFlow
  /** Why something of the host does not flow back. */
  readonly trouble?: Trouble
}

export async function mergeTwoWay(
  virtual: KubeObject,
  copy: KubeObject,
  wanted: Counterpart,
  rules: KindRules,
): Promise<TwoWay> {
  const base = settled(readLastSync(copy), wanted)
  const { maps, fromHost } = mergeMaps(copy, wanted, base, rules.kind)
  if (fromHost.labels.length === 0 && fromHost.annotations.length === 0) {
    return { maps, virtual, wanted, memory: lastSyncOf(wanted.fields, maps) }
  }
  const flow = await flowBack(virtual, copy, { wanted, merged: maps }, rules)
  if (flow.ok) {
    return { maps, ...flow, memory: lastSyncOf(flow.wanted.fields, maps), flow: flowOf(maps, fromHost) }
  }
  const kept = lastSyncKeeping(lastSyncOf(wanted.fields, maps), base, fromHost)
  return { maps, virtual, wanted, memory: kept, trouble: flow.trouble }
}

function flowOf(
  maps: Maps,
  fromHost: { readonly labels: readonly string[]; readonly annotations: readonly string[] },
): PendingFlow {
  return {
    labels: hashesAt(maps.labels, fromHost.labels),
    annotations: hashesAt(maps.annotations, fromHost.annotations),
  }
}

function hashesAt(map: TextMap, keys: readonly string[]): TextMap {
  return Object.fromEntries(keys.map((key) => [key, hashAt(map, key)]))
}

function mergeMaps(copy: KubeObject, wanted: Maps, base: LastSync, kind: SyncKind) {
  const found = travellingMaps(copy, kind)
  const labels = mergeMap({ wanted: wanted.labels, found: found.labels, base: base.labels })
  const annotations = mergeMap({ wanted: wanted.annotations, found: found.annotations, base: base.annotations })
  return {
    maps: { labels: labels.merged, annotations: annotations.merged },
    fromHost: { labels: labels.fromHost, annotations: annotations.fromHost },
  }
}
