import { backoffMs } from '../base/backoff.ts'
import { monotonicClock } from '../base/clock.ts'
import { Fifo } from '../base/concurrency/fifo.ts'
import { Pace } from '../base/pace.ts'
import { systemRandom } from '../base/random.ts'

export interface WorkQueueOptions {
  /** Handles one name. If it throws, the name is retried, each time after a longer pause. */
  readonly handle: (name: string) => Promise<void>
  readonly onError: (name: string, error: unknown, attempt: number) => void
  readonly workers?: number
  readonly firstPauseMs?: number
  readonly longestPauseMs?: number
  /** How long a name waits after an error; undefined: twice as long as the last time. */
  readonly pauseMs?: (error: unknown, attempt: number) => number | undefined
  /** Called when a name has been handled and neither waits nor pauses. */
  readonly settled?: (name: string) => void
}

interface Pause {
  readonly timer: NodeJS.Timeout
  readonly endsMs: number
}

/**
 * Names that need attention. A name waits at most once however often it is added, is never handled twice at the same
 * time, and is handled again if it was added while being handled. However many there are, and even if handling one adds
 * the next, the queue yields to the event loop.
 */
export class WorkQueue {
  readonly #options: Required<WorkQueueOptions>
  readonly #waiting = new Set<string>()
  /** Waiting names, in order. */
  readonly #order = new Fifo<string>()
  readonly #active = new Map<string, { again: boolean }>()
  readonly #attempts = new Map<string, number>()
  readonly #pauses = new Map<string, Pause>()
  readonly #pace = new Pace()
  #isResting = false
  #stopped = false
  #idle: (() => void)[] = []

  constructor(options: WorkQueueOptions) {
    this.#options = {
      workers: 4,
      firstPauseMs: 10,
      longestPauseMs: 30_000,
      pauseMs: () => undefined,
      settled: () => {},
      ...options,
    }
  }

  /** Names that can be handled now or are being handled; paused names are not counted. */
  get busy(): number {
    return this.#waiting.size + this.#active.size
  }

  /** Names that can be handled now and are not yet. */
  get waiting(): number {
    return this.#waiting.size
  }

  get length(): number {
    return this.#waiting.size + this.#active.size + this.#pauses.size
  }

  /** Whether a name waits, pauses or is being handled. */
  has(name: string): boolean {
    return this.#waiting.has(name) || this.#active.has(name) || this.#pauses.has(name)
  }

  add(name: string): void {
    if (this.#stopped) return
    const active = this.#active.get(name)
    if (active !== undefined) {
      active.again = true
      return
    }
    this.#endPause(name)
    if (!this.#waiting.has(name)) {
      this.#waiting.add(name)
      this.#order.push(name)
    }
    this.#startMore()
  }

  /** The latest pause counts, because its caller knows the latest result. */
  addAfter(name: string, pauseMs: number): void {
    if (this.#stopped) return
    this.#endPause(name)
    const timer = setTimeout(() => {
      this.#pauses.delete(name)
      this.add(name)
    }, pauseMs)
    this.#pauses.set(name, { timer, endsMs: monotonicClock.now() + pauseMs })
  }

  /** Keeps a pause that ends earlier, so that a name that is added again and again is not delayed forever. */
  addWithin(name: string, pauseMs: number): void {
    const { endsMs = Number.POSITIVE_INFINITY } = this.#pauses.get(name) ?? {}
    if (monotonicClock.now() + pauseMs < endsMs) this.addAfter(name, pauseMs)
  }

  /** Resolves when no name waits or is being handled. Paused names do not count. */
  async whenIdle(): Promise<void> {
    while (this.busy > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  /** Drops waiting names and resolves when those being handled are finished. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#waiting.clear()
    this.#order.clear()
    for (const { timer } of this.#pauses.values()) clearTimeout(timer)
    this.#pauses.clear()
    await this.whenIdle()
  }

  #endPause(name: string): void {
    clearTimeout(this.#pauses.get(name)?.timer)
    this.#pauses.delete(name)
  }

  #startMore(): void {
    while (!this.#isResting && this.#active.size < this.#options.workers) {
      const name = this.#order.shift()
      if (name === undefined) return
      this.#waiting.delete(name)
      void this.#run(name)
      if (this.#pace.isDue()) void this.#rest()
    }
  }

  async #rest(): Promise<void> {
    this.#isResting = true
    await this.#pace.rest()
    this.#isResting = false
    this.#startMore()
  }

  async #run(name: string): Promise<void> {
    const state = { again: false }
    this.#active.set(name, state)
    try {
      await this.#options.handle(name)
      this.#attempts.delete(name)
    } catch (error) {
      this.#failed(name, error)
    }
    this.#active.delete(name)
    if (state.again) this.add(name)
    if (!this.has(name)) this.#options.settled(name)
    this.#startMore()
    if (this.busy === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #failed(name: string, error: unknown): void {
    const attempt = (this.#attempts.get(name) ?? 0) + 1
    this.#attempts.set(name, attempt)
    if (this.#stopped) return
    this.#options.onError(name, error, attempt)
    const { firstPauseMs, longestPauseMs, pauseMs } = this.#options
    const limits = { firstMs: firstPauseMs, longestMs: longestPauseMs }
    this.addAfter(name, pauseMs(error, attempt) ?? backoffMs(attempt, limits, systemRandom))
  }
}
