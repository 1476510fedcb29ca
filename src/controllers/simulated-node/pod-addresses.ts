import { addressRange } from '../../registry/allocation/address-range.ts'

/** Tracks which Pod has which address. */
export class PodAddresses {
  readonly #range
  readonly #byPod = new Map<string, string>()
  readonly #taken = new Set<string>()
  #next = 0

  constructor(cidr: string) {
    this.#range = addressRange(cidr)
  }

  /** Records an address that the Pod already has. */
  note(key: string, address: string): void {
    this.release(key)
    this.#byPod.set(key, address)
    this.#taken.add(address)
  }

  /** The Pod's address, or the one that has been unused for the longest time. */
  take(key: string): string {
    const own = this.#byPod.get(key)
    if (own !== undefined) return own
    const address = this.#free()
    this.note(key, address)
    return address
  }

  release(key: string): void {
    const address = this.#byPod.get(key)
    if (address === undefined) return
    this.#byPod.delete(key)
    this.#taken.delete(address)
  }

  #free(): string {
    const { size } = this.#range
    for (let tried = 0; tried < size; tried++) {
      const address = this.#range.at(this.#next)
      this.#next = (this.#next + 1) % size
      if (!this.#taken.has(address)) return address
    }
    throw new Error(`All ${size} addresses of ${this.#range.cidr} are taken by Pods: delete some.`)
  }
}
