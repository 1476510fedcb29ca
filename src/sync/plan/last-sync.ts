import type { KubeObject } from '../../api/object.ts'
import { asJson, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { TextMap } from '../contract.ts'
import { lastSyncAnnotation } from '../names/markers.ts'
import { shortHash } from './hash.ts'
import { own } from './merge.ts'
import type { Maps } from './traveling.ts'

/**
 * The state of the copy when both sides were last in step. It is stored on the copy itself, so every write of the copy
 * updates it atomically, and it outlives the syncer.
 */
export interface LastSync {
  /** Hash of the fields that are synced in one direction, as written. */
  readonly fields: string
  /** The same for fields that change under a subresource. Absent: not known, so they stay unchanged. */
  readonly resources?: string
  /** The same for values that no server allows to change. Absent: not known. */
  readonly fixed?: string
  /** Hashes by key. */
  readonly labels: TextMap
  readonly annotations: TextMap
  /** What the host itself set, by key: its hash, and the hash of what the virtual side was shown if that differs. */
  readonly host?: HostSet
  /** What is about to flow back, noted before the virtual side is written, so that a crash in between loses nothing. */
  readonly pending?: PendingFlow
}

export interface HostSet {
  readonly labels: TextMap
  readonly annotations: TextMap
}

/** Hashes by key, empty if a key is removed. */
export interface PendingFlow {
  readonly labels: TextMap
  readonly annotations: TextMap
}

/** Used when the annotation was removed: every label counts as set by its own side, and the virtual side wins. */
const nothingKnown: LastSync = { fields: '', labels: {}, annotations: {} }

export function readLastSync({ metadata }: KubeObject): LastSync {
  const text = metadata.annotations?.[lastSyncAnnotation]
  const value = text === undefined ? undefined : asJson(text)
  if (!isJsonObject(value)) return nothingKnown
  const fields = asText(value.fields)
  const host = isJsonObject(value.host) ? { host: mapsOf(value.host) } : {}
  const resources = typeof value.resources === 'string' ? { resources: value.resources } : {}
  const fixed = typeof value.fixed === 'string' ? { fixed: value.fixed } : {}
  const maps = { ...mapsOf(value), ...host, ...resources, ...fixed }
  if (!isJsonObject(value.pending)) return { fields, ...maps }
  return { fields, ...maps, pending: mapsOf(value.pending) }
}

export function printLastSync({ fields, resources, fixed, labels, annotations, host, pending }: LastSync): string {
  return JSON.stringify({
    fields,
    ...(resources && { resources }),
    ...(fixed && { fixed }),
    labels: sorted(labels),
    annotations: sorted(annotations),
    ...(host && { host: sortedMaps(host) }),
    ...(pending && { pending: sortedMaps(pending) }),
  })
}

/**
 * The effective last sync. If the virtual object already has the pending values, it is in step with them, even if the
 * copy does not record that yet.
 */
export function settled({ pending, ...memory }: LastSync, wanted: Maps): LastSync {
  if (pending === undefined) return memory
  return {
    ...memory,
    labels: withTaken(memory.labels, pending.labels, wanted.labels),
    annotations: withTaken(memory.annotations, pending.annotations, wanted.annotations),
  }
}

function withTaken(memory: TextMap, pending: TextMap, wanted: TextMap): TextMap {
  const taken = Object.entries(pending).filter(([key, hash]) => hashAt(wanted, key) === hash)
  return Object.fromEntries(
    Object.entries({ ...memory, ...Object.fromEntries(taken) }).filter(([, hash]) => hash !== ''),
  )
}

/** The copy with a note of what is about to flow back; undefined if it already has it. */
export function preparedFor(copy: KubeObject, flow: PendingFlow, wanted: Maps): KubeObject | undefined {
  const memory = readLastSync(copy)
  const isNoted = (['labels', 'annotations'] as const).every((map) =>
    Object.entries(flow[map]).every(([key, hash]) => own(memory.pending?.[map] ?? {}, key) === hash),
  )
  if (isNoted) return undefined
  const note = printLastSync({ ...settled(memory, wanted), pending: flow })
  const annotations = { ...copy.metadata.annotations, [lastSyncAnnotation]: note }
  return { ...copy, metadata: { ...copy.metadata, annotations } }
}

/** Empty if the key is absent. */
export function hashAt(map: TextMap, key: string): string {
  const value = own(map, key)
  return value === undefined ? '' : shortHash(value)
}

export function hashesOf(map: TextMap): TextMap {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, shortHash(value)]))
}

/** Gives equal text for equal content, whatever order a server returns its maps in. */
function sorted(map: TextMap): TextMap {
  return Object.fromEntries(Object.entries(map).sort(([left], [right]) => (left < right ? -1 : 1)))
}

function sortedMaps({ labels, annotations }: Maps): Maps {
  return { labels: sorted(labels), annotations: sorted(annotations) }
}

function mapsOf({ labels, annotations }: Record<string, unknown>): Maps {
  return { labels: textsOf(labels), annotations: textsOf(annotations) }
}

function textsOf(value: unknown): TextMap {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
