import { ApiError } from '../api/error.ts'
import type { KubeObject } from '../api/object.ts'
import { refusalOf } from './answer-body.ts'
import { UnacceptableAnswer } from './connection/connection-error.ts'
import type { ListLimits, ObjectList, ResourceType, Selection, UnreadableObject } from './contract.ts'
import { ListPage, type PageEnd } from './list-page.ts'
import { Unreadable } from './received-json.ts'
import { collectionPath, selectionQuery, withQuery } from './resource-path.ts'
import type { Transport } from './transport/contract.ts'

const pageSize = 500
/** If pages expire this often, they are read too slowly for the server; a single complete answer does not expire. */
const pagedAttempts = 2

export const usualListLimits: ListLimits = { bytes: 256 * 1024 * 1024, objects: 200_000, pages: 2_000 }

export interface ListOptions extends Selection {
  readonly atMost?: Partial<ListLimits>
  /** Applied to each object as it is read, so that a large list is never in memory as a whole. */
  readonly keep?: (object: KubeObject, bytes: number) => KubeObject
  /** Called for objects that cannot be read, which are then left out. Absent: the list fails. */
  readonly onUnreadable?: (unreadable: UnreadableObject) => void
}

/** All objects at one point in time, however many pages that takes. */
export async function listAllPages(
  transport: Transport,
  type: ResourceType,
  options: ListOptions,
  signal?: AbortSignal,
): Promise<ObjectList> {
  for (let attempt = 1; ; attempt++) {
    try {
      const limit = attempt > pagedAttempts ? undefined : pageSize
      return await new Listing(transport, type, options, limit).run(signal)
    } catch (error) {
      if (attempt > pagedAttempts || !(error instanceof ApiError) || error.code !== 410) throw error
    }
  }
}

/** The version of the current state, for the price of one object. Selectors could make the server read all of them. */
export function readVersion(
  transport: Transport,
  type: ResourceType,
  { namespace }: Selection,
  signal?: AbortSignal,
): Promise<string> {
  const options = { ...(namespace !== undefined && { namespace }), onUnreadable: () => {} }
  return new Listing(transport, type, options, 1).readVersion(signal)
}

/** One attempt at a list. The server's answers are limited: bytes, objects and pages, and no page twice. */
class Listing {
  readonly #transport: Transport
  readonly #type: ResourceType
  readonly #options: ListOptions
  readonly #limit: number | undefined
  readonly #limits: ListLimits
  readonly #items: KubeObject[] = []
  readonly #tokens = new Set<string>()
  #bytes = 0

  constructor(transport: Transport, type: ResourceType, options: ListOptions, limit: number | undefined) {
    this.#transport = transport
    this.#type = type
    this.#options = options
    this.#limit = limit
    this.#limits = { ...usualListLimits, ...options.atMost }
  }

  async run(signal?: AbortSignal): Promise<ObjectList> {
    let next: string | undefined
    for (let pages = 1; ; pages++) {
      const end = await this.#readPage(next, signal)
      if (end.next === '') return { items: this.#items, resourceVersion: end.resourceVersion }
      if (this.#tokens.has(end.next)) throw this.#endless('repeats a page')
      if (pages >= this.#limits.pages) throw this.#endless(`has more than ${this.#limits.pages} pages`)
      this.#tokens.add(end.next)
      next = end.next
    }
  }

  async readVersion(signal?: AbortSignal): Promise<string> {
    return (await this.#readPage(undefined, signal)).resourceVersion
  }

  async #readPage(token: string | undefined, signal?: AbortSignal): Promise<PageEnd> {
    const query = { ...selectionQuery(this.#options), limit: this.#limit?.toString(), continue: token }
    const path = withQuery(collectionPath(this.#type, this.#options.namespace), query)
    const maxBytes = this.#limits.bytes - this.#bytes
    if (maxBytes <= 0) throw this.#endless(`is larger than ${this.#limits.bytes} bytes`)
    const attempts: ListPage[] = []
    const into = () => {
      const page = this.#newPage()
      attempts.push(page)
      return page
    }
    const answer = await this.#transport.send({ method: 'GET', path, maxBytes, into }, signal)
    const page = attempts.at(-1)
    if (answer.status !== 200 || page === undefined) throw refusalOf(answer, this.#transport.origin)
    this.#take(page)
    return page.end()
  }

  #newPage(): ListPage {
    const { keep = (object) => object } = this.#options
    const maxObjects = this.#limits.objects - this.#items.length
    return new ListPage({ type: this.#type, origin: this.#transport.origin, maxObjects, keep })
  }

  #take({ objects, unreadable, bytes }: ListPage): void {
    const { onUnreadable } = this.#options
    this.#bytes += bytes
    for (const object of objects) this.#items.push(object)
    for (const each of unreadable) {
      if (onUnreadable === undefined) throw new Unreadable(this.#pathOf(each), each.problem)
      onUnreadable(each)
    }
  }

  #pathOf({ namespace, name }: UnreadableObject): string {
    return `${collectionPath(this.#type, namespace)}/${name || '(an object without a name)'}`
  }

  #endless(how: string): UnacceptableAnswer {
    return new UnacceptableAnswer(`${this.#transport.origin}: the list of ${this.#type.resource} ${how}`)
  }
}
