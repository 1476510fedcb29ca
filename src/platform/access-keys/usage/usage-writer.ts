import { waitAtMost } from '../../../base/pause.ts'
import { Reconciler } from '../../../reconcile/reconciler.ts'
import type { ResourceContext } from '../../../registry/context.ts'
import type { Controller, ReportError } from '../../../registry/controllers/controller.ts'
import { caughtUp } from '../../../registry/freshness.ts'
import type { KeyUses } from './key-uses.ts'

const manager = 'access-key-usage'
const tickMs = 500
/** Pause after a failure of the store. */
const restMs = 10_000
const sweepIntervalMs = 24 * 3600_000
const writesAtOnce = 16
/** A store that does not answer does not hold up a shutdown. */
const longestStopMs = 3_000

/** Stores key usage from time to time and removes the records of deleted keys. */
export class UsageWriter implements Controller {
  readonly #keys: ResourceContext
  readonly #uses: KeyUses
  readonly #report: ReportError
  readonly #removals: Reconciler
  #working: Promise<void> | undefined
  #restsUntilMs = 0
  #hasBegun = false
  #sweepAtMs: number

  constructor(keys: ResourceContext, uses: KeyUses, report: ReportError, firstSweepMs: number) {
    this.#keys = keys
    this.#uses = uses
    this.#report = report
    this.#sweepAtMs = this.#now() + firstSweepMs
    this.#removals = new Reconciler({
      reconcile: (uid) => uses.remove(uid),
      failed: (uid, error) => report(manager, uid, error),
    })
    this.#removals.follow(
      keys.cache.listen((changes) => {
        for (const { type, document } of changes) {
          if (type === 'DELETED') this.#removals.add(document.object.metadata.uid ?? '')
        }
      }),
    )
    this.#removals.every(tickMs, () => this.tick())
    this.tick()
  }

  tick(): void {
    if (this.#working !== undefined || this.#now() < this.#restsUntilMs) return
    this.#working = this.#work()
      .catch((error: unknown) => {
        if (this.#removals.signal.aborted) return
        this.#restsUntilMs = this.#now() + restMs
        this.#report(manager, 'store', error)
      })
      .finally(() => {
        this.#working = undefined
      })
  }

  /** Stores all remaining uses, then stops. */
  async stop(): Promise<void> {
    await waitAtMost(longestStopMs, this.#storeRest())
    const { length } = this.#uses.waiting()
    if (length > 0) this.#report(manager, 'shutdown', new Error(`the usage of ${length} keys could not be stored`))
  }

  async #storeRest(): Promise<void> {
    await Promise.all([this.#removals.stop(), this.#working])
    await this.#storeAll(this.#uses.waiting()).catch((error: unknown) => this.#report(manager, 'store', error))
  }

  async #work(): Promise<void> {
    if (!this.#hasBegun) await this.#uses.begin(this.#now())
    this.#hasBegun = true
    await this.#storeAll(this.#uses.due(this.#now()))
    if (this.#now() >= this.#sweepAtMs) await this.#sweep()
  }

  /** Stores a few keys at a time and stops at the first failure; the rest stays due. */
  async #storeAll(uids: readonly string[]): Promise<void> {
    for (let at = 0; at < uids.length; at += writesAtOnce) {
      const batch = uids.slice(at, at + writesAtOnce)
      const results = await Promise.allSettled(batch.map((uid) => this.#uses.store(uid, this.#now())))
      for (const result of results) if (result.status === 'rejected') throw result.reason
    }
  }

  /** Finds the recorded uses of keys that were deleted while no replica was watching. */
  async #sweep(): Promise<void> {
    this.#sweepAtMs = this.#now() + sweepIntervalMs
    const strays = await this.#uses.strays(this.#removals.signal)
    if (strays.length === 0) return
    // This replica may not have heard of a very new key yet.
    await caughtUp(this.#keys.engine)
    for (const uid of strays) if (!this.#uses.isOfKnownKey(uid)) this.#removals.add(uid)
  }

  #now(): number {
    return this.#keys.engine.clock.now()
  }
}
