import type { IncomingHttpHeaders } from 'node:http'
import { Pool } from 'undici'
import type { ServerProcess } from './server-process.ts'
import { Watching } from './watching.ts'

/** An object, a list or a Status, reduced to the fields that these tests use. */
export interface ApiBody {
  readonly kind?: string
  readonly metadata: {
    readonly name?: string
    readonly namespace?: string
    readonly uid?: string
    readonly resourceVersion?: string
  }
  readonly data?: Readonly<Record<string, string>>
  readonly spec?: { readonly clusterIP?: string }
  readonly items?: readonly ApiBody[]
  readonly status?: unknown
  readonly reason?: string
  readonly message?: string
  readonly code?: number
  readonly details?: { readonly retryAfterSeconds?: number }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: ApiBody
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Plain HTTP/1.1 with nothing between the test and the server: no retries, no caches. */
export class ApiClient {
  readonly #pool: Pool
  readonly #headers: Readonly<Record<string, string>>

  constructor(server: Pick<ServerProcess, 'url' | 'authority' | 'token'>, connections = 10) {
    // No limit: undici gives up after 10 s, and a busy machine takes longer to accept many connections.
    const connect = { ca: server.authority, timeout: 0 }
    this.#pool = new Pool(server.url, { connections, pipelining: 1, connect })
    this.#headers = { authorization: `Bearer ${server.token}` }
  }

  async request(method: Method, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const response = await this.#pool.request({
      method,
      path,
      headers: body === undefined ? this.#headers : { ...this.#headers, 'content-type': type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.body.text()
    return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) }
  }

  /** For answers that are not JSON, such as health and metrics. */
  async text(path: string): Promise<{ readonly statusCode: number; readonly text: string }> {
    const { statusCode, body } = await this.#pool.request({ method: 'GET', path, headers: this.#headers })
    return { statusCode, text: await body.text() }
  }

  mergePatch(path: string, patch: unknown): Promise<Answer> {
    return this.request('PATCH', path, patch, 'application/merge-patch+json')
  }

  /** Throws unless the status is 2xx. */
  async must(method: Method, path: string, body?: unknown): Promise<ApiBody> {
    const answer = await this.request(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** A watch of a collection; `after` is a resourceVersion. Resolves when the server has accepted it. */
  async watch(path: string, after: string): Promise<Watching> {
    const stop = new AbortController()
    const response = await this.#pool.request({
      method: 'GET',
      path: `${path}?watch=true&resourceVersion=${after}`,
      headers: this.#headers,
      signal: stop.signal,
      bodyTimeout: 0,
    })
    return new Watching(response.statusCode, response.body, stop)
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}

/** The resourceVersion of an object or a list, as a number. */
export function versionOf(body: ApiBody): number {
  return Number(body.metadata.resourceVersion)
}
