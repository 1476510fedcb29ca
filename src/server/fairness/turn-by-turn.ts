import { whenSettled } from '../../base/when-settled.ts'
import type { LoopTurn } from './loop-turn.ts'

/** What waits, and how the next of it is begun. */
export interface WaitingWork {
  readonly turn: Pick<LoopTurn, 'begin' | 'isOver'>
  readonly isLeft: () => boolean
  readonly beginNext: () => void
}

/**
 * Begins what waits one after the other, as much in a turn of the event loop as there is time for. The next is begun when the one before has gone
 * as far as it can: most of what a request or a handshake costs comes after the one who began it has returned.
 */
export class TurnByTurn {
  readonly #work: WaitingWork
  #isScheduled = false

  constructor(work: WaitingWork) {
    this.#work = work
  }

  /** Something waits now. */
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
