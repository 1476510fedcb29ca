import type { RetryLimits } from './retry.ts'

export interface TransportLimits {
  readonly connectTimeoutMs: number
  /** Until the first byte of an answer, and between two of its bytes. */
  readonly answerTimeoutMs: number
  /** Until the last byte of an answer that is read whole, however slowly it comes. */
  readonly wholeTimeoutMs: number
  /** Of an answer with one object. */
  readonly maxAnswerBytes: number
  /** Requests at the same time; others wait for their turn. Watches do not count. */
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
