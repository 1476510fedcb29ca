import type { AnswerRequest } from '../answers/answer.ts'
import type { Limits } from '../limits.ts'
import type { TrustedProxies } from '../proxies/trusted-proxies.ts'
import type { AnswersOfTurn } from './answers-of-turn.ts'
import type { FloodingConnection, Floods } from './floods.ts'

/** At least this long when the server stops, so that an idle client learns that its connection ends. */
const lingerAtEndMs = 200

/**
 * How long a connection without requests stays open for its client to read the last message. When the server stops, the
 * time counts from the last answer: before that, a client that still reads it would lose the rest with anything it sends.
 */
export function lingerOf({ lingerMs }: Limits, idleMs: number, isClosing: boolean): number {
  return isClosing ? Math.min(lingerMs, Math.max(lingerAtEndMs, lingerMs - idleMs)) : lingerMs
}

/** What the server needs from its connections, whatever their protocol. */
export interface SupervisedConnection extends FloodingConnection {
  /** Ends what takes too long. Called every few seconds. */
  check(nowMs: number): void
  /** Accepts no more requests: closes at once if none is under way, otherwise when it is finished. */
  windDown(): void
  /** Closes at once, without a message. */
  cut(): void
}

export interface ConnectionContext {
  readonly answer: AnswerRequest
  readonly limits: Limits
  readonly proxies: TrustedProxies | undefined
  readonly now: () => number
  readonly floods: Floods
  /** Whether no connection accepts more requests. */
  readonly isClosing: () => boolean
  /** Ends an answer at the end of this iteration of the event loop. */
  readonly endAnswer: AnswersOfTurn['end']
  /** Ends all answers that wait for it now. */
  readonly endAnswers: AnswersOfTurn['endAll']
}
