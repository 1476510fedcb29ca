import type { Dispatcher } from 'undici'
import type { ClusterAccess } from '../kubeconfig/contract.ts'
import type { TransportRequest } from './contract.ts'
import type { TransportLimits } from './limits.ts'
import { createPools } from './pools.ts'

export interface PoolOptions {
  readonly access: ClusterAccess
  readonly limits: TransportLimits
  readonly userAgent: string
  readonly env: Readonly<Record<string, string | undefined>>
}

type Headers = Readonly<Record<string, string | string[]>>

/** Connections to one cluster, on which every request carries the credentials of the moment. */
export class AuthenticatedPools {
  readonly #options: PoolOptions
  readonly #prefix: string
  #pools

  constructor(options: PoolOptions) {
    this.#options = options
    this.#prefix = options.access.url.pathname.replace(/\/$/, '')
    this.#pools = createPools(options.access, options.limits, options.env)
  }

  /** Credentials that are refused, and have been replaced since, are worth a second try. */
  async request(
    pool: 'requests' | 'streams',
    request: TransportRequest,
    signal?: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { credentials } = this.#options.access
    const headers = await credentials.headers()
    const answer = await this.#send(pool, request, headers, signal)
    if (answer.statusCode !== 401 || !credentials.refused(textOf(headers.authorization))) return answer
    await answer.body.dump()
    const newHeaders = await credentials.headers()
    await this.#renewIfCertificateChanged()
    return this.#send(pool, request, newHeaders, signal)
  }

  async close(): Promise<void> {
    await Promise.all([this.#pools.requests.destroy(), this.#pools.streams.destroy()])
  }

  #send(pool: 'requests' | 'streams', request: TransportRequest, credentials: Headers, signal?: AbortSignal) {
    const { method, path, accept = 'application/json', contentType, body = null } = request
    const type = contentType === undefined ? {} : { 'content-type': contentType }
    const headers = { accept, 'user-agent': this.#options.userAgent, ...type, ...credentials }
    signal?.throwIfAborted()
    return this.#pools[pool].request({ method, path: this.#prefix + path, headers, body, signal: signal ?? null })
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
