import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../storage/contract.ts'
import { signOnRoot } from '../store-root.ts'

const prefix = `${signOnRoot}exchanged/`
const mostSwept = 100

/** Tokens that are taken once. In the store, so that no replica takes one that another has taken. */
export class UsedTokens {
  readonly #store: Store
  readonly #clock: Clock

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** False: it was taken before. */
  async take(token: string, endMs: number): Promise<boolean> {
    await this.#sweep()
    const { outcome } = await this.#store.create(placeOf(token, endMs), Buffer.from(String(endMs)))
    return outcome === 'written'
  }

  /** Those that have ended, and would be refused anyway, go with the next. The list is in order of their ends. */
  async #sweep(): Promise<void> {
    const { items } = await this.#store.list(prefix, { limit: mostSwept })
    const over = items.filter(({ value }) => Number(Buffer.from(value).toString()) < this.#clock.now())
    await Promise.all(over.map(({ key, revision }) => this.#store.delete(key, revision)))
  }
}

/** The end is part of the token, so that one token has one place. */
function placeOf(token: string, endMs: number): string {
  return `${prefix}${String(endMs).padStart(16, '0')}-${hash('sha256', token, 'base64url')}`
}
