import { ApiError } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { leaseType } from '../builtin-types.ts'
import { withDeadline } from '../transport/deadline.ts'
import type { ElectionContext } from './contract.ts'
import { isFree, newLease, type Observation, seen, taken } from './record.ts'

/** Limit of another holder's lease duration, as a multiple of our own. */
const mostLeases = 10

export interface Acquired {
  readonly lease: KubeObject
  /** Elapsed time before the request was sent; others count from a later time. */
  readonly atMs: number
}

/** Tries to take the lease once it is free. */
export class LeaseSeeker {
  readonly #context: ElectionContext
  #sighting: Observation | undefined

  constructor(context: ElectionContext) {
    this.#context = context
  }

  /** Undefined if another process holds it, or was faster. */
  async tryOnce(signal: AbortSignal): Promise<Acquired | undefined> {
    const { times } = this.#context
    const late = () => new Error('the lease could not be read or written in time')
    return withDeadline({ ms: times.holdSeconds * 1000, late, signal }, async (limited) => {
      const lease = await unlessRefused(404, this.#context.client.get(leaseType, this.#context.lease, limited))
      return unlessRefused(409, lease === undefined ? this.#create(limited) : this.#take(lease, limited))
    })
  }

  async #create(signal: AbortSignal): Promise<Acquired> {
    const { client, lease, identity, times, clock, elapsed } = this.#context
    const atMs = elapsed.now()
    const wanted = newLease(lease, { identity, durationSeconds: times.leaseSeconds }, clock.now())
    return { lease: await client.create(leaseType, wanted, signal), atMs }
  }

  async #take(lease: KubeObject, signal: AbortSignal): Promise<Acquired | undefined> {
    const { client, identity, times, clock, elapsed } = this.#context
    const atMs = elapsed.now()
    this.#sighting = seen(lease, this.#sighting, atMs)
    const longestMs = mostLeases * times.leaseSeconds * 1000
    if (!isFree(lease, this.#sighting, atMs, longestMs)) return undefined
    const wanted = taken(lease, { identity, durationSeconds: times.leaseSeconds }, clock.now())
    return { lease: await client.update(leaseType, wanted, signal), atMs }
  }
}

async function unlessRefused<T>(code: number, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return undefined
    throw error
  }
}
