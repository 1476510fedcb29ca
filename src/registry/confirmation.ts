import type { Clock } from '../base/clock.ts'
import { errorText } from '../base/error-text.ts'
import { pause, waitAtMost } from '../base/pause.ts'
import type { Engine } from './context.ts'

export interface ConfirmationOptions {
  readonly engine: Pick<Engine, 'store' | 'feed'>
  /** A monotonic clock, which cannot be set. */
  readonly clock: Clock
  /** The maximum age of a confirmation. */
  readonly withinMs: number
  /** Whether anything besides the callers relies on the confirmation. */
  readonly isNeeded: () => boolean
  /** `why`: the last obstacle. */
  readonly onLost: (why: string) => void
  readonly onRegained: () => void
}

/** How often the store is asked within that time: a few requests may be lost. */
const asksWithin = 5
/** How long after a call the confirmation is kept up to date, so that the next caller does not wait. */
const inUseMs = 60_000
const longestWaitMs = 3_000
const restMs = 100
/** A timer that fires later than this was delayed by the process itself, and so was the store's answer. */
const lateMs = 100

/**
 * Whether the caches are known to hold every write, by any process, that was acknowledged up to a short while ago. The
 * store is asked for its revision in a way that only a majority of its members can answer; then the change stream must
 * reach that revision. An open connection proves nothing, and neither does a quiet stream. The store is not asked while
 * nothing relies on the answer.
 */
export class Confirmation {
  readonly #options: ConfirmationOptions
  /** The caches hold everything that was acknowledged before this time. */
  #confirmedMs = Number.NEGATIVE_INFINITY
  #usedMs = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined
  #why = 'the store has not been asked yet'
  #isLost = false
  #losses = 0
  #isStopped = false
  #nextAsk: NodeJS.Timeout | undefined
  #end: NodeJS.Timeout | undefined

  constructor(options: ConfirmationOptions) {
    this.#options = options
  }

  /** Whether the confirmation was not obtained in time, and has not been since. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** How often the confirmation was lost. */
  get losses(): number {
    return this.#losses
  }

  /** Infinity if there has never been one. */
  get ageMs(): number {
    return this.#options.clock.now() - this.#confirmedMs
  }

  /**
   * Whether the confirmation is current. The caller is expected to call again, so the confirmation is kept up to date
   * for a while.
   */
  holds(): boolean {
    const nowMs = this.#options.clock.now()
    this.#usedMs = nowMs
    if (this.#nextAsk === undefined) this.#askAgain()
    return !this.#isLost && nowMs - this.#confirmedMs <= this.#options.withinMs
  }

  /** Like `holds`, but waits briefly for a confirmation. Returns false immediately if it is already lost. */
  async held(): Promise<boolean> {
    const untilMs = this.#options.clock.now() + Math.min(this.#options.withinMs, longestWaitMs)
    while (!this.holds() && !this.#isLost && !this.#isStopped) {
      const leftMs = untilMs - this.#options.clock.now()
      if (leftMs > 0) await waitAtMost(leftMs, this.#askOrRest())
      else this.#lose()
    }
    return this.holds() && !this.#isStopped
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#nextAsk)
    clearTimeout(this.#end)
  }

  #askAgain(): void {
    if (this.#isStopped) return
    void this.#ask()
    this.#nextAsk = setTimeout(() => {
      this.#nextAsk = undefined
      if (this.#isLost || this.#isInUse()) this.#askAgain()
      else clearTimeout(this.#end)
    }, this.#options.withinMs / asksWithin).unref()
  }

  #isInUse(): boolean {
    return this.#options.clock.now() - this.#usedMs < inUseMs || this.#options.isNeeded()
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#askNow().then((tookMs) => {
      this.#asking = undefined
      // A late answer is already old.
      if (tookMs > this.#options.withinMs / asksWithin && this.#nextAsk !== undefined) void this.#ask()
    })
    return this.#asking
  }

  /** A store that fails immediately is not asked again immediately. */
  async #askOrRest(): Promise<void> {
    await this.#ask()
    if (!this.holds()) await pause(restMs)
  }

  /** How long the answer took; 0 if none came. */
  async #askNow(): Promise<number> {
    const { engine, clock } = this.#options
    const askedMs = clock.now()
    this.#why = 'the store does not answer'
    try {
      const revision = await engine.store.currentRevision()
      this.#why = `its change stream is behind: at ${engine.feed.revision} of ${revision}`
      await engine.feed.reached(revision)
    } catch (error) {
      this.#why = errorText(error)
      return 0
    }
    if (!this.#isStopped) this.#confirm(askedMs)
    return clock.now() - askedMs
  }

  #confirm(askedMs: number): void {
    const { clock, withinMs, onRegained } = this.#options
    this.#confirmedMs = Math.max(this.#confirmedMs, askedMs)
    // A confirmation that is about to expire would be lost again immediately.
    if (this.#isLost && clock.now() - this.#confirmedMs <= withinMs / 2) {
      this.#isLost = false
      onRegained()
    }
    this.#endAt(this.#confirmedMs + withinMs)
  }

  #endAt(endMs: number): void {
    const { clock, withinMs } = this.#options
    const leftMs = Math.max(endMs - clock.now(), 0) + 1
    this.#loseAfter(leftMs, () => {
      if (clock.now() - endMs > lateMs) this.#loseAfter(withinMs / asksWithin, () => this.#lose())
      else this.#lose()
    })
  }

  #loseAfter(ms: number, lose: () => void): void {
    clearTimeout(this.#end)
    this.#end = setTimeout(lose, ms).unref()
  }

  #lose(): void {
    if (this.#isLost || this.#isStopped) return
    this.#isLost = true
    this.#losses += 1
    this.#options.onLost(this.#why)
  }
}
