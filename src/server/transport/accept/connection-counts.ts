import { networkOf } from '../../../base/network/network-of.ts'

/** The number of connections, in total and per network. */
export class ConnectionCounts {
  readonly #byNetwork = new Map<string, number>()
  #total = 0

  get total(): number {
    return this.#total
  }

  from(address: string): number {
    return this.#byNetwork.get(networkOf(address)) ?? 0
  }

  add(address: string): void {
    this.#total += 1
    this.#byNetwork.set(networkOf(address), this.from(address) + 1)
  }

  remove(address: string): void {
    const left = this.from(address) - 1
    this.#total -= 1
    if (left === 0) this.#byNetwork.delete(networkOf(address))
    else this.#byNetwork.set(networkOf(address), left)
  }
}
