import type { WatchEventType } from '../contract.ts'
import type { StoredDocument } from '../document.ts'

/** Of a longer object the line is made of the bytes that are there, and not copied. */
const longestCopied = 16 * 1024

/** One change of one object. The finished line of JSON is made once, on demand, and shared by all watchers. */
export class ChangeEvent {
  readonly type: WatchEventType
  readonly document: StoredDocument
  /** What stood there before, for watchers whose selector it may have matched. */
  readonly previous: StoredDocument | undefined
  readonly #isForOne: boolean
  #parts: readonly Buffer[] | undefined
  #entering: ChangeEvent | undefined
  #leaving: ChangeEvent | undefined

  /** `isForOne`: it is told to each watcher by itself, as what was there when that one came, and counts as held for each. */
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

  /** Made again where it is asked for once more: of what is past, few are. */
  forgetLine(): void {
    this.#parts = undefined
    this.#entering = undefined
    this.#leaving = undefined
  }

  /** As it is told to all watchers for whom the object starts to match by it. */
  get entering(): ChangeEvent {
    this.#entering ??= new ChangeEvent('ADDED', this.document, undefined)
    return this.#entering
  }

  /** As it is told to all for whom the object that stood there before stops to match: with its old content and the new revision. */
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
