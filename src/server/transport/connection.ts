import type { AnswerRequest } from '../answer.ts'
import type { Limits } from '../limits.ts'
import type { TrustedProxies } from '../proxies/trusted-proxies.ts'
import type { AnswersOfTurn } from './answers-of-turn.ts'
import type { FloodingConnection, Floods } from './floods.ts'

/** How long a client may take to read the last words. */
export const lingerMs = 2_000

/** What the server wants of its connections, whatever is spoken on them. */
export interface SupervisedConnection extends FloodingConnection {
  /** Ends what takes too long on it. Called every few seconds. */
  check(nowMs: number): void
  /** No more requests are wanted: it goes at once if none is under way, otherwise when that is over. */
  windDown(): void
  /** At once, and without a word. */
  cut(): void
}

export interface ConnectionContext {
  readonly answer: AnswerRequest
  readonly limits: Limits
  readonly proxies: TrustedProxies | undefined
  readonly now: () => number
  readonly floods: Floods
  /** No more requests are wanted on any connection. */
  readonly isClosing: () => boolean
  /** Ends an answer at the end of this turn of the event loop. */
  readonly endAnswer: AnswersOfTurn['end']
  /** Ends those that wait for it now. */
  readonly endAnswers: AnswersOfTurn['endAll']
}
