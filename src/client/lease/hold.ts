import { ApiError } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { pause } from '../../base/pause.ts'
import { leaseType } from '../builtin-types.ts'
import type { ElectionContext, Term } from './contract.ts'
import { readLease, released, renewed } from './record.ts'
import type { Acquired } from './seek.ts'

const releaseTimeoutMs = 5_000

/** An acquired lease: renewed until it is lost or released. */
export class LeaseHold implements Term {
  readonly #context: ElectionContext
  /** Ends the work. */
  readonly #over = new AbortController()
  /** Cancels requests to the server. */
  readonly #lost = new AbortController()
  /** Stops further renewals, because nothing needs them. */
  readonly #done = new AbortController()
  readonly #renewing: Promise<void>
  #lease: KubeObject
  #renewedAtMs: number
  #watchdog: NodeJS.Timeout | undefined

  constructor(context: ElectionContext, { lease, atMs }: Acquired) {
    this.#context = context
    this.#lease = lease
    this.#renewedAtMs = atMs
    this.#watch()
    this.#renewing = this.#keepRenewing()
  }

  get signal(): AbortSignal {
    return this.#over.signal
  }

  holds(): boolean {
    return !this.#over.signal.aborted && this.#remainingMs() > 0
  }

  /** The work must end. The lease is held until it has. */
  end(): void {
    this.#over.abort(new Error('the leader steps down'))
  }

  /** The work has ended, so the next leader may begin at once. */
  async giveBack(): Promise<void> {
    this.end()
    this.#done.abort()
    await this.#renewing
    clearTimeout(this.#watchdog)
    if (this.#lost.signal.aborted) return
    const { client, clock, log } = this.#context
    try {
      await client.update(leaseType, released(this.#lease, clock.now()), AbortSignal.timeout(releaseTimeoutMs))
    } catch (error) {
      log.info('the lease was not released, and will expire', { lease: this.#context.lease.name, error })
    }
  }

  async #keepRenewing(): Promise<void> {
    const { times, log, lease } = this.#context
    while (await this.#nextTurn(times.retrySeconds * 1000)) {
      try {
        await this.#renew()
      } catch (error) {
        if (!this.#lost.signal.aborted) log.warn('the lease was not renewed', { lease: lease.name, error })
      }
    }
  }

  async #nextTurn(ms: number): Promise<boolean> {
    await pause(ms, this.#done.signal).catch(() => {})
    return !this.#done.signal.aborted
  }

  async #renew(): Promise<void> {
    const { client, clock, elapsed } = this.#context
    const atMs = elapsed.now()
    try {
      this.#lease = await client.update(leaseType, renewed(this.#lease, clock.now()), this.#lost.signal)
      this.#renewedAtMs = atMs
      this.#watch()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 404) this.#lose('the lease was deleted')
      if (error.code !== 409) throw error
      await this.#lookAgain()
    }
  }

  /** A renewal whose answer was lost, or an edit by another client, is no reason to step down. */
  async #lookAgain(): Promise<void> {
    const { client, lease, identity } = this.#context
    this.#lease = await client.get(leaseType, lease, this.#lost.signal)
    if (readLease(this.#lease).holder === identity) await this.#renew()
    else this.#lose('another process holds the lease')
  }

  #watch(): void {
    clearTimeout(this.#watchdog)
    const late = () => this.#lose('the lease could not be renewed in time')
    this.#watchdog = setTimeout(late, Math.max(0, this.#remainingMs()))
  }

  #remainingMs(): number {
    const { times, elapsed } = this.#context
    return this.#renewedAtMs + times.holdSeconds * 1000 - elapsed.now()
  }

  #lose(reason: string): void {
    for (const each of [this.#over, this.#lost, this.#done]) each.abort(new Error(reason))
  }
}
