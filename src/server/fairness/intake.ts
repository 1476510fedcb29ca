import { networkOf } from '../../base/network-of.ts'
import type { LoopTurn } from './loop-turn.ts'
import { Rotation } from './rotation.ts'

/**
 * Requests as they arrive, before it is known whose they are. A client may send hundreds at once, and Node hands over all of them in one
 * turn of the event loop. As many are begun as the turn has time for. The others wait, and the networks they came from take turns.
 */
export class Intake {
  readonly #turn: LoopTurn
  readonly #waiting = new Rotation<() => void>()
  #isScheduled = false

  constructor(turn: LoopTurn) {
    this.#turn = turn
  }

  take(remoteAddress: string, begin: () => void): void {
    if (this.#waiting.size === 0 && !this.#turn.isOver) {
      begin()
      return
    }
    this.#waiting.add(networkOf(remoteAddress), begin)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#goOn())
  }

  #goOn(): void {
    this.#isScheduled = false
    this.#turn.begin()
    do this.#waiting.take()?.()
    while (this.#waiting.size > 0 && !this.#turn.isOver)
    if (this.#waiting.size > 0) this.#schedule()
  }
}
