import type { HttpAnswer } from '../answer-body.ts'
import { pathPrefix } from '../connection/address.ts'
import { requestText } from '../http1/request-text.ts'
import { type StreamedAnswer, streamedAnswer } from '../http1/streamed-answer.ts'
import { wholeAnswer } from '../http1/whole-answer.ts'
import type { ClusterAccess } from '../kubeconfig/contract.ts'
import type { TransportRequest } from './contract.ts'
import type { TransportLimits } from './limits.ts'
import { createPools } from './pools.ts'

export interface ClusterPoolOptions {
  readonly access: ClusterAccess
  readonly limits: TransportLimits
  readonly userAgent: string
  readonly env: Readonly<Record<string, string | undefined>>
}

interface AnyAnswer {
  readonly status: number
  readonly text: string | (() => Promise<string>)
}

type CredentialHeaders = Readonly<Record<string, string | string[]>>

/** Connections to one cluster, on which every request carries the credentials of the moment. */
export class AuthenticatedPools {
  readonly #options: ClusterPoolOptions
  readonly #prefix: string
  #pools

  constructor(options: ClusterPoolOptions) {
    this.#options = options
    this.#prefix = pathPrefix(options.access.url)
    this.#pools = createPools(options.access, options.limits, options.env)
  }

  /** The whole answer. */
  send(request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer> {
    return this.#authenticated((credentials) => {
      signal?.throwIfAborted()
      return wholeAnswer(
        this.#pools.requests,
        this.#textFor(request, credentials),
        this.#options.limits.maxAnswerBytes,
        signal,
      )
    })
  }

  /** An answer that is read as it comes. */
  open(request: TransportRequest, signal: AbortSignal): Promise<StreamedAnswer> {
    return this.#authenticated((credentials) => {
      signal.throwIfAborted()
      return streamedAnswer(this.#pools.streams, this.#textFor(request, credentials), signal)
    })
  }

  close(): void {
    this.#pools.requests.destroy()
    this.#pools.streams.destroy()
  }

  /** Credentials that are refused, and have been replaced since, are worth a second try. */
  async #authenticated<Answer extends AnyAnswer>(
    send: (credentials: CredentialHeaders) => Promise<Answer>,
  ): Promise<Answer> {
    const { credentials } = this.#options.access
    const headers = await credentials.headers()
    const answer = await send(headers)
    if (answer.status !== 401 || !credentials.refused(joined(headers.authorization))) return answer
    if (typeof answer.text !== 'string') await answer.text()
    const newHeaders = await credentials.headers()
    await this.#renewIfCertificateChanged()
    return send(newHeaders)
  }

  #textFor(
    { method, path, accept = 'application/json', contentType, body }: TransportRequest,
    credentials: CredentialHeaders,
  ) {
    const { access, userAgent } = this.#options
    const type = contentType === undefined ? {} : { 'content-type': contentType }
    const headers = { accept, 'user-agent': userAgent, ...type, ...credentials }
    return requestText({
      method,
      path: this.#prefix + path,
      host: access.url.host,
      headers,
      ...(body !== undefined && { body }),
    })
  }

  /** Connections show the certificate that was theirs when they were opened. */
  async #renewIfCertificateChanged(): Promise<void> {
    const { access, limits, env } = this.#options
    const { certificate } = (await access.credentials.clientCertificate()) ?? {}
    const old = this.#pools
    if (certificate === old.shownCertificate()) return
    this.#pools = createPools(access, limits, env)
    for (const pool of [old.requests, old.streams]) pool.close()
  }
}

function joined(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join()
}
