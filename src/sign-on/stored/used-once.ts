import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../storage/contract.ts'
import { signOnRoot } from './store-root.ts'

const mostSwept = 100

/**
 * Values that may be used once, such as tokens and assertions. In the store, so that no replica accepts what another
 * has accepted.
 */
export class UsedOnce {
  readonly #store: Store
  readonly #clock: Clock
  readonly #prefix: string

  /** `what` separates the values of different kinds. */
  constructor(store: Store, clock: Clock, what: string) {
    this.#store = store
    this.#clock = clock
    this.#prefix = `${signOnRoot}${what}/`
  }

  async has(text: string, endMs: number): Promise<boolean> {
    return (await this.#store.get(this.#placeOf(text, endMs))) !== undefined
  }

  /** False: it was used before. */
  async take(text: string, endMs: number): Promise<boolean> {
    await this.#sweep()
    const { outcome } = await this.#store.create(this.#placeOf(text, endMs), Buffer.from(String(endMs)))
    return outcome === 'written'
  }

  /** Expired values, which would be refused anyway, are removed when new ones are added. The list is sorted by expiry. */
  async #sweep(): Promise<void> {
    const { items } = await this.#store.list(this.#prefix, { limit: mostSwept })
    const over = items.filter(({ value }) => Number(Buffer.from(value).toString()) < this.#clock.now())
    await Promise.all(over.map(({ key, revision }) => this.#store.delete(key, revision)))
  }

  /** The expiry is part of the key, so that each value has one place. */
  #placeOf(text: string, endMs: number): string {
    return `${this.#prefix}${String(endMs).padStart(16, '0')}-${hash('sha256', text, 'base64url')}`
  }
}
