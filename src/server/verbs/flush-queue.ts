import { monotonicClock } from '../../base/clock.ts'

/** Lines that are not written yet. */
export interface Flushable {
  flush(join: JoinLines): void
}

export type JoinLines = (lines: readonly Buffer[]) => Buffer

/** Time for watchers in one iteration of the event loop, and how many are written to before it is checked. */
const msPerTurn = 5
const writtenAtOnce = 32

/**
 * Writes each watcher's events once per iteration of the event loop, however many arrived. Watchers of one resource
 * have the same lines to write, so those are joined once and shared. Thousands of watchers are written to over several
 * iterations.
 */
export class FlushQueue {
  #waiting: Flushable[] = []
  #join = rememberingJoin()
  #isScheduled = false

  add(flushable: Flushable): void {
    this.#waiting.push(flushable)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#flushSome())
  }

  #flushSome(): void {
    const waiting = this.#waiting
    const endsMs = monotonicClock.now() + msPerTurn
    this.#waiting = []
    this.#isScheduled = false
    let written = 0
    do {
      for (const flushable of waiting.slice(written, written + writtenAtOnce)) flushable.flush(this.#join)
      written += writtenAtOnce
    } while (written < waiting.length && monotonicClock.now() < endsMs)
    if (written < waiting.length) {
      this.#waiting = [...waiting.slice(written), ...this.#waiting]
      this.#schedule()
    } else this.#join = rememberingJoin()
  }
}

const mostJoined = 64

function rememberingJoin(): JoinLines {
  /** By the first line: a watcher with much to write does so in several parts. */
  const known = new Map<Buffer, { readonly lines: readonly Buffer[]; readonly joined: Buffer }>()
  return (lines) => {
    const [first] = lines
    if (first === undefined) return Buffer.alloc(0)
    if (lines.length === 1) return first
    const before = known.get(first)
    if (before !== undefined && areSame(lines, before.lines)) return before.joined
    const joined = Buffer.concat(lines)
    if (known.size >= mostJoined) known.clear()
    known.set(first, { lines, joined })
    return joined
  }
}

function areSame(left: readonly Buffer[], right: readonly Buffer[]): boolean {
  return left.length === right.length && left.every((line, index) => line === right[index])
}
