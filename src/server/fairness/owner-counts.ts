/** As many names are kept without anything counted: to take a name out and put it back for every request costs more. */
const mostIdle = 64

/** How many of something each name has. */
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

  /** Names that are kept, idle ones too. */
  get names(): number {
    return this.#of.size
  }
}
