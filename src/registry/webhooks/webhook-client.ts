import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { quoted } from '../../api/human/go-syntax.ts'
import type { ServiceReference, WebhookClientConfig } from '../../api/types/admissionregistration-v1.ts'
import type { HttpAnswer } from '../../client/answer-body.ts'
import { addressOf } from '../../client/connection/address.ts'
import { openConnection } from '../../client/connection/connect.ts'
import { ConnectionError } from '../../client/connection/connection-error.ts'
import { withoutAddress } from '../../client/connection/connection-failure.ts'
import type { ClientCredentials } from '../../client/kubeconfig/contract.ts'
import { ConnectionPool } from '../../client/pool/connection-pool.ts'
import { wholeAnswer } from '../../client/pool/whole-answer.ts'
import { withDeadline } from '../../client/transport/deadline.ts'
import { AddressGuard, type UserServer } from './address-guard.ts'
import type { ResolveService, WebhookAddressRules } from './contract.ts'
import { WebhookFailure } from './webhook-failure.ts'

export interface WebhookClientOptions {
  readonly addresses: WebhookAddressRules['addresses']
  readonly resolveService: ResolveService
  /** Concurrent calls to one server. */
  readonly mostConnections: number
  readonly userAgent: string
}

export interface WebhookQuestion {
  readonly client: WebhookClientConfig
  readonly body: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Absent: the caller presents no credentials. */
  readonly credentials?: ClientCredentials | undefined
  /** Absent: enough for a review of one object. */
  readonly maxAnswerBytes?: number
}

/** The URL of a webhook, and where it listens, which differs for Services. */
interface Destination extends UserServer {
  readonly url: URL
}

const keepAliveMs = 30_000
const noEnvironment = {}
/** For any webhook. Each has its own timeout, which ends a call earlier. */
const longestTimeoutMs = 31_000
/** The patch may contain the whole object, in base64. */
const usualAnswerBytes = 4 * 1024 * 1024
/** The connections of the least recently called webhooks are closed. */
const mostPools = 100

/** Calls webhooks over HTTPS, on persistent connections. Redirects are not followed. */
export class WebhookClient {
  readonly #options: WebhookClientOptions
  readonly #reach: AddressGuard
  /** The most recently used one is last. */
  readonly #pools = new Map<string, ConnectionPool>()
  /** Connections are not shared between credentials. */
  readonly #users = new WeakMap<ClientCredentials, number>()
  #knownUsers = 0

  constructor(options: WebhookClientOptions) {
    this.#options = options
    this.#reach = new AddressGuard({ ...options, nothing: 'no webhook' })
  }

  /** Throws WebhookFailure if there is no response, and the signal's reason if it aborts. */
  async ask(question: WebhookQuestion): Promise<HttpAnswer> {
    const { client, timeoutMs, signal } = question
    const text = webhookUrl(client, timeoutMs)
    const late = () => new Error('context deadline exceeded')
    try {
      const url = new URL(text)
      const destination = this.#destination(client, url)
      const pool = this.#poolFor(destination, question)
      return await withDeadline({ ms: timeoutMs, late, signal }, (ending) => this.#send(pool, url, question, ending))
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Error)) throw error
      throw WebhookFailure.toCall(`Post ${quoted(text)}: ${withoutAddress(error.message)}`)
    }
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.destroy()
    this.#pools.clear()
  }

  async #send(pool: ConnectionPool, url: URL, question: WebhookQuestion, signal: AbortSignal): Promise<HttpAnswer> {
    const { body, maxAnswerBytes = usualAnswerBytes, credentials } = question
    const headers = {
      ...(await credentials?.headers()),
      host: url.host,
      accept: 'application/json, */*',
      'content-type': 'application/json',
      'user-agent': this.#options.userAgent,
    }
    const request = { method: 'POST', path: url.pathname + url.search, headers, body } as const
    const options = { origin: url.origin, wholeTimeoutMs: longestTimeoutMs, maxBytes: maxAnswerBytes }
    try {
      return await wholeAnswer(pool, request, options, signal)
    } catch (error) {
      // A persistent connection that the server has closed meanwhile.
      if (!(error instanceof ConnectionError && error.nothingSent) || signal.aborted) throw error
      return wholeAnswer(pool, request, options, signal)
    }
  }

  #destination({ service }: WebhookClientConfig, url: URL): Destination {
    return { url, ...(service === undefined ? this.#reach.ofUrl(url) : this.#reach.ofService(service)) }
  }

  #poolFor(destination: Destination, { client: { caBundle = '' }, credentials }: WebhookQuestion): ConnectionPool {
    const { url, at, mayBeInside } = destination
    const key = hash([url.host, at.host, caBundle, mayBeInside, this.#numberOf(credentials)])
    const pool = this.#pools.get(key) ?? this.#newPool(destination, caBundle, credentials)
    this.#pools.delete(key)
    this.#pools.set(key, pool)
    for (const [oldest, unused] of this.#pools) {
      if (this.#pools.size <= mostPools) break
      this.#pools.delete(oldest)
      unused.close()
    }
    return pool
  }

  #numberOf(credentials: ClientCredentials | undefined): number {
    if (credentials === undefined) return 0
    const known = this.#users.get(credentials)
    if (known !== undefined) return known
    this.#knownUsers += 1
    this.#users.set(credentials, this.#knownUsers)
    return this.#knownUsers
  }

  #newPool(destination: Destination, caBundle: string, credentials: ClientCredentials | undefined): ConnectionPool {
    const { url, at } = destination
    const authority = Buffer.from(caBundle, 'base64').toString('utf8')
    const { host: serverName } = addressOf(url)
    return new ConnectionPool({
      origin: url.origin,
      answerTimeoutMs: longestTimeoutMs,
      keepAliveMs,
      most: this.#options.mostConnections,
      open: async () =>
        openConnection({
          url: at,
          trust: authority === '' ? { mode: 'system' } : { mode: 'authority', authority },
          env: noEnvironment,
          clientCertificate: await credentials?.clientCertificate(),
          connectTimeoutMs: longestTimeoutMs,
          ...(isIP(serverName) === 0 && { serverName }),
          lookup: this.#reach.lookup(destination),
        }),
    })
  }
}

function hash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}

/** The URL for messages. A Service appears under the name in its certificate. */
function webhookUrl({ url = '', service }: WebhookClientConfig, timeoutMs: number): string {
  return `${service === undefined ? url : serviceUrl(service)}?timeout=${Math.ceil(timeoutMs / 1000)}s`
}

function serviceUrl({ namespace, name, path = '/', port = 443 }: ServiceReference): string {
  return `https://${name}.${namespace}.svc:${port}${path}`
}
