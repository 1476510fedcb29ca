import { monotonicClock } from '../../base/clock.ts'
import type { Pacing } from '../../base/pace.ts'
import { Rotation } from '../../base/rotation.ts'
import { shareOfTurn } from '../../base/shared-turns.ts'

/** What is done of one long answer before everything else that waits for the event loop has its turn. */
const msPerSlice = 5

/**
 * Long work: answers that are worked out while they are sent, bodies that take long to read. In one turn of the event loop one of them gets one slice, and the
 * owners take turns: a hundred long answers keep others waiting for no longer than one. All of them are one party among all that rest.
 */
export class Slices {
  readonly #waiting = new Rotation<() => void>()
  #isScheduled = false

  /** Long answers that wait for their next slice. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** One long answer's share of the time. Its first slice is due at once. */
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
