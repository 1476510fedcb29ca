import type { ChangeEvent } from './event.ts'

const maxEvents = 5_000
const maxBytes = 8 * 1024 * 1024

/**
 * The latest changes of one kind, for watches that start in the recent past. What no longer fits is read from the
 * store's own history.
 */
export class History {
  #events: ChangeEvent[] = []
  #first = 0
  #bytes = 0
  /** Every change after this revision is here. */
  #since = 0

  restart(revision: number): void {
    this.#events = []
    this.#first = 0
    this.#bytes = 0
    this.#since = revision
  }

  reachesBackTo(revision: number): boolean {
    return revision >= this.#since
  }

  append(events: readonly ChangeEvent[]): void {
    for (const event of events) {
      this.#events.push(event)
      this.#bytes += event.document.itemJson.length
    }
    while (this.#events.length - this.#first > maxEvents || this.#bytes > maxBytes) this.#forgetOldest()
    if (this.#first > this.#events.length / 2) this.#dropForgotten()
  }

  /** Events after the revision, oldest first. */
  after(revision: number): readonly ChangeEvent[] {
    return this.#events.slice(this.#indexAfter(revision))
  }

  #indexAfter(revision: number): number {
    let low = this.#first
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const event = this.#events[middle]
      if (event !== undefined && event.revision <= revision) low = middle + 1
      else high = middle
    }
    return low
  }

  #forgetOldest(): void {
    const oldest = this.#events[this.#first]
    if (oldest === undefined) return
    this.#bytes -= oldest.document.itemJson.length
    this.#since = oldest.revision
    this.#first += 1
  }

  #dropForgotten(): void {
    this.#events = this.#events.slice(this.#first)
    this.#first = 0
  }
}
