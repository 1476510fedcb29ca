import type { WatchEventType } from '../contract.ts'
import type { StoredDocument } from '../document.ts'

/** One change of one object. The finished line of JSON is made once, on demand, and shared by all watchers. */
export class ChangeEvent {
  readonly type: WatchEventType
  readonly document: StoredDocument
  /** What stood there before, for watchers whose selector it may have matched. */
  readonly previous: StoredDocument | undefined
  #line: Buffer | undefined

  constructor(type: WatchEventType, document: StoredDocument, previous: StoredDocument | undefined) {
    this.type = type
    this.document = document
    this.previous = previous
  }

  get revision(): number {
    return this.document.revision
  }

  get line(): Buffer {
    this.#line ??= Buffer.concat([lineOpenings[this.type], this.document.json, lineEnd])
    return this.#line
  }
}

const lineOpenings: Readonly<Record<WatchEventType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
}
const lineEnd = Buffer.from('}\n')
