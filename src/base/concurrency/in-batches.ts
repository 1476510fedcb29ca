import { Fifo } from './fifo.ts'

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(reason: unknown): void
}

export interface BatchWork<Item, Result> {
  /** How many items are handled together. */
  readonly most: number
  /** The results, in the order of the items. If it fails, all of them have failed. */
  handle(items: readonly Item[]): Promise<readonly Result[]>
}

/** Handles items that arrive while others are handled together, in order of arrival: one batch after the other. */
export class InBatches<Item, Result> {
  readonly #work: BatchWork<Item, Result>
  readonly #waiting = new Fifo<Waiting<Item, Result>>()
  #isWorking = false

  constructor(work: BatchWork<Item, Result>) {
    this.#work = work
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (!this.#isWorking) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isWorking = true
    while (this.#waiting.size > 0) await this.#handle(this.#next())
    this.#isWorking = false
  }

  #next(): readonly Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = []
    while (batch.length < this.#work.most) {
      const next = this.#waiting.shift()
      if (next === undefined) break
      batch.push(next)
    }
    return batch
  }

  async #handle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#work.handle(batch.map(({ item }) => item))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index]
        if (result === undefined) reject(new Error('A batch has fewer results than items.'))
        else resolve(result)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
