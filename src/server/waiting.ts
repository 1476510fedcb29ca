import { badRequest, timeout } from '../api/error.ts'
import { parseGoDuration } from '../api/human/go-duration.ts'
import { Bag } from '../base/bag.ts'
import type { Clock } from '../base/clock.ts'
import type { Exchange } from './exchange.ts'
import type { Limits } from './limits.ts'

const sweepMs = 250

interface Waiting {
  /** Its time limit is set when its caller is known, which may be later. */
  readonly exchange: Exchange
  readonly expire: (error: Error) => void
}

/**
 * Requests that are not answered yet, except watches, with the time each may take. A single timer serves all of them,
 * because a timer for each would cost more than most requests.
 */
export class WaitingRequests {
  readonly #limits: Limits
  readonly #elapsed: Clock
  readonly #waiting = new Bag<Waiting>()
  #sweeper: NodeJS.Timeout | undefined

  constructor(limits: Limits, elapsed: Clock) {
    this.#limits = limits
    this.#elapsed = elapsed
  }

  get size(): number {
    return this.#waiting.size
  }

  /** A pipeline step. */
  readonly limitTime = (exchange: Exchange): undefined => {
    if (!exchange.isWatch) exchange.timeoutMs = this.#timeoutOf(exchange)
  }

  /** Calls `expire` when the request takes too long. The returned function stops waiting. */
  add(exchange: Exchange, expire: (error: Error) => void): () => void {
    const waiting = this.#waiting.add({ exchange, expire })
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepMs).unref()
    return () => this.#waiting.remove(waiting)
  }

  stop(): void {
    clearInterval(this.#sweeper)
    this.#sweeper = undefined
  }

  #sweep(): void {
    const nowMs = this.#elapsed.now()
    for (const place of this.#waiting) {
      const { exchange, expire } = place.item
      if (exchange.received.elapsedMs + exchange.timeoutMs > nowMs) continue
      this.#waiting.remove(place)
      expire(timeout('request did not complete within the allotted timeout'))
    }
    if (this.#waiting.size === 0) this.stop()
  }

  #timeoutOf({ info, request }: Exchange): number {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const longest = isRead ? this.#limits.readTimeoutMs : this.#limits.writeTimeoutMs
    const asked = info.query.get('timeout')
    if (asked === undefined || asked === '') return longest
    const duration = parseGoDuration(asked)
    if ('problem' in duration) throw badRequest(`invalid timeout specified in the request URL - ${duration.problem}`)
    return duration.durationMs <= 0 ? longest : Math.min(duration.durationMs, longest)
  }
}
