import type { Status } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf } from '../../api/object.ts'
import type { Document, WatchEvent, WatchEventType } from '../../registry/contract.ts'
import { partialMetadataJson } from '../encode/partial.ts'
import { emptyTableJson, tableJson, tableRowsJson } from '../encode/table.ts'
import type { View } from '../encode/view.ts'
import type { SharedFrames } from './shared-frames.ts'

/** Encodes events as lines or frames. Each watcher has its own, because a Table names its columns only once. */
export interface EventEncoder {
  readonly encode: (event: WatchEvent) => readonly Buffer[]
  /** The last event of a watch that failed. */
  readonly error: (status: Status) => Buffer
  /** Whether its lines are those of the event, which watchers share. */
  readonly isShared: boolean
}

export type ObjectEvent = Extract<WatchEvent, { readonly type: WatchEventType }>
export type BookmarkEvent = Extract<WatchEvent, { readonly type: 'BOOKMARK' }>

export interface EncoderParts {
  readonly nowMs: () => number
  /** Events that must be parsed are encoded once for all watchers that see the same. */
  readonly frames: SharedFrames
}

export function lineEncoder(kind: Kind, view: View, parts: EncoderParts): EventEncoder {
  switch (view.media.as) {
    case '':
      return encoderOf(
        ({ parts }) => parts,
        (event) => bookmarkJson(kind, event),
        true,
      )
    case 'Table':
      return tableEncoder(kind, view, parts)
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList': {
      const { version } = view.media
      const partial = { ...kind, group: 'meta.k8s.io', version, kind: 'PartialObjectMetadata' }
      return encoderOf(
        ({ type, document }) => [
          parts.frames.of(document, `${type} metadata ${version}`, () =>
            eventLine(type, partialMetadataJson(document.object, version)),
          ),
        ],
        (event) => bookmarkJson(partial, event),
      )
    }
  }
}

function encoderOf(
  object: (event: ObjectEvent) => readonly Buffer[],
  bookmark: (event: BookmarkEvent) => string,
  isShared = false,
): EventEncoder {
  const encode = (event: WatchEvent): readonly Buffer[] => {
    switch (event.type) {
      case 'BOOKMARK':
        return [eventLine('BOOKMARK', bookmark(event))]
      case 'ERROR':
        return [errorLine(event.status)]
      default:
        return object(event)
    }
  }
  return { encode, error: errorLine, isShared }
}

function tableEncoder(kind: Kind, view: View, { nowMs, frames }: EncoderParts): EventEncoder {
  const { version, includeObject } = view.table
  let isFirst = true
  const table = (document: Document, namesColumns: boolean) => {
    const metadata = `{"resourceVersion":${JSON.stringify(document.resourceVersion)}}`
    const form = { ...view.table, nowMs: nowMs() }
    return namesColumns ? tableJson(kind, document, metadata, form) : tableRowsJson(kind, document, metadata, form)
  }
  const line = ({ type, document }: ObjectEvent) => {
    const namesColumns = isFirst
    isFirst = false
    const shownAs = `${type} table ${version} ${includeObject} ${namesColumns}`
    return frames.of(document, shownAs, () => eventLine(type, table(document, namesColumns)))
  }
  return encoderOf(
    (event) => [line(event)],
    (event) => emptyTableJson(kind, bookmarkMetadataJson(kind, event), view.media.version),
  )
}

function errorLine(status: Status): Buffer {
  return eventLine('ERROR', JSON.stringify(status))
}

function eventLine(type: string, objectJson: string): Buffer {
  return Buffer.from(`{"type":"${type}","object":${objectJson}}\n`)
}

function bookmarkJson(kind: Kind, event: BookmarkEvent): string {
  return `{"kind":"${kind.kind}","apiVersion":"${apiVersionOf(kind)}","metadata":${bookmarkMetadataJson(kind, event)}}`
}

function bookmarkMetadataJson(kind: Kind, event: BookmarkEvent): string {
  return JSON.stringify(bookmarkMetadata(kind, event, () => emptyListJson(kind)))
}

/** `emptyList` encodes a list without items, for the bookmark that ends the initial events. */
export function bookmarkMetadata(
  { flavor }: Pick<Kind, 'flavor'>,
  { resourceVersion, initialEventsEnd }: BookmarkEvent,
  emptyList: () => Buffer,
): object {
  const plain = flavor === 'custom' ? { resourceVersion } : { resourceVersion, creationTimestamp: null }
  if (!initialEventsEnd) return plain
  const annotations = {
    'k8s.io/initial-events-end': 'true',
    'kubernetes.io/initial-events-list-blueprint': emptyList().toString('base64'),
  }
  return { ...plain, annotations }
}

function emptyListJson(kind: Kind): Buffer {
  const listKind = kind.listKind ?? `${kind.kind}List`
  const apiVersion = apiVersionOf(kind)
  const emptyList =
    kind.flavor === 'custom'
      ? { apiVersion, items: [], kind: listKind }
      : { kind: listKind, apiVersion, metadata: {}, items: null }
  return Buffer.from(`${JSON.stringify(emptyList)}\n`)
}
