import type { Action, Freshness, List, Outcome, Page, Sight } from '../checker/history.ts'
import { type Body, isTrouble, parsed, refusalIn, revisionIn, sightOf } from './answers.ts'
import type { Collection } from './collection.ts'
import type { NamedTransport } from './connections.ts'
import type { Recorder } from './recorder.ts'
import type { Reply } from './transport.ts'

/** Sends one request at a time and records requests and answers. */
export class Caller {
  readonly #collection: Collection
  readonly #recorder: Recorder

  constructor(collection: Collection, recorder: Recorder) {
    this.#collection = collection
    this.#recorder = recorder
  }

  /** Undefined if the server cannot have received it: then it never happened. */
  async call(id: string, action: Action, { server, transport }: NamedTransport): Promise<Outcome | undefined> {
    const request =
      action.do === 'get' ? this.#collection.get(action.name, action.freshness) : this.#collection.write(action)
    const startedAt = performance.now()
    const reply = await transport.ask(request)
    if (reply.is === 'not sent') return undefined
    const outcome = this.#outcomeOf(action, reply)
    this.#recorder.calls.push({ id, server, startedAt, action, outcome })
    return outcome
  }

  /** Pages may come from different servers. Undefined if there was no first page. */
  async list(freshness: Freshness, limit: number, next: () => NamedTransport): Promise<List | undefined> {
    const id = this.#recorder.nextId('list')
    const startedAt = performance.now()
    const pages: Page[] = []
    const servers: string[] = []
    let continueAt = ''
    do {
      const { server, transport } = next()
      const reply = await transport.ask(this.#collection.page(freshness, limit, continueAt))
      const body = this.#listIn(reply)
      if (body === undefined) break
      pages.push({ at: performance.now(), revision: revisionIn(body), items: this.#ours(body) })
      servers.push(server)
      continueAt = body.metadata?.continue ?? ''
    } while (continueAt !== '')
    if (pages.length === 0) return undefined
    const isWhole = continueAt === ''
    const list = { id, server: servers.join(), startedAt, freshness, pages, isWhole }
    this.#recorder.lists.push(list)
    return list
  }

  #ours({ items = [] }: Body): readonly Sight[] {
    return items.filter(({ metadata }) => this.#collection.isOurs(metadata?.name)).map(sightOf)
  }

  #listIn(reply: Reply): Body | undefined {
    if (reply.is !== 'answer') return undefined
    const body = parsed<Body>(reply.text)
    if (reply.status === 200 && body !== undefined) return body
    if (reply.status !== 410 && !isTrouble(reply.status)) this.#surprised(reply.status, reply.text)
    return undefined
  }

  #outcomeOf(action: Action, reply: Exclude<Reply, { is: 'not sent' }>): Outcome {
    if (reply.is === 'lost') return { is: 'unknown' }
    const endedAt = performance.now()
    const body = parsed<Body>(reply.text)
    if (body === undefined) {
      this.#surprised(reply.status, reply.text)
      return { is: 'unknown' }
    }
    if (reply.status < 300) {
      if (action.do !== 'delete') return { is: 'done', endedAt, sight: sightOf(body) }
      const uid = body.details?.uid
      return { is: 'done', endedAt, ...(uid === undefined ? {} : { uid }) }
    }
    const because = refusalIn(reply.status, body)
    if (because !== undefined) return { is: 'refused', endedAt, because }
    if (!isTrouble(reply.status)) this.#surprised(reply.status, reply.text)
    return { is: 'unknown' }
  }

  #surprised(status: number, text: string): void {
    this.#recorder.surprises.push(`${status} ${text.slice(0, 400)}`)
  }
}
