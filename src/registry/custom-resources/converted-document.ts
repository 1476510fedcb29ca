import type { KubeObject } from '../../api/object.ts'
import { parsePrinted } from '../../base/json/parse.ts'
import { printedJson } from '../../base/json/print.ts'
import type { Document, WatchEvent, WatchEventType } from '../contract.ts'

/** A document in another version. Only its bytes are kept: the object is parsed on demand. */
export function convertedDocument(object: KubeObject, stored: Document): Document {
  const { text, isLarge } = printedJson(object)
  const json = Buffer.from(text)
  const { namespace, name, resourceVersion } = stored
  return {
    namespace,
    name,
    resourceVersion,
    labels: object.metadata.labels,
    json,
    itemJson: json,
    get object() {
      return parsePrinted(json.toString(), isLarge) as KubeObject
    },
  }
}

export function convertedEvent(type: WatchEventType, document: Document): WatchEvent {
  const line = Buffer.concat([Buffer.from(`{"type":"${type}","object":`), document.json, Buffer.from('}\n')])
  return { type, document, parts: [line], isUnshared: true }
}
