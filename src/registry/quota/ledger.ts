/** A number of objects and their size. */
export interface Amount {
  readonly objects: number
  /** The stored size. */
  readonly bytes: number
}

export interface Shortage {
  readonly unit: keyof Amount
  readonly requested: number
  readonly used: number
  readonly limit: number
}

export interface Reservation {
  /** Releases what has not been stored meanwhile. Calling it again changes nothing. */
  release(): void
  /**
   * Called instead if it is unknown whether the write took effect: the room stays reserved until that is known. Absent:
   * the room is released.
   */
  unconfirmed?(): void
}

interface Reserved {
  readonly account: string
  readonly amount: Amount
}

/**
 * What each account holds, counting stored objects and pending writes. A reservation lasts until the write is seen in
 * the cache or has failed, so concurrent writers never take the same room.
 */
export class Ledger {
  #limit: Amount
  readonly #held = new Map<string, Amount>()
  /** By the key of the pending write. */
  readonly #reserved = new Map<string, Reserved[]>()

  constructor(limit: Amount) {
    this.#limit = limit
  }

  /** Applies from now on. Stored objects stay, even if they exceed the limit. */
  limitTo(limit: Amount): void {
    this.#limit = limit
  }

  held(account: string): Amount {
    return this.#held.get(account) ?? nothing
  }

  /**
   * What is missing for the wanted amount; undefined if there is room. A unit that does not grow always fits. `times`
   * multiplies the limit.
   */
  shortage(account: string, wanted: Amount, times = 1): Shortage | undefined {
    const held = this.held(account)
    for (const unit of units) {
      const [requested, used, limit] = [wanted[unit], held[unit], this.#limit[unit] * times]
      if (requested > 0 && used + requested > limit) return { unit, requested, used, limit }
    }
    return undefined
  }

  /** Takes the room, even if there is not enough. */
  reserve(account: string, key: string, amount: Amount): Reservation {
    const reserved = { account, amount }
    this.#change(account, amount)
    this.#reserved.set(key, [...(this.#reserved.get(key) ?? []), reserved])
    return {
      release: () => {
        if (this.#take(key, (each) => each === reserved) !== undefined) this.#change(account, negative(amount))
      },
    }
  }

  /**
   * Records a change of the stored amount, which replaces the reservation for it. A deletion leaves the reservation of
   * an object that is about to take the same name.
   */
  stored(account: string, key: string, change: Amount): void {
    const reserved = change.objects < 0 ? undefined : this.#take(key, (each) => each.account === account)
    if (reserved !== undefined) this.#change(account, negative(reserved.amount))
    this.#change(account, change)
  }

  #take(key: string, isMeant: (reserved: Reserved) => boolean): Reserved | undefined {
    const all = this.#reserved.get(key)
    const taken = all?.find(isMeant)
    if (all === undefined || taken === undefined) return undefined
    const left = all.filter((each) => each !== taken)
    if (left.length === 0) this.#reserved.delete(key)
    else this.#reserved.set(key, left)
    return taken
  }

  #change(account: string, change: Amount): void {
    const { objects, bytes } = this.held(account)
    const held = { objects: objects + change.objects, bytes: bytes + change.bytes }
    if (held.objects === 0 && held.bytes === 0) this.#held.delete(account)
    else this.#held.set(account, held)
  }
}

const units = ['objects', 'bytes'] as const
const nothing: Amount = { objects: 0, bytes: 0 }

export function negative({ objects, bytes }: Amount): Amount {
  return { objects: -objects, bytes: -bytes }
}
