import type { KubeObject } from '../../api/object.ts'
import type { Document, WatchEvent, WatchEventType } from '../contract.ts'

/** What another version shows of a document. Only its bytes are kept: the object is parsed on demand. */
export function convertedDocument(object: KubeObject, stored: Document): Document {
  const json = Buffer.from(JSON.stringify(object))
  const { namespace, name, resourceVersion } = stored
  return {
    namespace,
    name,
    resourceVersion,
    labels: object.metadata.labels,
    json,
    itemJson: json,
    get object() {
      return JSON.parse(json.toString())
    },
  }
}

export function convertedEvent(type: WatchEventType, document: Document): WatchEvent {
  const line = Buffer.concat([Buffer.from(`{"type":"${type}","object":`), document.json, Buffer.from('}\n')])
  return { type, document, parts: [line], isUnshared: true }
}
