import { isIP } from 'node:net'
import type { Agent } from 'undici'
import { shareOfTurn } from '../../base/concurrency/shared-turns.ts'
import { isAllowedAddress } from '../../base/network/allowed-address.ts'
import { withinTime } from '../../base/within-time.ts'
import { mostAnnouncements } from '../../client/connection/announcements.ts'
import { answerProblem } from './answer-problem.ts'
import { addressNotAllowed, checkedLookup } from './checked-lookup.ts'
import { collectedBody } from './collected-body.ts'
import { requireModestJson } from './modest-json.ts'

/** As far as `openid-client` uses it. */
export type LimitedFetch = (url: string, options: FetchOptions) => Promise<Response>

export interface FetchOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

export interface FetchLimits {
  /** Only under this name may the provider have a private address. */
  readonly host: string
  /** PEM. Absent: the authorities of the system. */
  readonly authorities?: string
}

const timeoutMs = 10_000
const maxBytes = 1024 * 1024
const maxConnections = 32
/** `Response` accepts no body for these. */
const withoutBody: ReadonlySet<number> = new Set([101, 204, 205, 304])

/**
 * Sends requests to a provider, which may be hostile or slow: HTTPS, one host, no redirects, with limits on size and
 * time.
 */
export function createLimitedFetch({ host, authorities }: FetchLimits): {
  fetch: LimitedFetch
  close(): Promise<void>
} {
  let agent: Promise<Agent> | undefined
  return {
    fetch: async (url, options) => {
      requireAllowed(new URL(url), host)
      agent ??= openAgent(host, authorities)
      return ask(await agent, new URL(url), options)
    },
    close: async () => (await agent)?.close(),
  }
}

/** Loaded with the first request: a platform without a provider does not need it, and it takes a tenth of its start. */
async function openAgent(host: string, authorities: string | undefined): Promise<Agent> {
  const { Agent } = await import('undici')
  return new Agent({
    connections: maxConnections,
    maxResponseSize: maxBytes,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: {
      timeout: timeoutMs,
      lookup: checkedLookup(host),
      ...(authorities === undefined ? {} : { ca: authorities }),
    },
  })
}

async function ask(agent: Agent, url: URL, options: FetchOptions): Promise<Response> {
  const { statusCode, headers, bytes } = await received(agent, url, options).catch((error: unknown) => {
    throw answerProblem(error, url.origin)
  })
  // A provider may hold back all its answers, and send them in one go: reading one of them takes milliseconds.
  await shareOfTurn(agent)
  if (headers['content-encoding'] !== undefined)
    throw new Error(`${url.origin} compresses its answer, which was not requested`)
  requireModestJson(bytes, url.origin)
  const contentType = headers['content-type']
  return new Response(withoutBody.has(statusCode) ? null : new Uint8Array(bytes), {
    status: statusCode,
    headers: typeof contentType === 'string' ? { 'content-type': contentType } : {},
  })
}

async function received(agent: Agent, url: URL, { method, headers, body, signal }: FetchOptions) {
  let announced = 0
  const answer = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    body: body === undefined || body === null ? null : String(body),
    signal: withinTime(timeoutMs, ...(signal === undefined ? [] : [signal])),
    onInfo: () => {
      announced += 1
      if (announced > mostAnnouncements) throw new Error(`${url.origin} sends too many informational answers (1xx)`)
    },
  })
  return { ...answer, bytes: await collectedBody(answer.body, url.origin) }
}

function requireAllowed(url: URL, host: string): void {
  if (url.protocol !== 'https:') throw new Error(`${url.origin} is not HTTPS`)
  const address = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0 && !isAllowedAddress(address, url.hostname === host))
    throw addressNotAllowed(url.hostname, address)
}
