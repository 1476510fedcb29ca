import { isRefusal } from '../api/error.ts'
import { type Asker, FairQueue } from '../server/fairness/fair-queue.ts'
import { SignOnFailure } from './failure.ts'

/** As many as connections to one provider; those of one network leave most of them to others. */
const turns = { places: 32, placesPerOwner: 8, waiting: 400, waitingPerOwner: 100, busy: 'too many sign-ins' }

/**
 * What comes back from a browser is held against the provider, which may take its time, before it is known who sent it. So each network
 * has a few places at each provider, and the others wait for their own.
 */
export class ProviderTurns {
  /** By connector. None is without work. */
  readonly #queues = new Map<string, FairQueue>()

  /** `asker.owner`: a network. Rejects with `SignOnFailure` if there is no turn. */
  async take<Result>(connectorUid: string, asker: Asker, ask: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(connectorUid) ?? new FairQueue(turns)
    this.#queues.set(connectorUid, queue)
    try {
      return await queue.take(asker, ask)
    } catch (error) {
      if (isRefusal(error, 429)) throw new SignOnFailure('too-many', 'too many sign-ins wait for the provider')
      if (isRefusal(error, 504)) throw new SignOnFailure('unavailable', 'the browser no longer waits for the provider')
      throw error
    } finally {
      if (queue.isIdle && this.#queues.get(connectorUid) === queue) this.#queues.delete(connectorUid)
    }
  }
}
