import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { HttpAnswer } from '../answer-body.ts'
import { pathPrefix } from '../connection/address.ts'
import type { ClusterAccess } from '../kubeconfig/contract.ts'
import type { TransportRequest } from './contract.ts'
import type { TransportLimits } from './limits.ts'
import { createPools } from './pools.ts'
import { wholeAnswer } from './whole-answer.ts'

export interface PoolOptions {
  readonly access: ClusterAccess
  readonly limits: TransportLimits
  readonly userAgent: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface StreamedResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Dispatcher.ResponseData['body']
}

interface AnyAnswer {
  readonly status: number
  readonly body?: StreamedResponse['body']
}

type Headers = Readonly<Record<string, string | string[]>>

/** Connections to one cluster, on which every request carries the credentials of the moment. */
export class AuthenticatedPools {
  readonly #options: PoolOptions
  readonly #prefix: string
  #pools

  constructor(options: PoolOptions) {
    this.#options = options
    this.#prefix = pathPrefix(options.access.url)
    this.#pools = createPools(options.access, options.limits, options.env)
  }

  /** The whole answer. */
  send(request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer> {
    return this.#authenticated((credentials) => {
      signal?.throwIfAborted()
      return wholeAnswer(this.#pools.requests, this.#sent(request, credentials), signal)
    })
  }

  /** An answer that is read as it comes. */
  open(request: TransportRequest, signal: AbortSignal): Promise<StreamedResponse> {
    return this.#authenticated(async (credentials) => {
      signal.throwIfAborted()
      const response = await this.#pools.streams.request({ ...this.#sent(request, credentials), signal })
      return { status: response.statusCode, headers: response.headers, body: response.body }
    })
  }

  async close(): Promise<void> {
    await Promise.all([this.#pools.requests.destroy(), this.#pools.streams.destroy()])
  }

  /** Credentials that are refused, and have been replaced since, are worth a second try. */
  async #authenticated<Answer extends AnyAnswer>(send: (credentials: Headers) => Promise<Answer>): Promise<Answer> {
    const { credentials } = this.#options.access
    const headers = await credentials.headers()
    const answer = await send(headers)
    if (answer.status !== 401 || !credentials.refused(textOf(headers.authorization))) return answer
    await answer.body?.dump()
    const newHeaders = await credentials.headers()
    await this.#renewIfCertificateChanged()
    return send(newHeaders)
  }

  #sent(request: TransportRequest, credentials: Headers) {
    const { method, path, accept = 'application/json', contentType, body = null } = request
    const type = contentType === undefined ? {} : { 'content-type': contentType }
    const headers = { accept, 'user-agent': this.#options.userAgent, ...type, ...credentials }
    return { method, path: this.#prefix + path, headers, body }
  }

  /** Connections show the certificate that was theirs when they were opened. */
  async #renewIfCertificateChanged(): Promise<void> {
    const { access, limits, env } = this.#options
    const { certificate } = (await access.credentials.clientCertificate()) ?? {}
    const old = this.#pools
    if (certificate === old.shownCertificate()) return
    this.#pools = createPools(access, limits, env)
    for (const pool of [old.requests, old.streams]) void pool.close().catch(() => {})
  }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join()
}
