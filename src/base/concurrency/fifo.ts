/**
 * First in, first out, at constant cost whatever its length. (Removing from the front of a Set leaves a hole that every
 * later access to the front must skip.)
 */
export class Fifo<T> {
  #arrived: T[] = []
  /** The oldest item is last. */
  #leaving: T[] = []

  get size(): number {
    return this.#arrived.length + this.#leaving.length
  }

  push(item: T): void {
    this.#arrived.push(item)
  }

  /** Returns the oldest item without removing it. */
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
