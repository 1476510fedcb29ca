import type { Status } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf } from '../../api/object.ts'
import type { Document, WatchEvent, WatchEventType } from '../../registry/contract.ts'
import { partialMetadataJson } from '../encode/partial.ts'
import { emptyTableJson, tableJson, tableRowsJson } from '../encode/table.ts'
import type { View } from '../encode/view.ts'

/** Turns events into lines. One per watcher, because a Table names its columns only once. */
export interface EventEncoder {
  readonly encode: (event: WatchEvent) => readonly Buffer[]
  /** Lines are those of the event, which watchers share. */
  readonly isShared: boolean
}

type ObjectEvent = Extract<WatchEvent, { readonly type: WatchEventType }>
type BookmarkEvent = Extract<WatchEvent, { readonly type: 'BOOKMARK' }>

export function eventEncoder(kind: Kind, view: View, nowMs: () => number): EventEncoder {
  switch (view.media.as) {
    case '':
      return encoderOf(
        ({ parts }) => parts,
        (event) => bookmarkJson(kind, event),
        true,
      )
    case 'Table':
      return tableEncoder(kind, view, nowMs)
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList': {
      const { version } = view.media
      const partial = { ...kind, group: 'meta.k8s.io', version, kind: 'PartialObjectMetadata' }
      return encoderOf(
        ({ type, document }) => [eventLine(type, partialMetadataJson(document.object, version))],
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
  return { encode, isShared }
}

function tableEncoder(kind: Kind, view: View, nowMs: () => number): EventEncoder {
  let isFirst = true
  const table = (document: Document) => {
    const metadata = `{"resourceVersion":${JSON.stringify(document.resourceVersion)}}`
    const form = { ...view.table, nowMs: nowMs() }
    const json = isFirst ? tableJson(kind, document, metadata, form) : tableRowsJson(kind, document, metadata, form)
    isFirst = false
    return json
  }
  return encoderOf(
    ({ type, document }) => [eventLine(type, table(document))],
    (event) => emptyTableJson(kind, bookmarkMetadataJson(kind, event), view.media.version),
  )
}

export function errorLine(status: Status): Buffer {
  return eventLine('ERROR', JSON.stringify(status))
}

function eventLine(type: string, objectJson: string): Buffer {
  return Buffer.from(`{"type":"${type}","object":${objectJson}}\n`)
}

function bookmarkJson(kind: Kind, event: BookmarkEvent): string {
  return `{"kind":"${kind.kind}","apiVersion":"${apiVersionOf(kind)}","metadata":${bookmarkMetadataJson(kind, event)}}`
}

function bookmarkMetadataJson(kind: Kind, { resourceVersion, initialEventsEnd }: BookmarkEvent): string {
  const annotations = initialEventsEnd ? { annotations: initialEventsEndAnnotations(kind) } : {}
  return JSON.stringify({ resourceVersion, creationTimestamp: null, ...annotations })
}

function initialEventsEndAnnotations(kind: Kind): Readonly<Record<string, string>> {
  const emptyList = {
    kind: kind.listKind ?? `${kind.kind}List`,
    apiVersion: apiVersionOf(kind),
    metadata: {},
    items: null,
  }
  return {
    'k8s.io/initial-events-end': 'true',
    'kubernetes.io/initial-events-list-blueprint': Buffer.from(`${JSON.stringify(emptyList)}\n`).toString('base64'),
  }
}
