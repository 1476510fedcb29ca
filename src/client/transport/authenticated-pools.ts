import type { HttpAnswer } from '../answer-body.ts'
import { pathPrefix } from '../connection/address.ts'
import type { ClusterAccess } from '../kubeconfig/contract.ts'
import type { CollectedOptions } from '../pool/collected-answer.ts'
import type { PooledRequest } from '../pool/pooled-connection.ts'
import { wholeAnswer } from '../pool/whole-answer.ts'
import type { ClusterRequests, TransportRequest } from './contract.ts'
import type { TransportLimits } from './limits.ts'
import { createPools } from './pools.ts'
import { type Headers, requestHeaders } from './request-headers.ts'
import { type StreamedAnswer, streamedAnswer } from './streamed-answer.ts'

export interface ClusterPoolOptions {
  readonly access: ClusterAccess
  readonly limits: TransportLimits
  readonly userAgent: string
  readonly env: Readonly<Record<string, string | undefined>>
}

interface AnyAnswer {
  readonly status: number
  readonly body: Buffer | (() => Promise<Buffer>)
}

/** Connections to one cluster, on which every request has the current credentials. */
export class AuthenticatedPools implements ClusterRequests {
  readonly #options: ClusterPoolOptions
  readonly #prefix: string
  #pools

  constructor(options: ClusterPoolOptions) {
    this.#options = options
    this.#prefix = pathPrefix(options.access.url)
    this.#pools = createPools(options.access, options.limits, options.env)
  }

  /** Returns the complete answer. */
  send(request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer> {
    const { access, limits } = this.#options
    const { maxBytes = limits.maxAnswerBytes, into } = request
    if (into !== undefined) return this.#read(request, { maxBytes, into }, signal)
    const options = { origin: access.url.origin, wholeTimeoutMs: limits.wholeTimeoutMs, maxBytes }
    return this.#authenticated((credentials) => {
      signal?.throwIfAborted()
      return wholeAnswer(this.#pools.requests, this.#requestFor(request, credentials), options, signal)
    })
  }

  async #read(
    request: TransportRequest,
    options: Omit<CollectedOptions, 'origin'>,
    signal = new AbortController().signal,
  ): Promise<HttpAnswer> {
    const answer = await this.open(request, signal)
    return answer.collect(options, this.#options.limits.wholeTimeoutMs)
  }

  /** Returns an answer that is read as it arrives. */
  open(request: TransportRequest, signal: AbortSignal): Promise<StreamedAnswer> {
    const { access, limits } = this.#options
    return this.#authenticated((credentials) => {
      signal.throwIfAborted()
      const options = { agent: this.#pools.streams, url: access.url, answerTimeoutMs: limits.answerTimeoutMs }
      return streamedAnswer(this.#requestFor(request, credentials), options, signal)
    })
  }

  close(): void {
    this.#pools.requests.destroy()
    this.#pools.streams.destroy()
  }

  /** If refused credentials have been replaced since, the request is worth a retry. */
  async #authenticated<Answer extends AnyAnswer>(send: (credentials: Headers) => Promise<Answer>): Promise<Answer> {
    const { credentials } = this.#options.access
    const headers = await credentials.headers()
    const answer = await send(headers)
    if (answer.status !== 401 || !credentials.refused(joined(headers.authorization))) return answer
    if (typeof answer.body === 'function') await answer.body()
    const newHeaders = await credentials.headers()
    await this.#renewIfCertificateChanged()
    return send(newHeaders)
  }

  #requestFor(request: TransportRequest, credentials: Headers): PooledRequest {
    const { method, path, body } = request
    const headers = requestHeaders(request, this.#options.userAgent, credentials)
    return { method, path: this.#prefix + path, headers, ...(body !== undefined && { body }) }
  }

  /** Connections keep the certificate they were opened with. */
  async #renewIfCertificateChanged(): Promise<void> {
    const { access, limits, env } = this.#options
    const { certificate } = (await access.credentials.clientCertificate()) ?? {}
    const old = this.#pools
    if (certificate === old.shownCertificate()) return
    this.#pools = createPools(access, limits, env)
    old.requests.close()
    old.streams.retire()
  }
}

function joined(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join()
}
