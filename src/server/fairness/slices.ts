import { monotonicClock } from '../../base/clock.ts'
import { Rotation } from '../../base/concurrency/rotation.ts'
import { shareOfTurn } from '../../base/concurrency/shared-turns.ts'
import type { Pacing } from '../../base/pace.ts'

/** Time for one long answer before everything else waiting for the event loop gets its turn. */
const msPerSlice = 5

/**
 * Long work: answers computed while they are sent, and bodies that take long to parse. Each iteration of the event loop
 * runs one slice of one of them, and owners take turns: a hundred long answers delay others no more than one does.
 * Together they are one party among all that yield.
 */
export class Slices {
  readonly #waiting = new Rotation<() => void>()
  #isScheduled = false

  /** Long answers waiting for their next slice. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** The share of one long answer. Its first slice is due at once. */
  for(owner: string): Pacing {
    let endsMs = 0
    return {
      isDue: () => monotonicClock.now() >= endsMs,
      rest: async () => {
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
    void shareOfTurn(this).then(() => {
      this.#isScheduled = false
      this.#waiting.take()?.()
      if (this.#waiting.size > 0) this.#schedule()
    })
  }
}
