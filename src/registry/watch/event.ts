import type { WatchEventType } from '../contract.ts'
import type { StoredDocument } from '../document.ts'

/** For a longer object, the line refers to the existing bytes instead of copying them. */
const longestCopied = 16 * 1024

/** One change of one object. The finished line of JSON is made once, on demand, and shared by all watchers. */
export class ChangeEvent {
  readonly type: WatchEventType
  readonly document: StoredDocument
  /** The previous object, for watchers whose selector it may have matched. */
  readonly previous: StoredDocument | undefined
  readonly #isForOne: boolean
  #parts: readonly Buffer[] | undefined
  #entering: ChangeEvent | undefined
  #leaving: ChangeEvent | undefined

  /** `isForOne`: the event is made for one watcher, as part of its initial state, and its size counts for each. */
  constructor(
    type: WatchEventType,
    document: StoredDocument,
    previous: StoredDocument | undefined,
    { isForOne = false }: { readonly isForOne?: boolean } = {},
  ) {
    this.type = type
    this.document = document
    this.previous = previous
    this.#isForOne = isForOne
  }

  get revision(): number {
    return this.document.revision
  }

  get parts(): readonly Buffer[] {
    this.#parts ??= partsOf(this.type, this.document)
    return this.#parts
  }

  /** The line is made again if needed: few past events are. */
  forgetLine(): void {
    this.#parts = undefined
    this.#entering = undefined
    this.#leaving = undefined
  }

  /** The event for watchers whose selector matches the object from now on. */
  get entering(): ChangeEvent {
    this.#entering ??= new ChangeEvent('ADDED', this.document, undefined)
    return this.#entering
  }

  /** The event for watchers whose selector no longer matches the object: with its old content and the new revision. */
  get leaving(): ChangeEvent | undefined {
    const { previous } = this
    if (previous !== undefined) this.#leaving ??= new ChangeEvent('DELETED', previous.at(this.revision), previous)
    return this.#leaving
  }

  get isUnshared(): boolean {
    return this.#isForOne && this.document.bytes <= longestCopied
  }
}

const lineOpenings: Readonly<Record<WatchEventType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
}
const lineEnd = Buffer.from('}\n')

function partsOf(type: WatchEventType, document: StoredDocument): readonly Buffer[] {
  const parts = [lineOpenings[type], ...document.jsonParts, lineEnd]
  return document.bytes > longestCopied ? parts : [Buffer.concat(parts)]
}
