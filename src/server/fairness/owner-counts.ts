/** Limit of names kept with a count of zero: removing and adding a name for every request costs more. */
const mostIdle = 64

export class OwnerCounts {
  readonly #of = new Map<string, number>()

  of(name: string): number {
    return this.#of.get(name) ?? 0
  }

  add(name: string): void {
    this.#of.set(name, this.of(name) + 1)
  }

  remove(name: string): void {
    const left = this.of(name) - 1
    if (left <= 0 && this.#of.size > mostIdle) this.#of.delete(name)
    else this.#of.set(name, Math.max(0, left))
  }

  /** Includes idle names. */
  get names(): number {
    return this.#of.size
  }
}
