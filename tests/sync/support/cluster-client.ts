import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { type Collection, collectionPath, type Draft, type Thing } from './objects.ts'

export interface Access {
  readonly url: string
  readonly token: string
  /** PEM. */
  readonly authority: string
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** An unexpected refusal. */
export class Refused extends Error {
  readonly status: number

  constructor(method: Method, path: string, { status, body }: Answer) {
    super(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    this.status = status
  }
}

const connections = 8
const awayMs = 240_000
const answerMs = 60_000
const pauseMs = 50

/**
 * A user of a cluster, without knowledge of sync. Waits for a server that is away: a request to a server that died may
 * have taken effect or not, and is sent again.
 */
export class ClusterClient {
  readonly #pool: Pool
  readonly #authorization: string

  constructor({ url, token, authority }: Access) {
    this.#pool = new Pool(url, { connections, connect: { ca: authority, timeout: 0 }, headersTimeout: answerMs })
    this.#authorization = `Bearer ${token}`
  }

  async request(method: Method, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const response = await this.#pool.request({
      method,
      path,
      headers: { authorization: this.#authorization, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.body.text()
    return { status: response.statusCode, body: parsed(text) }
  }

  /** Returns any answer of a server that may be away for a while: for requests that may be repeated. */
  async insist(method: Method, path: string, body?: unknown): Promise<Answer> {
    const deadline = performance.now() + awayMs
    for (;;) {
      try {
        return await this.request(method, path, body)
      } catch (error) {
        if (performance.now() > deadline) throw error
        await delay(pauseMs)
      }
    }
  }

  async create(kind: Collection, draft: Draft): Promise<Thing> {
    const { apiVersion } = kind
    const { namespace = '', name } = draft.metadata
    const path = collectionPath(kind, namespace)
    const answer = await this.#patient('POST', path, { apiVersion, kind: kind.kind, ...draft })
    // An earlier attempt had no answer, and has created it.
    if (answer.status === 409 && answer.isRepeated) return this.get(kind, namespace, name)
    return asThing(checked('POST', path, answer))
  }

  async get(kind: Collection, namespace: string, name: string): Promise<Thing> {
    return asThing(await this.#must('GET', `${collectionPath(kind, namespace)}/${name}`))
  }

  /** Undefined if it does not exist. */
  async find(kind: Collection, namespace: string, name: string): Promise<Thing | undefined> {
    const answer = await this.#patient('GET', `${collectionPath(kind, namespace)}/${name}`)
    if (answer.status === 404) return undefined
    return asThing(checked('GET', name, answer))
  }

  async list(kind: Collection, namespace: string): Promise<readonly Thing[]> {
    const body = await this.#must('GET', collectionPath(kind, namespace))
    if (typeof body !== 'object' || body === null || !('items' in body) || !Array.isArray(body.items)) {
      throw new Error(`no list of ${kind.plural}: ${JSON.stringify(body)}`)
    }
    return body.items.map(asThing)
  }

  /** Includes the resourceVersion. */
  async replace(kind: Collection, thing: Thing): Promise<Thing> {
    const { namespace = '', name } = thing.metadata
    const body = { apiVersion: kind.apiVersion, kind: kind.kind, ...thing }
    return asThing(await this.#must('PUT', `${collectionPath(kind, namespace)}/${name}`, body))
  }

  /** A merge patch: `null` removes. */
  async patch(kind: Collection, namespace: string, name: string, patch: unknown, subresource = ''): Promise<Thing> {
    const path = `${collectionPath(kind, namespace)}/${name}${subresource === '' ? '' : `/${subresource}`}`
    return asThing(await this.#must('PATCH', path, patch, 'application/merge-patch+json'))
  }

  /** Returns whether there was one. */
  async delete(kind: Collection, namespace: string, name: string): Promise<boolean> {
    const path = `${collectionPath(kind, namespace)}/${name}`
    const answer = await this.#patient('DELETE', path)
    if (answer.status === 404) return false
    checked('DELETE', path, answer)
    return true
  }

  async deleteAll(kind: Collection, namespace: string): Promise<void> {
    for (const { metadata } of await this.list(kind, namespace)) await this.delete(kind, namespace, metadata.name)
  }

  async ensureNamespace(name: string): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    const answer = await this.#patient('POST', '/api/v1/namespaces', body)
    if (answer.status !== 409) checked('POST', '/api/v1/namespaces', answer)
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }

  async #must(method: Method, path: string, body?: unknown, type?: string): Promise<unknown> {
    return checked(method, path, await this.#patient(method, path, body, type))
  }

  async #patient(
    method: Method,
    path: string,
    body?: unknown,
    type?: string,
  ): Promise<Answer & { readonly isRepeated: boolean }> {
    const deadline = performance.now() + awayMs
    for (let isRepeated = false; ; isRepeated = true) {
      const answer = await this.request(method, path, body, type).catch((error: unknown) => {
        if (performance.now() > deadline) throw error
        return undefined
      })
      if (answer !== undefined && !isAway(answer)) return { ...answer, isRepeated }
      if (performance.now() > deadline) throw new Error(`${method} ${path} is still refused: ${answer?.status}`)
      await delay(pauseMs)
    }
  }
}

/** A starting server answers some requests before authorization works. */
function isAway({ status }: Answer): boolean {
  return status === 429 || status === 503 || status === 504 || status === 500
}

function checked(method: Method, path: string, answer: Answer): unknown {
  if (answer.status >= 300) throw new Refused(method, path, answer)
  return answer.body
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function asThing(body: unknown): Thing {
  if (isThing(body)) return body
  throw new Error(`no object: ${JSON.stringify(body)}`)
}

function isThing(body: unknown): body is Thing {
  return typeof body === 'object' && body !== null && 'metadata' in body
}
