import type { UserInfo } from '../../api/access.ts'
import { timeout } from '../../api/error.ts'
import type { Clock } from '../../base/clock.ts'
import { Pace, type Pacing } from '../../base/pace.ts'

/** For all policies of one request together. */
const longestMs = 10_000

export interface PolicyPaceOptions {
  readonly user: UserInfo
  readonly signal: AbortSignal
  readonly elapsed: Clock
}

/** Evaluates the policies of one request in turns, until the caller has left or they have taken too long. */
export class PolicyPace implements Pacing {
  readonly #pace: Pace
  readonly #elapsed: Clock
  readonly #deadlineMs: number

  constructor({ user, signal, elapsed }: PolicyPaceOptions) {
    this.#pace = new Pace({ party: user.name, signal })
    this.#elapsed = elapsed
    this.#deadlineMs = elapsed.now() + longestMs
  }

  isDue(): boolean {
    return this.#pace.isDue()
  }

  /** Applies whatever the failurePolicy: a request must not bypass policies by taking long. */
  async rest(): Promise<void> {
    await this.#pace.rest()
    if (this.#elapsed.now() <= this.#deadlineMs) return
    const seconds = longestMs / 1000
    throw timeout(
      `the admission policies of the request took longer than ${seconds} seconds: bind fewer, or make their expressions cheaper`,
    )
  }

  async step(): Promise<void> {
    if (this.isDue()) await this.rest()
  }
}
