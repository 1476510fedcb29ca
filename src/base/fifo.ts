/**
 * First in, first out, at the same cost however long it is. (What is taken from the front of a Set leaves a hole there that
 * every later look at the front has to pass.)
 */
export class Fifo<T> {
  #arrived: T[] = []
  /** The oldest is last. */
  #leaving: T[] = []

  get size(): number {
    return this.#arrived.length + this.#leaving.length
  }

  push(item: T): void {
    this.#arrived.push(item)
  }

  /** The oldest, which stays. */
  peek(): T | undefined {
    this.#turnRound()
    return this.#leaving.at(-1)
  }

  shift(): T | undefined {
    this.#turnRound()
    return this.#leaving.pop()
  }

  clear(): void {
    this.#arrived = []
    this.#leaving = []
  }

  #turnRound(): void {
    if (this.#leaving.length > 0) return
    this.#leaving = this.#arrived.reverse()
    this.#arrived = []
  }
}
