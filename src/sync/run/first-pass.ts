/** Whether every object that existed at the start was brought in step once, or is known not to be. */
export class FirstPass {
  /** The remaining objects. */
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

  /** Before the pass begins: adds an object that existed at the start. Later objects are not waited for. */
  add(name: string): void {
    if (!this.#isBegun) this.#names.add(name)
  }

  begin(): void {
    this.#isBegun = true
    this.#endIfEmpty()
  }

  done(name: string): void {
    if (this.#names.delete(name)) this.#endIfEmpty()
  }

  end(): void {
    this.#isOver = true
    this.#names.clear()
    this.#resolve()
  }

  #endIfEmpty(): void {
    if (this.#isBegun && !this.#isOver && this.#names.size === 0) this.end()
  }
}
