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
  let lastLines: readonly Buffer[] = []
  let lastJoined = Buffer.alloc(0)
  return (lines) => {
    const [only] = lines
    if (lines.length === 1 && only !== undefined) return only
    if (!areSame(lines, lastLines)) {
      lastLines = lines
      lastJoined = Buffer.concat(lines)
    }
    return lastJoined
  }
}

function areSame(left: readonly Buffer[], right: readonly Buffer[]): boolean {
  return left.length === right.length && left.every((line, index) => line === right[index])
}
