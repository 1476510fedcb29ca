/** Lines that have not been written yet. */
export interface Flushable {
  flush(join: JoinLines): void
}

export type JoinLines = (lines: readonly Buffer[]) => Buffer

/**
 * Writes each watcher's events once per turn of the event loop, however many arrived. Watchers of one resource have the
 * same lines to write, so those are joined once and shared.
 */
export class FlushQueue {
  #waiting: Flushable[] = []
  #isScheduled = false

  add(flushable: Flushable): void {
    this.#waiting.push(flushable)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#flushAll())
  }

  #flushAll(): void {
    const waiting = this.#waiting
    const join = rememberingJoin()
    this.#waiting = []
    this.#isScheduled = false
    for (const flushable of waiting) flushable.flush(join)
  }
}

function rememberingJoin(): JoinLines {
  /** By the first of its lines: who has much to write does so in several parts. */
  const known = new Map<Buffer, { readonly lines: readonly Buffer[]; readonly joined: Buffer }>()
  return (lines) => {
    const [first] = lines
    if (first === undefined) return Buffer.alloc(0)
    if (lines.length === 1) return first
    const before = known.get(first)
    if (before !== undefined && areSame(lines, before.lines)) return before.joined
    const joined = Buffer.concat(lines)
    known.set(first, { lines, joined })
    return joined
  }
}

function areSame(left: readonly Buffer[], right: readonly Buffer[]): boolean {
  return left.length === right.length && left.every((line, index) => line === right[index])
}
