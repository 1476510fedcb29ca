import type { Socket } from 'node:net'
import { Rotation } from '../../../base/concurrency/rotation.ts'
import { networkOf } from '../../../base/network/network-of.ts'
import { LoopTurn } from '../../fairness/loop-turn.ts'
import { TurnByTurn } from '../../fairness/turn-by-turn.ts'

/** A handshake takes one to two milliseconds, and the first of an iteration is always begun. */
const msPerTurn = 1

/** A connection whose handshake has not begun. */
interface WaitingSocket {
  readonly remoteAddress?: string | undefined
  readonly destroyed: boolean
  destroy(): unknown
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
}

interface Waiting<S> {
  readonly socket: S
  readonly giveUp: () => void
}

/**
 * Begins handshakes, with networks taking turns, as many per iteration of the event loop as time allows. Each takes a
 * signature, and a client may send a hundred requests right behind it: fifty connections that arrive together would
 * block everything else for both.
 */
export class TlsStarts<S extends WaitingSocket = Socket> {
  readonly #start: (socket: S) => void
  readonly #turn: Pick<LoopTurn, 'begin' | 'isOver'>
  readonly #waiting = new Rotation<Waiting<S>>()
  readonly #turns: TurnByTurn

  constructor(start: (socket: S) => void, turn: Pick<LoopTurn, 'begin' | 'isOver'> = new LoopTurn(msPerTurn)) {
    this.#start = start
    this.#turn = turn
    this.#turns = new TurnByTurn({ turn, isLeft: () => this.#waiting.size > 0, beginNext: () => this.#startNext() })
  }

  readonly take = (socket: S): void => {
    if (this.#waiting.size === 0 && !this.#turn.isOver) {
      this.#start(socket)
      return
    }
    const giveUp = () => socket.destroy()
    socket.on('error', giveUp)
    this.#waiting.add(networkOf(socket.remoteAddress ?? ''), { socket, giveUp })
    this.#turns.schedule()
  }

  #startNext(): void {
    const next = this.#waiting.take()
    if (next === undefined || next.socket.destroyed) return
    next.socket.off('error', next.giveUp)
    this.#start(next.socket)
  }
}
