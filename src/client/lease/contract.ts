import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Random } from '../../base/random.ts'
import type { KubeClient, ObjectKey } from '../contract.ts'

export interface ElectionTimes {
  /** How long others wait after the last renewal before they take the lease. */
  readonly leaseSeconds: number
  /**
   * How long after the last renewal the leader stops on its own. Shorter than the lease, so that there are never two
   * leaders.
   */
  readonly holdSeconds: number
  readonly retrySeconds: number
}

/** The part of a client that an election needs. */
export type LeaseClient = Pick<KubeClient, 'get' | 'create' | 'update'>

export interface ElectionOptions {
  readonly client: LeaseClient
  readonly lease: ObjectKey
  /** Shown in the lease. A suffix makes it unique, because two processes may have the same name. */
  readonly name: string
  /** For the times in the lease. */
  readonly clock: Clock
  /** For durations: `monotonicClock`. */
  readonly elapsed: Clock
  readonly random: Random
  readonly log: Log
  readonly times?: ElectionTimes
  /** The work of the leader, until the term's signal aborts. The lease is kept until this returns. */
  lead(term: Term): Promise<void>
}

export interface Term {
  /** Aborts when the lease is lost or no longer wanted, before another process can take it. */
  readonly signal: AbortSignal
  /** Whether the lease is held. Also correct right after the process was suspended, before any timer fires. */
  holds(): boolean
}

export interface ElectionContext extends ElectionOptions {
  readonly times: ElectionTimes
  /** Unique among all participants. */
  readonly identity: string
}
