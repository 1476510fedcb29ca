import { hash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { Store } from '../storage/contract.ts'
import { signOnRoot } from './store-root.ts'

const mostSwept = 100

/** What is taken once, such as tokens and assertions. In the store, so that no replica takes what another has taken. */
export class UsedOnce {
  readonly #store: Store
  readonly #clock: Clock
  readonly #prefix: string

  /** `what`: those of one kind do not get in the way of others. */
  constructor(store: Store, clock: Clock, what: string) {
    this.#store = store
    this.#clock = clock
    this.#prefix = `${signOnRoot}${what}/`
  }

  async has(text: string, endMs: number): Promise<boolean> {
    return (await this.#store.get(this.#placeOf(text, endMs))) !== undefined
  }

  /** False: it was taken before. */
  async take(text: string, endMs: number): Promise<boolean> {
    await this.#sweep()
    const { outcome } = await this.#store.create(this.#placeOf(text, endMs), Buffer.from(String(endMs)))
    return outcome === 'written'
  }

  /** Those that have ended, and would be refused anyway, go with the next. The list is in order of their ends. */
  async #sweep(): Promise<void> {
    const { items } = await this.#store.list(this.#prefix, { limit: mostSwept })
    const over = items.filter(({ value }) => Number(Buffer.from(value).toString()) < this.#clock.now())
    await Promise.all(over.map(({ key, revision }) => this.#store.delete(key, revision)))
  }

  /** The end is part of what is taken, so that it has one place. */
  #placeOf(text: string, endMs: number): string {
    return `${this.#prefix}${String(endMs).padStart(16, '0')}-${hash('sha256', text, 'base64url')}`
  }
}
