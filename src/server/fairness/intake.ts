import { Rotation } from '../../base/concurrency/rotation.ts'
import { networkOf } from '../../base/network/network-of.ts'
import type { Request } from '../http.ts'
import type { LoopTurn } from './loop-turn.ts'
import type { Newcomers } from './newcomers.ts'
import { TurnByTurn } from './turn-by-turn.ts'

/** The parts of a request that are known once its head has arrived. */
export type ArrivingRequest = Pick<Request, 'clientAddress' | 'peer' | 'isGone'>

interface Waiting {
  readonly arrived: ArrivingRequest
  readonly begin: () => void
}

/**
 * Requests as they arrive, before their callers are known. A client may send hundreds at once, and Node delivers all of
 * them in one iteration of the event loop. As many are begun as the iteration has time for. The others wait: networks
 * take turns, and within a network its connections. A network with nothing waiting does not wait for others. A request
 * that its client has canceled is not begun.
 */
export class Intake {
  readonly #turn: Pick<LoopTurn, 'begin' | 'isOver'>
  readonly #newcomers: Newcomers
  /** By network; the one whose turn it is comes first. Every network here has requests waiting. */
  readonly #waiting = new Map<string, Rotation<Waiting, ArrivingRequest['peer']>>()
  readonly #turns: TurnByTurn

  constructor(turn: Pick<LoopTurn, 'begin' | 'isOver'>, newcomers: Newcomers) {
    this.#turn = turn
    this.#newcomers = newcomers
    this.#turns = new TurnByTurn({ turn, isLeft: () => this.#waiting.size > 0, beginNext: () => this.#beginNext() })
  }

  take(arrived: ArrivingRequest, begin: () => void): void {
    if (this.#waiting.size === 0 && !this.#turn.isOver) {
      begin()
      return
    }
    const network = networkOf(arrived.clientAddress)
    if (!this.#waiting.has(network) && this.#newcomers.take(network)) {
      begin()
      return
    }
    const ofNetwork = this.#waiting.get(network) ?? new Rotation<Waiting, ArrivingRequest['peer']>()
    ofNetwork.add(arrived.peer, { arrived, begin })
    this.#waiting.set(network, ofNetwork)
    this.#turns.schedule()
  }

  #beginNext(): void {
    const [next] = this.#waiting
    if (next === undefined) return
    const [network, ofNetwork] = next
    const waiting = ofNetwork.take()
    this.#waiting.delete(network)
    if (ofNetwork.size > 0) this.#waiting.set(network, ofNetwork)
    if (waiting?.arrived.isGone === false) waiting.begin()
  }
}
