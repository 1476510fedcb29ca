import type { RetryLimits } from './retry.ts'

export interface TransportLimits {
  readonly connectTimeoutMs: number
  /** Time to the first byte of an answer, and between two of its bytes. */
  readonly answerTimeoutMs: number
  /** Time to the last byte of an answer that is read as a whole, however slowly it arrives. */
  readonly wholeTimeoutMs: number
  /** Limit of an answer with one object. */
  readonly maxAnswerBytes: number
  /** Concurrent requests; others wait for their turn. Watches do not count. */
  readonly concurrency: number
  readonly retry: RetryLimits
}

export const usualLimits: TransportLimits = {
  connectTimeoutMs: 10_000,
  answerTimeoutMs: 60_000,
  wholeTimeoutMs: 120_000,
  maxAnswerBytes: 8 * 1024 * 1024,
  concurrency: 128,
  retry: { attempts: 5, firstMs: 100, longestMs: 5_000 },
}
