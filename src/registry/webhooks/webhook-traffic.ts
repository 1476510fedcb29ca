import { tooManyRequests } from '../../api/error.ts'
import { quoted } from '../../api/human/go-syntax.ts'

/** Calls of one webhook at the same time. */
export const mostCalls = 64
/**
 * Requests that wait for webhooks at the same time. Fewer than the places that a server has for administrators alone, so that
 * slow webhooks never keep all other requests out.
 */
const mostRequests = 90

/**
 * How much waits for webhooks. What is too much is told to retry, whatever the failure policy is: a flood must not be a way
 * around a webhook.
 */
export class WebhookTraffic {
  readonly #calls = new Map<string, number>()
  #requests = 0

  async request<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#requests >= mostRequests) {
      throw tooManyRequests('too many requests wait for admission webhooks, please try again later', 1)
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
    if (calls >= mostCalls) {
      throw tooManyRequests(`too many requests wait for admission webhook ${quoted(name)}, please try again later`, 1)
    }
    this.#calls.set(id, calls + 1)
    try {
      return await ask()
    } finally {
      this.#leave(id)
    }
  }

  #leave(id: string): void {
    const left = (this.#calls.get(id) ?? 1) - 1
    if (left === 0) this.#calls.delete(id)
    else this.#calls.set(id, left)
  }
}
