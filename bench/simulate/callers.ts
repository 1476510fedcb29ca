import { Agent, request } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { quantile, sortedNumbers } from '../statistics.ts'

export interface CallerOptions {
  /** What is requested, one after the other. */
  readonly addresses: readonly string[]
  /** In total. */
  readonly perSecond: number
  readonly authority: string
  readonly token: string
}

export interface Asking {
  readonly answers: number
  /** Requests that were not answered with a 200. */
  readonly refused: number
  readonly medianMs: number
  readonly p99Ms: number
}

const answerTimeoutMs = 30_000

/** Callers that send requests at a steady rate, however long the answers take. */
export class Callers {
  readonly #options: CallerOptions
  readonly #agent: Agent
  readonly #timer: NodeJS.Timeout
  #tookMs: number[] = []
  #refused = 0
  #asked = 0
  #open = 0
  readonly #beganMs = performance.now()

  constructor(options: CallerOptions) {
    this.#options = options
    this.#agent = new Agent({ keepAlive: true, ca: options.authority, maxSockets: 64 })
    this.#timer = setInterval(() => this.#askThoseDue(), 5)
  }

  /** Forgets the answers so far. */
  begin(): void {
    this.#tookMs = []
    this.#refused = 0
  }

  /** Sends no more requests, and returns the results of all. */
  async finish(): Promise<Asking> {
    clearInterval(this.#timer)
    while (this.#open > 0) await pause(5)
    this.#agent.destroy()
    const sorted = sortedNumbers(this.#tookMs)
    return {
      answers: sorted.length,
      refused: this.#refused,
      medianMs: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
    }
  }

  #askThoseDue(): void {
    const { perSecond, addresses } = this.#options
    const due = Math.floor(((performance.now() - this.#beganMs) / 1000) * perSecond)
    for (; this.#asked < due; this.#asked += 1) this.#ask(addresses[this.#asked % addresses.length] ?? '')
  }

  #ask(address: string): void {
    const startedMs = performance.now()
    const headers = { authorization: `Bearer ${this.#options.token}` }
    this.#open += 1
    const asking = request(address, { agent: this.#agent, headers, timeout: answerTimeoutMs }, (answer) => {
      answer.resume().once('end', () => {
        this.#tookMs.push(performance.now() - startedMs)
        if (answer.statusCode !== 200) this.#refused += 1
      })
    })
    asking.once('timeout', () => asking.destroy())
    asking.once('error', () => {
      this.#refused += 1
    })
    asking.once('close', () => {
      this.#open -= 1
    })
    asking.end()
  }
}
