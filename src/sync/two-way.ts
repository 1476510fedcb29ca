import type { KubeObject } from '../api/object.ts'
import { flowBack } from './backward.ts'
import type { SyncKind, Trouble } from './contract.ts'
import { lastSyncKeeping, lastSyncOf } from './copy.ts'
import { type LastSync, readLastSync } from './last-sync.ts'
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
  /** Why something of the host does not flow back. */
  readonly trouble?: Trouble
}

export async function mergeTwoWay(
  virtual: KubeObject,
  copy: KubeObject,
  wanted: Counterpart,
  rules: KindRules,
): Promise<TwoWay> {
  const base = readLastSync(copy)
  const { maps, fromHost } = mergeMaps(copy, wanted, base, rules.kind)
  if (fromHost.labels.length === 0 && fromHost.annotations.length === 0) {
    return { maps, virtual, wanted, memory: lastSyncOf(wanted.fields, maps) }
  }
  const flow = await flowBack(virtual, copy, { wanted, merged: maps }, rules)
  if (flow.ok) return { maps, ...flow, memory: lastSyncOf(flow.wanted.fields, maps) }
  const memory = lastSyncKeeping(lastSyncOf(wanted.fields, maps), base, fromHost)
  return { maps, virtual, wanted, memory, trouble: flow.trouble }
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
