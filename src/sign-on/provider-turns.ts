import { isRefusal } from '../api/error.ts'
import { FairQueue, type Requester } from '../server/fairness/fair-queue.ts'
import { SignOnFailure } from './failure.ts'

/** As many as there are connections to one provider; one network leaves most of them to others. */
const turns = { places: 32, placesPerOwner: 8, waiting: 400, waitingPerOwner: 100, busy: 'too many sign-ins' }

/**
 * A browser's return is verified with the provider, which may take long, before it is known who sent it. So each
 * network has a few slots at each provider, and further requests wait for these.
 */
export class ProviderTurns {
  /** By connector. Every queue has work. */
  readonly #queues = new Map<string, FairQueue>()

  /** `asker.owner`: a network. Rejects with `SignOnFailure` if there is no slot. */
  async take<Result>(connectorUid: string, asker: Requester, ask: () => Promise<Result>): Promise<Result> {
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
