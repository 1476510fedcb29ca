import { timeout, tooManyRequests } from '../../api/error.ts'
import type { ReviewContext } from '../reviews/contract.ts'
import { FairnessLevel } from './level.ts'
import type { LevelRules } from './levels.ts'

/** The caller who wants work done, and the signal that ends it. */
export type Requester = Pick<ReviewContext, 'owner' | 'signal'>

export interface FairQueueOptions extends LevelRules {
  /** The error text for a caller that is refused. */
  readonly busy: string
  /** Time limit of one task. Absent: the duration of the request. */
  readonly longestMs?: number
}

/**
 * Limits work that is too expensive to do for all callers at once: only a few tasks run at the same time, fewer for
 * each owner, and owners take turns. A caller that stops waiting loses its turn, even while its work is running.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #level: FairnessLevel

  constructor(options: FairQueueOptions) {
    this.#options = options
    this.#level = new FairnessLevel(options)
  }

  /** Whether no task runs or waits. */
  get isIdle(): boolean {
    return this.#level.inPlace === 0 && this.#level.waiting === 0
  }

  /** The signal passed to `work` aborts when the work takes too long or the caller stops waiting. */
  async take<Result>({ owner, signal }: Requester, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const flow = { level: 'callers', owner, key: '' } as const
    if (this.#level.isFree(flow, true)) this.#level.enter(flow)
    else await this.#wait(flow, signal)
    const late = new AbortController()
    const timer = this.#timer(late)
    try {
      return await work(AbortSignal.any([signal, late.signal]))
    } finally {
      clearTimeout(timer)
      this.#level.leave(flow)
      this.#callNext()
    }
  }

  #timer(late: AbortController): NodeJS.Timeout | undefined {
    const { longestMs } = this.#options
    if (longestMs === undefined) return undefined
    return setTimeout(
      () => late.abort(timeout(`it took longer than ${longestMs / 1000} s and was given up`)),
      longestMs,
    )
  }

  #wait(flow: Parameters<FairnessLevel['enter']>[0], signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(timeout('the caller no longer waits for it'))
      if (signal.aborted) return giveUp()
      signal.addEventListener('abort', giveUp, { once: true })
      this.#level.wait({
        flow,
        needsPlace: true,
        deadlineMs: Number.POSITIVE_INFINITY,
        isOver: () => signal.aborted,
        enter: () => {
          signal.removeEventListener('abort', giveUp)
          this.#level.enter(flow)
          resolve()
        },
        refuse: () => {
          signal.removeEventListener('abort', giveUp)
          reject(tooManyRequests(`${this.#options.busy}, please try again`, 1))
        },
      })
    })
  }

  #callNext(): void {
    for (let next = this.#level.next(0); next !== undefined; next = this.#level.next(0)) {
      if (!next.isOver()) next.enter()
    }
  }
}
