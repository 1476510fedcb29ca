import type { KubeObject } from '../api/object.ts'
import { ElementSplitter, type JsonElement } from '../base/json/element-splitter.ts'
import { JsonSyntaxError } from '../base/json/error.ts'
import { isJsonObject } from '../base/json/member.ts'
import { UnacceptableAnswer } from './connection/connection-error.ts'
import type { ResourceType, UnreadableObject } from './contract.ts'
import type { AnswerSink } from './pool/collected-answer.ts'
import { maxObjectBytes, readExactly, readJson, Unreadable } from './received-json.ts'
import { receivedObject } from './received-object.ts'
import { unparsedName } from './unparsed-name.ts'

export interface PageOptions {
  readonly type: ResourceType
  readonly origin: string
  readonly maxObjects: number
  /** Returns what to keep of an object; `bytes` is its received size. */
  readonly keep: (object: KubeObject, bytes: number) => KubeObject
}

/** The end of a page, without its objects. */
export interface PageEnd {
  readonly resourceVersion: string
  /** The start of the next page; empty on the last one. */
  readonly next: string
}

/** Both become part of the next request. */
const longestToken = 8 * 1024
const longestVersion = 256
const maxRestBytes = 256 * 1024

/**
 * A page of a list, read object by object while it arrives: none waits for the others, and an unreadable one does not
 * affect them.
 */
export class ListPage implements AnswerSink {
  readonly objects: KubeObject[] = []
  readonly unreadable: UnreadableObject[] = []
  readonly #options: PageOptions
  readonly #splitter: ElementSplitter
  #bytes = 0

  constructor(options: PageOptions) {
    this.#options = options
    this.#splitter = new ElementSplitter({
      member: 'items',
      maxElementBytes: maxObjectBytes,
      maxRestBytes,
      take: (element) => this.#takeObject(element),
    })
  }

  get bytes(): number {
    return this.#bytes
  }

  take(bytes: Buffer): void {
    this.#bytes += bytes.length
    this.#orNoList(() => this.#splitter.read(bytes))
  }

  end(): PageEnd {
    const { metadata } = this.#orNoList(() => restIn(readJson(this.#splitter.end())))
    const { resourceVersion = '', continue: next = '' } = metadata
    return {
      resourceVersion: this.#shortText(resourceVersion, longestVersion),
      next: this.#shortText(next, longestToken),
    }
  }

  #takeObject(element: JsonElement): void {
    const { maxObjects, origin, type } = this.#options
    if (this.objects.length + this.unreadable.length >= maxObjects)
      throw new UnacceptableAnswer(`${origin} lists more ${type.resource} than are read here`)
    try {
      this.objects.push(this.#read(element))
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      const { resourceVersion: _, ...seen } = unparsedName(element.bytes)
      this.unreadable.push({ ...seen, problem: error.problem })
    }
  }

  #read({ bytes, isWhole, shape }: JsonElement): KubeObject {
    const { type, keep } = this.#options
    if (!isWhole) throw new Unreadable('it', `is larger than ${maxObjectBytes} bytes`)
    return keep(receivedObject(readExactly(bytes, shape), type), bytes.length)
  }

  #orNoList<T>(act: () => T): T {
    try {
      return act()
    } catch (error) {
      if (!(error instanceof JsonSyntaxError || error instanceof Unreadable)) throw error
      throw new UnacceptableAnswer(`${this.#options.origin} answered with something that is no list: ${error.message}`)
    }
  }

  #shortText(value: unknown, longest: number): string {
    if (typeof value === 'string' && value.length <= longest) return value
    throw new UnacceptableAnswer(`${this.#options.origin} sent a list that does not say where it ends`)
  }
}

function restIn(list: unknown): { readonly metadata: Readonly<Record<string, unknown>> } {
  if (isJsonObject(list) && isJsonObject(list.metadata)) return { metadata: list.metadata }
  throw new JsonSyntaxError('it has no metadata')
}
