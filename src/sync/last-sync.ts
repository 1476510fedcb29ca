import type { KubeObject } from '../api/object.ts'
import { isJsonObject } from '../base/json/member.ts'
import type { FlowedBack, TextMap } from './contract.ts'
import { shortHash } from './hash.ts'
import { lastSyncAnnotation } from './markers.ts'

/**
 * What the copy was when both sides were last in step. It stands on the copy itself, so every write of the copy renews
 * it in the same moment, and it outlives the syncer.
 */
export interface LastSync {
  /** Hash of the fields that go one way, as they were written. */
  readonly fields: string
  /** Hashes by key. */
  readonly labels: TextMap
  readonly annotations: TextMap
}

/** Where somebody removed it, every label counts as set by its side, and the virtual side wins. */
const nothingKnown: LastSync = { fields: '', labels: {}, annotations: {} }

export function lastSyncText({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[lastSyncAnnotation]
}

export function readLastSync(copy: KubeObject): LastSync {
  const text = lastSyncText(copy)
  const value = text === undefined ? undefined : parsed(text)
  if (!isJsonObject(value)) return nothingKnown
  const fields = typeof value.fields === 'string' ? value.fields : ''
  return { fields, labels: textsOf(value.labels), annotations: textsOf(value.annotations) }
}

export function printLastSync({ fields, labels, annotations }: LastSync): string {
  return JSON.stringify({ fields, labels: sorted(labels), annotations: sorted(annotations) })
}

/** The memory of a copy that could not be renewed after the virtual object had taken something over from it. */
export function lastSyncAfter(memory: LastSync, { labels, annotations }: FlowedBack): LastSync {
  return {
    fields: memory.fields,
    labels: withHashes(memory.labels, labels),
    annotations: withHashes(memory.annotations, annotations),
  }
}

function withHashes(memory: TextMap, flowed: TextMap): TextMap {
  return Object.fromEntries(Object.entries({ ...memory, ...flowed }).filter(([, hash]) => hash !== ''))
}

export function hashesOf(map: TextMap): TextMap {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, shortHash(value)]))
}

/** The same text for the same memory, whatever the order in which a server shows its maps. */
function sorted(map: TextMap): TextMap {
  return Object.fromEntries(Object.entries(map).sort(([left], [right]) => (left < right ? -1 : 1)))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textsOf(value: unknown): TextMap {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
