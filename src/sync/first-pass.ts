/** Whether everything that was there at the start has been looked at once. */
export class FirstPass {
  readonly #names = new Set<string>()
  readonly #over: Promise<void>
  #resolve: () => void = () => {}
  #isBegun = false
  #isOver = false

  constructor() {
    this.#over = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  get isBegun(): boolean {
    return this.#isBegun
  }

  get isOver(): boolean {
    return this.#isOver
  }

  whenOver(): Promise<void> {
    return this.#over
  }

  /** Before it has begun: one more that was there. Later ones are not waited for. */
  add(name: string): void {
    if (!this.#isBegun) this.#names.add(name)
  }

  begin(): void {
    this.#isBegun = true
    if (this.#names.size === 0) this.end()
  }

  done(name: string): void {
    if (this.#isOver || !this.#names.delete(name)) return
    if (this.#isBegun && this.#names.size === 0) this.end()
  }

  end(): void {
    this.#isOver = true
    this.#names.clear()
    this.#resolve()
  }
}
