/** How far a store had come at a moment, and how much had been written to it by then. */
export interface Mark {
  readonly revision: number
  readonly bytes: number
}

/** Clients that were away resume from the revision they saw last: five minutes at the least, with a mark every ten seconds. */
const fewestMarks = 31
/** Forgotten together, because it takes the store as long as to forget one. */
const marksAtOnce = 6
/** Unless so much is written in less. */
const mostBytes = 256 * 1024 * 1024

/** The recent past of a store, to say what of it is to be forgotten. */
export class HistoryMarks {
  #marks: readonly Mark[] = []

  /** The revision before which nothing is to be kept; undefined if that has not changed. */
  add(mark: Mark): number | undefined {
    const marks = [...this.#marks, mark]
    const enough = marks.findIndex(({ bytes }) => mark.bytes - bytes <= mostBytes)
    const old = marks.length >= fewestMarks + marksAtOnce ? marksAtOnce : 0
    const first = Math.max(enough, old)
    this.#marks = marks.slice(first)
    return first === 0 ? undefined : this.#marks[0]?.revision
  }
}
