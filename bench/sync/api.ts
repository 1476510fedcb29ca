import { Pool } from 'undici'
import type { Subject } from '../contract.ts'
import { collectionPath, type Plural } from './objects.ts'

interface Metadata {
  readonly name: string
  readonly resourceVersion: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

export interface Listed {
  readonly metadata: Metadata
  readonly [field: string]: unknown
}

interface List {
  readonly metadata: { readonly resourceVersion: string; readonly remainingItemCount?: number }
  readonly items: readonly Listed[]
}

/** The benchmark's requests to a server besides the load. */
export class Api {
  readonly #pool: Pool
  readonly #authorization: string

  constructor({ host, port, authority, token }: Subject, connections = 4) {
    this.#pool = new Pool(`https://${host}:${port}`, { connections, connect: { ca: authority }, bodyTimeout: 0 })
    this.#authorization = `Bearer ${token}`
  }

  async createNamespace(name: string): Promise<void> {
    await this.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }

  async list(plural: Plural, namespace: string): Promise<List> {
    return JSON.parse(await this.send('GET', collectionPath(plural, namespace)))
  }

  /** Cheap, however many there are. */
  async count(plural: Plural, namespace: string): Promise<number> {
    const list: List = JSON.parse(await this.send('GET', `${collectionPath(plural, namespace)}?limit=1`))
    return list.items.length + (list.metadata.remainingItemCount ?? 0)
  }

  async send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<string> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const response = await this.#pool.request({
      method,
      path,
      headers: { authorization: this.#authorization, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.body.text()
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`)
    return text
  }

  /** Calls back with every changed object, from now on. Returns a function that stops this. */
  watch(plural: Plural, namespace: string, onChange: (object: Listed) => void): Promise<() => void> {
    return this.watchAt(collectionPath(plural, namespace), (object) => onChange(object))
  }

  /** The same for any collection, with the event type: `ADDED`, `MODIFIED` or `DELETED`. */
  async watchAt(collection: string, onEvent: (object: Listed, type: string) => void): Promise<() => void> {
    const { metadata } = JSON.parse(await this.send('GET', `${collection}?limit=1`))
    const stop = new AbortController()
    const response = await this.#pool.request({
      method: 'GET',
      path: `${collection}?watch=true&resourceVersion=${metadata.resourceVersion}`,
      headers: { authorization: this.#authorization },
      signal: stop.signal,
    })
    let rest = ''
    response.body.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const { object, type } = JSON.parse(line)
        onEvent(object, type)
      }
    })
    response.body.on('error', () => {})
    return () => stop.abort()
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}
