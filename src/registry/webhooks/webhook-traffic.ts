import { tooManyRequests } from '../../api/error.ts'
import { quoted } from '../../api/human/go-syntax.ts'

export interface TrafficLimits {
  /** Concurrent calls to one webhook. */
  readonly calls: number
  /** Requests that wait for any of them. */
  readonly requests: number
  /** The size of all pending reviews together; a single one may exceed it. */
  readonly bytes: number
}

/**
 * In total, fewer requests may wait than a server has slots reserved for administrators, so that slow webhooks never
 * block all other requests.
 */
export const admissionLimits: TrafficLimits = { calls: 64, requests: 70, bytes: 128 * 1024 * 1024 }
export const conversionLimits: TrafficLimits = { calls: 20, requests: 25, bytes: 32 * 1024 * 1024 }

/**
 * Limits how much waits for webhooks. Requests beyond the limits must retry, whatever the failurePolicy: a flood must
 * not be a way around a webhook.
 */
export class WebhookTraffic {
  readonly #limits: TrafficLimits
  readonly #calls = new Map<string, number>()
  #requests = 0
  #bytes = 0

  constructor(limits: TrafficLimits) {
    this.#limits = limits
  }

  async request<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#requests >= this.#limits.requests) {
      throw tooManyRequests('too many requests wait for webhooks, please try again later', 1)
    }
    this.#requests += 1
    try {
      return await ask()
    } finally {
      this.#requests -= 1
    }
  }

  async call<T>({ id, name }: { readonly id: string; readonly name: string }, ask: () => Promise<T>): Promise<T> {
    const calls = this.#calls.get(id) ?? 0
    if (calls >= this.#limits.calls) {
      throw tooManyRequests(`too many requests wait for webhook ${quoted(name)}, please try again later`, 1)
    }
    this.#calls.set(id, calls + 1)
    try {
      return await ask()
    } finally {
      this.#leave(id)
    }
  }

  async sending<T>(bytes: number, ask: () => Promise<T>): Promise<T> {
    if (this.#bytes > 0 && this.#bytes + bytes > this.#limits.bytes) {
      throw tooManyRequests('too much is being sent to webhooks, please try again later', 1)
    }
    this.#bytes += bytes
    try {
      return await ask()
    } finally {
      this.#bytes -= bytes
    }
  }

  #leave(id: string): void {
    const left = (this.#calls.get(id) ?? 1) - 1
    if (left === 0) this.#calls.delete(id)
    else this.#calls.set(id, left)
  }
}
