import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher, Pool } from 'undici'
import type { Random } from '../../base/random.ts'
import type { HttpAnswer } from '../answer-body.ts'
import { ConnectionError } from '../connection-error.ts'
import { connectionFailure } from '../connection-failure.ts'
import { type ClusterAccess, KubeconfigError } from '../kubeconfig/contract.ts'
import type { TransportLimits } from './limits.ts'
import { pause } from './pause.ts'
import { createPools } from './pools.ts'
import { type Method, retryPauseMs } from './retry.ts'

export interface TransportRequest {
  readonly method: Method
  /** Absolute, with its query. */
  readonly path: string
  readonly accept?: string
  readonly contentType?: string
  readonly body?: string
}

export interface StreamedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly chunks: AsyncIterable<Buffer>
  text(): Promise<string>
}

/** HTTP to one cluster as one user. Failures on the way are thrown as ConnectionError, answers of any status returned. */
export interface Transport {
  readonly origin: string
  /** Sent again where that is safe and makes sense. */
  send(request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer>
  /** For an answer without an end. Not repeated: whoever reads it knows where to go on. */
  open(request: TransportRequest, signal: AbortSignal): Promise<StreamedAnswer>
  close(): Promise<void>
}

export interface TransportOptions {
  readonly access: ClusterAccess
  readonly limits: TransportLimits
  readonly userAgent: string
  readonly random: Random
  readonly env: Readonly<Record<string, string | undefined>>
}

type Headers = Readonly<Record<string, string | string[]>>

export function createTransport({ access, limits, userAgent, random, env }: TransportOptions): Transport {
  const { origin, pathname } = access.url
  const prefix = pathname.replace(/\/$/, '')
  let pools = createPools(access, limits, env)

  const dispatch = (pool: () => Pool, request: TransportRequest, credentials: Headers, signal?: AbortSignal) => {
    const { method, path, accept = 'application/json', contentType, body = null } = request
    const type = contentType === undefined ? {} : { 'content-type': contentType }
    const headers = { accept, 'user-agent': userAgent, ...type, ...credentials }
    signal?.throwIfAborted()
    return pool().request({ method, path: prefix + path, headers, body, signal: signal ?? null })
  }

  /** Connections show the certificate that was theirs when they were opened. */
  const renewIfCertificateChanged = async () => {
    const { certificate } = (await access.credentials.clientCertificate()) ?? {}
    const old = pools
    if (certificate === old.shownCertificate()) return
    pools = createPools(access, limits, env)
    for (const pool of [old.requests, old.streams]) void pool.close().catch(() => {})
  }

  /** A refusal of credentials that have since been replaced is worth a second try. */
  const authenticated = async (pool: () => Pool, request: TransportRequest, signal?: AbortSignal) => {
    const headers = await access.credentials.headers()
    const answer = await dispatch(pool, request, headers, signal)
    if (answer.statusCode !== 401 || !access.credentials.refused(textOf(headers.authorization))) return answer
    await answer.body.dump()
    const newHeaders = await access.credentials.headers()
    await renewIfCertificateChanged()
    return dispatch(pool, request, newHeaders, signal)
  }

  const sendOnce = async (request: TransportRequest, signal?: AbortSignal): Promise<HttpAnswer> => {
    try {
      const { statusCode, headers, body } = await authenticated(() => pools.requests, request, signal)
      return { status: statusCode, headers, text: await body.text() }
    } catch (error) {
      throw failureOf(error, origin, limits, signal)
    }
  }

  return {
    origin,
    send: async (request, signal) => {
      for (let number = 1; ; number++) {
        const outcome = await sendOnce(request, signal).catch((error: unknown) => ({ error }))
        const pauseMs = retryPauseMs({ method: request.method, number, outcome }, limits.retry, random)
        if (pauseMs !== undefined) await pause(pauseMs, signal)
        else if ('error' in outcome) throw outcome.error
        else return outcome
      }
    },
    open: async (request, signal) => {
      try {
        const answer = await authenticated(() => pools.streams, request, signal)
        return streamed(answer, origin, limits, signal)
      } catch (error) {
        throw failureOf(error, origin, limits, signal)
      }
    },
    close: async () => {
      await Promise.all([pools.requests.destroy(), pools.streams.destroy()])
    },
  }
}

function streamed(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  origin: string,
  limits: TransportLimits,
  signal: AbortSignal,
): StreamedAnswer {
  return {
    status: statusCode,
    headers,
    text: () => body.text(),
    chunks: {
      async *[Symbol.asyncIterator]() {
        try {
          yield* body
        } catch (error) {
          throw failureOf(error, origin, limits, signal)
        }
      },
    },
  }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join()
}

/** Names of what undici gives up for, in words for people. */
function failureOf(error: unknown, origin: string, limits: TransportLimits, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason
  if (error instanceof ConnectionError || error instanceof KubeconfigError) return error
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const seconds = limits.answerTimeoutMs / 1000
  switch (code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
      return new ConnectionError(`${origin} gave no answer within ${seconds} s`)
    case 'UND_ERR_BODY_TIMEOUT':
      return new ConnectionError(`${origin} stopped in the middle of an answer for ${seconds} s`)
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return new ConnectionError(`the answer is larger than ${limits.maxAnswerBytes} bytes`)
    case 'UND_ERR_SOCKET':
      return new ConnectionError(`cannot reach ${origin}: the connection was cut`)
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return new ConnectionError(`the client of ${origin} has been closed`)
    default:
      return connectionFailure(origin, error)
  }
}
