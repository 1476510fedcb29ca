import { Fifo } from '../../base/concurrency/fifo.ts'

/** Pods that wait for a node: by priority, then by waiting time. */
export class WaitingPods {
  readonly #byPriority = new Map<number, Fifo<string>>()
  readonly #waiting = new Set<string>()

  /** A Pod waits once, however often it is added. */
  add(key: string, priority: number): void {
    if (this.#waiting.has(key)) return
    this.#waiting.add(key)
    const line = this.#byPriority.get(priority) ?? new Fifo<string>()
    this.#byPriority.set(priority, line)
    line.push(key)
  }

  take(): string | undefined {
    if (this.#byPriority.size === 0) return undefined
    const highest = Math.max(...this.#byPriority.keys())
    const line = this.#byPriority.get(highest)
    const key = line?.shift()
    if (line?.size === 0) this.#byPriority.delete(highest)
    if (key !== undefined) this.#waiting.delete(key)
    return key
  }
}
