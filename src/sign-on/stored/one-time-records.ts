import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { Random } from '../../base/random.ts'
import type { Store } from '../../storage/contract.ts'

const mostSwept = 100

export interface OneTimeParts {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
}

export interface OneTimePlace {
  /** The prefix of the records in the store. */
  readonly prefix: string
  readonly validForMs: number
}

interface StoredMarks {
  readonly validUntilMs: number
  /** A caller has it, and has not released it. */
  readonly isHeld?: boolean
}

type Stored<T> = T & StoredMarks

/** A record that its caller keeps for itself until it is released. */
export interface HeldRecord<T> {
  readonly record: T
  /** Removes the record. False: another caller has asked for it meanwhile, or it was too old. */
  release(): Promise<boolean>
}

/**
 * Records that can be found by a code for a limited time, and taken once. They are in the store, so that any replica
 * finds them, under the hash of the code, so that a reader of the store cannot use it.
 */
export class OneTimeRecords<T extends object> {
  readonly #parts: OneTimeParts
  readonly #place: OneTimePlace
  /** The last key that was swept; empty: none yet, or all. */
  #sweptTo = ''

  constructor(parts: OneTimeParts, place: OneTimePlace) {
    this.#parts = parts
    this.#place = place
  }

  /** Returns the code. */
  async issue(record: T, validForMs = this.#place.validForMs): Promise<string> {
    const { store, clock, random } = this.#parts
    await this.#sweep()
    const code = Buffer.from(random.bytes(32)).toString('base64url')
    const stored: Stored<T> = { ...record, validUntilMs: clock.now() + validForMs }
    await store.create(this.#keyOf(code), Buffer.from(JSON.stringify(stored)))
    return code
  }

  async find(code: string): Promise<T | undefined> {
    const found = await this.#parts.store.get(this.#keyOf(code))
    return found && this.#valid(found.value)
  }

  /** Of concurrent callers, only one gets it. */
  async take(code: string): Promise<T | undefined> {
    const { store } = this.#parts
    const found = await store.get(this.#keyOf(code))
    if (found === undefined) return undefined
    const { outcome } = await store.delete(found.key, found.revision)
    return outcome === 'written' ? this.#valid(found.value) : undefined
  }

  /**
   * Of concurrent callers, only one gets it. Unlike `take`, it stays until it is released, so that the caller learns
   * that another one has asked for it, whatever the caller does in between.
   */
  async hold(code: string): Promise<HeldRecord<T> | undefined> {
    const { store } = this.#parts
    for (;;) {
      const found = await store.get(this.#keyOf(code))
      if (found === undefined) return undefined
      const stored = this.#read(found.value)
      if (stored.isHeld === true || this.#isOver(stored)) {
        await store.delete(found.key, found.revision)
        return undefined
      }
      const held: Stored<T> = { ...stored, isHeld: true }
      const written = await store.update(found.key, Buffer.from(JSON.stringify(held)), found.revision)
      if (written.outcome === 'written') return { record: stored, release: () => this.#release(found.key, written) }
    }
  }

  async #release(key: string, { revision }: { readonly revision: number }): Promise<boolean> {
    return (await this.#parts.store.delete(key, revision)).outcome === 'written'
  }

  #valid(value: Uint8Array): T | undefined {
    const stored = this.#read(value)
    return this.#isOver(stored) ? undefined : stored
  }

  /**
   * Expired records are removed when new ones are added. They are not ordered by time, so each sweep continues where
   * the last one ended: otherwise many valid records at the beginning would hide all others.
   */
  async #sweep(): Promise<void> {
    const { store } = this.#parts
    const afterKey = this.#sweptTo
    const { items } = await store.list(this.#place.prefix, { limit: mostSwept, ...(afterKey && { afterKey }) })
    this.#sweptTo = items.length < mostSwept ? '' : (items.at(-1)?.key ?? '')
    const old = items.filter(({ value }) => this.#isOver(this.#read(value)))
    await Promise.all(old.map(({ key, revision }) => store.delete(key, revision)))
  }

  #isOver({ validUntilMs }: Stored<T>): boolean {
    return validUntilMs <= this.#parts.clock.now()
  }

  #keyOf(code: string): string {
    return this.#place.prefix + hash('sha256', code, 'base64url')
  }

  /** Only this file writes it. */
  #read(value: Uint8Array): Stored<T> {
    return JSON.parse(Buffer.from(value).toString())
  }
}
