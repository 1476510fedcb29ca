import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { ObjectFields, SyncKind, TextMap } from '../contract.ts'
import { lastSyncAnnotation, markAnnotations, markLabels } from '../names/markers.ts'
import { valueHash } from './hash.ts'
import { hashesOf, type LastSync, printLastSync } from './last-sync.ts'
import type { Counterpart } from './patched.ts'
import { translatedObject } from './patched.ts'
import type { KindRules } from './rules.ts'
import { localMaps, type Maps } from './traveling.ts'

export function newCopy(virtual: KubeObject, place: ObjectName, wanted: Counterpart, rules: KindRules): KubeObject {
  const { atCreation, resources } = rules.kind
  const memory: LastSync = {
    ...lastSyncOf(wanted.fields, wanted, rules.kind),
    ...(resources && { resources: valueHash(resources(wanted.fields)) }),
    ...rememberedFixed(virtual, rules.kind),
  }
  const fields = atCreation?.(wanted.fields) ?? wanted.fields
  return translatedObject(virtual, place, copyMaps(virtual, place, wanted, memory, rules), fields)
}

/** Labels and annotations of a copy: the synced ones, and the markers. */
export function copyMaps(
  virtual: KubeObject,
  place: ObjectName,
  maps: Maps,
  memory: LastSync,
  { kind, owner, setting }: KindRules,
  copy?: KubeObject,
): Maps {
  const local = copy === undefined ? { labels: {}, annotations: {} } : localMaps(copy, kind)
  return {
    labels: { ...local.labels, ...maps.labels, ...kind.hostLabels?.(virtual, setting), ...markLabels(owner) },
    annotations: {
      ...local.annotations,
      ...maps.annotations,
      ...kind.hostAnnotations?.(virtual, setting),
      ...markAnnotations(owner, virtual, place),
      [lastSyncAnnotation]: printLastSync(memory),
    },
  }
}

export function lastSyncOf(fields: ObjectFields, maps: Maps, { changeable }: SyncKind): LastSync {
  return {
    fields: valueHash(changeable?.(fields) ?? fields),
    labels: hashesOf(maps.labels),
    annotations: hashesOf(maps.annotations),
  }
}

/** Values that no server allows to change, from when the copy was created. Older copies did not note them. */
export function rememberedFixed(virtual: KubeObject, { fixed }: SyncKind, before?: LastSync): Pick<LastSync, 'fixed'> {
  const known = before?.fixed ?? (fixed && valueHash(fixed(virtual)))
  return known === undefined ? {} : { fixed: known }
}

/** Keys that could not flow back are remembered in their old state, so that they still count as changed. */
export function lastSyncKeeping(
  memory: LastSync,
  before: LastSync,
  kept: { readonly labels: readonly string[]; readonly annotations: readonly string[] },
): LastSync {
  return {
    fields: memory.fields,
    ...(before.resources && { resources: before.resources }),
    ...(before.fixed && { fixed: before.fixed }),
    ...(before.host && { host: before.host }),
    labels: keeping(memory.labels, before.labels, kept.labels),
    annotations: keeping(memory.annotations, before.annotations, kept.annotations),
  }
}

function keeping(memory: TextMap, before: TextMap, keys: readonly string[]): TextMap {
  const result = new Map(Object.entries(memory))
  for (const key of keys) {
    const hash = Object.hasOwn(before, key) ? before[key] : undefined
    if (hash === undefined) result.delete(key)
    else result.set(key, hash)
  }
  return Object.fromEntries(result)
}
