/** How many connections there are, in all and from each address. */
export class ConnectionCounts {
  readonly #byAddress = new Map<string, number>()
  #total = 0

  get total(): number {
    return this.#total
  }

  from(address: string): number {
    return this.#byAddress.get(address) ?? 0
  }

  add(address: string): void {
    this.#total += 1
    this.#byAddress.set(address, this.from(address) + 1)
  }

  remove(address: string): void {
    const left = this.from(address) - 1
    this.#total -= 1
    if (left === 0) this.#byAddress.delete(address)
    else this.#byAddress.set(address, left)
  }
}
