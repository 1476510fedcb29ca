import type { KubeObject } from '../../api/object.ts'
import type { SyncKind, TextMap } from '../contract.ts'
import { isMarker } from '../names/markers.ts'

/** Rewritten by a leader every few seconds, or a record of what a client sent to one side. */
export const neverTravel: ReadonlySet<string> = new Set([
  'control-plane.alpha.kubernetes.io/leader',
  'kubectl.kubernetes.io/last-applied-configuration',
])

export interface Maps {
  readonly labels: TextMap
  readonly annotations: TextMap
}

export const mapNames = ['labels', 'annotations'] as const

/** Whether a label or annotation is synced at all. */
export function travels(key: string, { staysOnItsSide }: SyncKind): boolean {
  return !isMarker(key) && !neverTravel.has(key) && staysOnItsSide?.(key) !== true
}

export function travelingMaps(object: KubeObject, kind: SyncKind): Maps {
  const { labels = {}, annotations = {} } = object.metadata
  return {
    labels: filtered(labels, (key) => travels(key, kind)),
    annotations: filtered(annotations, (key) => travels(key, kind)),
  }
}

/** Keys that the syncer neither syncs nor owns, and does not change. */
export function localMaps(object: KubeObject, kind: SyncKind): Maps {
  const { labels = {}, annotations = {} } = object.metadata
  const isLocal = (key: string) => !travels(key, kind) && !isMarker(key) && kind.ownedLabels?.includes(key) !== true
  return { labels: filtered(labels, isLocal), annotations: filtered(annotations, isLocal) }
}

/** Both maps; the second takes precedence. */
export function both(first: Maps, second: Maps): Maps {
  return {
    labels: { ...first.labels, ...second.labels },
    annotations: { ...first.annotations, ...second.annotations },
  }
}

export function withoutEntries(maps: Maps, others: Maps): Maps {
  return {
    labels: filtered(maps.labels, (key) => !Object.hasOwn(others.labels, key)),
    annotations: filtered(maps.annotations, (key) => !Object.hasOwn(others.annotations, key)),
  }
}

export function pick(
  maps: Maps,
  keys: { readonly labels: readonly string[]; readonly annotations: readonly string[] },
): Maps {
  return {
    labels: filtered(maps.labels, (key) => keys.labels.includes(key)),
    annotations: filtered(maps.annotations, (key) => keys.annotations.includes(key)),
  }
}

export function hasNoEntries({ labels, annotations }: Maps): boolean {
  return Object.keys(labels).length === 0 && Object.keys(annotations).length === 0
}

function filtered(map: TextMap, keep: (key: string) => boolean): TextMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => keep(key)))
}
