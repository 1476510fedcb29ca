import type { ChangeEvent } from './event.ts'

const maxEvents = 5_000
const maxBytes = 8 * 1024 * 1024
/** Watchers that are up to date receive these events now, with shared lines. */
const mostLines = 64

/**
 * The latest changes of one kind, for watches that start in the recent past. Older ones are read from the store's
 * history.
 */
export class History {
  #events: ChangeEvent[] = []
  #first = 0
  #bytes = 0
  /** Events before this index have no line. */
  #lines = 0
  /** Every change after this revision is included. */
  #since = 0

  restart(revision: number): void {
    this.#events = []
    this.#first = 0
    this.#bytes = 0
    this.#lines = 0
    this.#since = revision
  }

  reachesBackTo(revision: number): boolean {
    return revision >= this.#since
  }

  append(events: readonly ChangeEvent[]): void {
    for (const event of events) {
      this.#events.push(event)
      this.#bytes += bytesOf(event)
    }
    this.#forgetLines()
    while (this.#events.length - this.#first > maxEvents || this.#bytes > maxBytes) this.#forgetOldest()
    if (this.#first > this.#events.length / 4) this.#dropForgotten()
  }

  /** The changes up to that revision are no longer needed. */
  forgetUpTo(revision: number): void {
    const end = this.#indexAfter(revision)
    while (this.#first < end) this.#forgetOldest()
    if (this.#first > 0) this.#dropForgotten()
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
    this.#bytes -= bytesOf(oldest)
    this.#since = oldest.revision
    this.#first += 1
  }

  #forgetLines(): void {
    const end = this.#events.length - mostLines
    for (; this.#lines < end; this.#lines += 1) this.#events[this.#lines]?.forgetLine()
  }

  #dropForgotten(): void {
    this.#events = this.#events.slice(this.#first)
    this.#lines = Math.max(0, this.#lines - this.#first)
    this.#first = 0
  }
}

/** The previous object may be retained only by its event. */
function bytesOf({ document, previous }: ChangeEvent): number {
  return document.itemJson.length + (previous?.bytes ?? 0)
}
