import { whenSettled } from '../../base/concurrency/when-settled.ts'
import type { LoopTurn } from './loop-turn.ts'

/** A source of waiting work. */
export interface WaitingWork {
  readonly turn: Pick<LoopTurn, 'begin' | 'isOver'>
  readonly isLeft: () => boolean
  readonly beginNext: () => void
}

/**
 * Begins waiting work one by one, as much in an iteration of the event loop as time allows. The next is begun when the
 * previous has gone as far as it can: most of the cost of a request or a handshake comes after the call that began it
 * has returned.
 */
export class TurnByTurn {
  readonly #work: WaitingWork
  #isScheduled = false

  constructor(work: WaitingWork) {
    this.#work = work
  }

  /** Called when work is waiting. */
  schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#work.turn.begin()
      this.#goOn()
    })
  }

  #goOn(): void {
    const { turn, isLeft, beginNext } = this.#work
    beginNext()
    whenSettled(() => {
      if (isLeft() && !turn.isOver) {
        this.#goOn()
        return
      }
      this.#isScheduled = false
      if (isLeft()) this.schedule()
    })
  }
}
