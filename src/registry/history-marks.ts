/** The revision of a store at one time, and how much had been written to it by then. */
export interface Mark {
  readonly revision: number
  readonly bytes: number
}

/**
 * Disconnected clients resume from the revision that they saw last: at least five minutes are kept, with a mark every
 * ten seconds.
 */
const fewestMarks = 31
/** Dropped together, because this takes the store no longer than dropping one. */
const marksAtOnce = 6
/** Unless this much is written in less time. */
const mostBytes = 256 * 1024 * 1024

/**
 * Most clients resume within a minute: bookmarks and heartbeats keep their revisions that fresh. What is older is read
 * from the store, as after a restart.
 */
const marksInMemory = 12

/** The recent past of a store, to decide what to compact, and what caches forget. */
export class HistoryMarks {
  #marks: readonly Mark[] = []

  /** Returns the revision before which history can be dropped; undefined if that has not changed. */
  add(mark: Mark): number | undefined {
    const marks = [...this.#marks, mark]
    const enough = marks.findIndex(({ bytes }) => mark.bytes - bytes <= mostBytes)
    const old = marks.length >= fewestMarks + marksAtOnce ? marksAtOnce : 0
    const first = Math.max(enough, old)
    this.#marks = marks.slice(first)
    return first === 0 ? undefined : this.#marks[0]?.revision
  }

  /** The revision of two minutes ago: caches forget the changes up to it. Undefined if there is none that old. */
  get forgettable(): number | undefined {
    return this.#marks.at(-1 - marksInMemory)?.revision
  }
}
