import { monotonicClock } from '../../base/clock.ts'
import { Rotation } from './rotation.ts'

/** What is done of one long answer before everything else that waits for the event loop has its turn. */
const msPerSlice = 10

/** One long answer's share of the time. */
export interface Slicing {
  /** Whether the slice is used up: then the next one is to be waited for. */
  isOver(): boolean
  next(): Promise<void>
}

/**
 * Long answers that are worked out while they are sent. In one turn of the event loop one of them gets one slice, and the
 * owners take turns: a hundred long answers keep others waiting for no longer than one.
 */
export class Slices {
  readonly #waiting = new Rotation<() => void>()
  #isScheduled = false

  /** Long answers that wait for their next slice. */
  get waiting(): number {
    return this.#waiting.size
  }

  for(owner: string): Slicing {
    let endsMs = 0
    return {
      isOver: () => monotonicClock.now() >= endsMs,
      next: async () => {
        await new Promise<void>((resolve) => {
          this.#waiting.add(owner, resolve)
          this.#schedule()
        })
        endsMs = monotonicClock.now() + msPerSlice
      },
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#waiting.take()?.()
      if (this.#waiting.size > 0) this.#schedule()
    })
  }
}
