import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Random } from '../../base/random.ts'
import type { KubeClient, ObjectKey } from '../contract.ts'

export interface ElectionTimes {
  /** How long others wait after the last renewal before they take the lease. */
  readonly leaseSeconds: number
  /** How long after the last renewal the leader stops by itself. Shorter than the lease, so that there are never two. */
  readonly holdSeconds: number
  readonly retrySeconds: number
}

/** What an election asks of a server. */
export type LeaseClient = Pick<KubeClient, 'get' | 'create' | 'update'>

export interface ElectionOptions {
  readonly client: LeaseClient
  readonly lease: ObjectKey
  /** For people who look at the lease. Made unique: two processes of one name are two. */
  readonly name: string
  /** For the times in the lease. */
  readonly clock: Clock
  /** For how long something lasts: `monotonicClock`. */
  readonly elapsed: Clock
  readonly random: Random
  readonly log: Log
  readonly times?: ElectionTimes
  /** The work of the leader, until the term's signal. The lease is kept until this returns. */
  lead(term: Term): Promise<void>
}

export interface Term {
  /** Aborted when the lease is lost or no longer wanted, before another process can take it. */
  readonly signal: AbortSignal
  /** Whether the lease is held. Also right after a time in which this process did not run, when no timer has fired yet. */
  holds(): boolean
}

export interface ElectionContext extends ElectionOptions {
  readonly times: ElectionTimes
  /** Unique among all that take part. */
  readonly identity: string
}
