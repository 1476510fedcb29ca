import type { IncomingHttpHeaders } from 'node:http'
import { backoffMs } from '../../base/backoff.ts'
import type { Random } from '../../base/random.ts'
import { ConnectionError, UnacceptableAnswer, UntrustedCertificate } from '../connection/connection-error.ts'
import { retryAfterSeconds } from '../retry-after.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RetryLimits {
  readonly attempts: number
  readonly firstMs: number
  readonly longestMs: number
}

export interface Attempt {
  readonly method: HttpMethod
  /** 1 for the first attempt. */
  readonly number: number
  readonly outcome: { readonly status: number; readonly headers: IncomingHttpHeaders } | { readonly error: unknown }
}

/** How long to wait before the request is sent again; undefined if its outcome is final. */
export function retryPauseMs(attempt: Attempt, limits: RetryLimits, random: Random): number | undefined {
  if (attempt.number >= limits.attempts || !isWorthRepeating(attempt)) return undefined
  const pauseMs = backoffMs(attempt.number, limits, random)
  const asked = askedPauseMs(attempt)
  if (asked === undefined) return pauseMs
  // If the server asks for a longer pause than the limit, the caller gets the refusal instead of a retry.
  return asked > limits.longestMs ? undefined : asked + Math.round(pauseMs / 4)
}

function isWorthRepeating({ method, outcome }: Attempt): boolean {
  if ('error' in outcome) {
    const { error } = outcome
    if (!(error instanceof ConnectionError)) return false
    if (error instanceof UntrustedCertificate || error instanceof UnacceptableAnswer) return false
    return error.nothingSent || method === 'GET'
  }
  const { status, headers } = outcome
  if (status === 429) return true
  if (status === 503) return headers['retry-after'] !== undefined || method === 'GET'
  return method === 'GET' && (status === 502 || status === 504)
}

function askedPauseMs({ outcome }: Attempt): number | undefined {
  const seconds = 'headers' in outcome ? retryAfterSeconds(outcome.headers) : undefined
  return seconds === undefined ? undefined : seconds * 1000
}
