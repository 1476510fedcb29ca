import type { Clock } from '../../base/clock.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { Controller, ReportError } from '../../registry/controllers/controller.ts'
import { ensureObject } from '../../registry/controllers/ensure.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { deleteObject } from '../../registry/verbs/delete.ts'
import { editObject } from '../../registry/verbs/edit.ts'
import type { Follower } from '../follow.ts'
import { platformRequest } from '../platform-user.ts'
import {
  addressOfLease,
  isLeavingBy,
  leaseName,
  leaseSeconds,
  type ReplicaAddress,
  renewedLease,
  replicaLease,
  replicaNamespace,
  replicaOfLease,
} from './replica-lease.ts'

const manager = 'replicas'
const renewMs = 5_000
/** A replica that has not renewed its lease for longer may be gone, although it counts as live. */
const freshMs = 2 * renewMs

export interface ReplicasOptions {
  readonly ownName: string
  readonly leases: () => ResourceContext
  /** For the times in the Leases. */
  readonly clock: Clock
  /** For durations. */
  readonly elapsed: Clock
  readonly report: ReportError
}

interface Seen {
  readonly address: ReplicaAddress | undefined
  readonly isLeaving: boolean
  /** When the lease was last renewed, by this replica's clock for durations. */
  readonly atMs: number
}

/**
 * The replicas of the platform that exist. Each renews a Lease. A replica whose Lease has not changed for its duration,
 * by the clock of the replica that checks, is gone. Clocks of different machines are never compared.
 */
export class Replicas implements Controller, Follower {
  readonly ownName: string
  readonly #options: ReplicasOptions
  readonly #seen = new Map<string, Seen>()
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #own: ReplicaAddress | undefined
  #isLeaving = false

  constructor(options: ReplicasOptions) {
    this.#options = options
    this.ownName = options.ownName
  }

  /** Resolves when other replicas can find this one. */
  async start(address: ReplicaAddress): Promise<void> {
    this.#own = address
    await this.#renew()
    this.#timer = setInterval(() => {
      this.#renew().catch((error) => this.#options.report(manager, this.ownName, error))
    }, renewMs).unref()
  }

  /** Announces another address or certificate. */
  async announce(address: ReplicaAddress): Promise<void> {
    this.#own = address
    await this.#renew()
  }

  /** Tells other replicas that this one accepts no more links. */
  async leave(): Promise<void> {
    this.#isLeaving = true
    await this.#renew().catch((error) => this.#options.report(manager, this.ownName, error))
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    const own = { namespace: replicaNamespace, name: leaseName(this.ownName) }
    if (this.#own !== undefined) await this.#remove(own).catch(() => {})
    this.#stop.abort()
  }

  isLive(replica: string): boolean {
    if (replica === this.ownName) return true
    const seen = this.#seen.get(replica)
    return seen !== undefined && this.#options.elapsed.now() - seen.atMs < leaseSeconds * 1000
  }

  /** Whether tenants could link to another replica. */
  hasOthers(): boolean {
    const nowMs = this.#options.elapsed.now()
    return [...this.#seen].some(
      ([replica, { isLeaving, atMs }]) => replica !== this.ownName && !isLeaving && nowMs - atMs < freshMs,
    )
  }

  addressOf(replica: string): ReplicaAddress | undefined {
    return this.isLive(replica) ? this.#seen.get(replica)?.address : undefined
  }

  put({ namespace, name, object }: StoredDocument): void {
    const replica = replicaOfLease(namespace, name)
    if (replica === undefined) return
    const atMs = this.#options.elapsed.now()
    this.#seen.set(replica, { address: addressOfLease(object), isLeaving: isLeavingBy(object), atMs })
  }

  remove({ namespace, name }: StoredDocument): void {
    const replica = replicaOfLease(namespace, name)
    if (replica !== undefined) this.#seen.delete(replica)
  }

  async #renew(): Promise<void> {
    if (this.#own === undefined) return
    const { leases, clock } = this.#options
    const lease = replicaLease(this.ownName, { ...this.#own, isLeaving: this.#isLeaving }, clock.now())
    const request = platformRequest(manager, this.#stop.signal)
    const id = { namespace: replicaNamespace, name: leaseName(this.ownName) }
    const isThere = await editObject(leases(), id, (before) => renewedLease(before, lease), request)
    if (!isThere) await ensureObject(leases(), lease, request)
    await this.#forgetDead()
  }

  async #forgetDead(): Promise<void> {
    for (const replica of this.#seen.keys()) {
      if (!this.isLive(replica)) await this.#remove({ namespace: replicaNamespace, name: leaseName(replica) })
    }
  }

  async #remove(id: { readonly namespace: string; readonly name: string }): Promise<void> {
    const request = platformRequest(manager, this.#stop.signal)
    await deleteObject(this.#options.leases(), id, { dryRun: false }, request).catch(() => {})
  }
}
