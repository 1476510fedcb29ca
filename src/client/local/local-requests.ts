import { Pace } from '../../base/pace.ts'
import type { HttpAnswer } from '../answer-body.ts'
import { pathPrefix } from '../connection/address.ts'
import { ConnectionError } from '../connection/connection-error.ts'
import type { ClusterAccess } from '../kubeconfig/contract.ts'
import { CollectedAnswer, type CollectedOptions, maxRefusalBytes } from '../pool/collected-answer.ts'
import type { ClusterRequests, TransportRequest } from '../transport/contract.ts'
import type { TransportLimits } from '../transport/limits.ts'
import { requestHeaders } from '../transport/request-headers.ts'
import type { StreamedAnswer } from '../transport/streamed-answer.ts'
import type { LocalAnswer, LocalServer } from './contract.ts'

export interface LocalRequestsOptions {
  readonly server: LocalServer
  readonly access: ClusterAccess
  readonly limits: TransportLimits
  readonly userAgent: string
}

/** Requests to a server of this process. It has its own time limits, so there are none here. */
export class LocalRequests implements ClusterRequests {
  readonly #options: LocalRequestsOptions
  readonly #prefix: string
  readonly #closing = new AbortController()

  constructor(options: LocalRequestsOptions) {
    this.#options = options
    this.#prefix = pathPrefix(options.access.url)
  }

  async send(request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer> {
    const { maxBytes = this.#options.limits.maxAnswerBytes, into } = request
    return this.#collect(await this.#ask(request, signal), { maxBytes, into })
  }

  async open(request: TransportRequest, signal: AbortSignal): Promise<StreamedAnswer> {
    const answer = await this.#ask(request, AbortSignal.any([signal, this.#closing.signal]))
    const { status, headers, body } = answer
    return {
      status,
      headers,
      chunks: Buffer.isBuffer(body) ? only(body) : body,
      body: async () => (await this.#collect(answer, { maxBytes: maxRefusalBytes })).body,
      collect: (options) => this.#collect(answer, options),
    }
  }

  close(): void {
    this.#closing.abort(new ConnectionError(`the client of ${this.#options.access.url.origin} was closed`))
  }

  async #ask(request: TransportRequest, signal: AbortSignal | undefined): Promise<LocalAnswer> {
    const { server, access, userAgent } = this.#options
    this.#closing.signal.throwIfAborted()
    const credentials = await access.credentials.headers()
    return server.ask({
      method: request.method,
      url: this.#prefix + request.path,
      headers: requestHeaders(request, userAgent, credentials),
      body: request.body === undefined ? undefined : Buffer.from(request.body),
      signal,
    })
  }

  /** Yields to other work in between, while the server waits. */
  async #collect(answer: LocalAnswer, options: Omit<CollectedOptions, 'origin'>): Promise<HttpAnswer> {
    const { body } = answer
    const collected = new CollectedAnswer({ ...options, origin: this.#options.access.url.origin })
    begin(collected, answer)
    if (Buffer.isBuffer(body)) {
      collected.add(body)
      return collected.whole()
    }
    const pace = new Pace()
    for await (const chunk of body) {
      collected.add(chunk)
      await pace.step()
    }
    return collected.whole()
  }
}

/** Otherwise, an answer that is refused by its head would wait for its reader, and keep its place, forever. */
function begin(collected: CollectedAnswer, { status, headers, leave }: LocalAnswer): void {
  try {
    collected.begin(status, headers)
  } catch (error) {
    leave()
    throw error
  }
}

async function* only(body: Buffer): AsyncGenerator<Buffer> {
  if (body.length > 0) yield body
}
