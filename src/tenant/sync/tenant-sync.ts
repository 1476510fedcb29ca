import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { backoffMs } from '../../base/backoff.ts'
import { deepEqual } from '../../base/equal.ts'
import { rest } from '../../base/pause.ts'
import type { Random } from '../../base/random.ts'
import type { Term } from '../../client/lease/contract.ts'
import { runElection } from '../../client/lease/election.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { Syncer, type SyncerOptions } from '../../sync/syncer.ts'
import { CopiedServices } from './copied-services.ts'
import { followNote, noteUid } from './copies-note.ts'
import { ensureHostNamespace } from './host-namespace.ts'
import { syncerLeaseName } from './lease-name.ts'
import { whoseCopies } from './whose-copies.ts'

/** How often it is checked again whether the copies on the host may be touched. */
const lookAgain = { firstMs: 100, longestMs: 5_000 }

export interface TenantSyncOptions extends Omit<SyncerOptions, 'mayWrite'> {
  /** Whether several processes run for this tenant, one of which syncs at a time. */
  readonly isReplicated: boolean
  /** The name of this process in the lease. */
  readonly processName: string
  readonly random: Random
}

/** Syncs while this process holds the lease. */
export class TenantSync {
  readonly #options: TenantSyncOptions
  readonly #stopped = new AbortController()
  readonly #hasNamespace: Promise<void>
  readonly #work: Promise<void>
  #config: EffectiveConfig
  #syncer: Syncer | undefined
  /** Set if another process may be the one that syncs. */
  readonly #copied: CopiedServices | undefined
  #term: Term | undefined
  /** Why there is no syncer. */
  #waits = 'another process syncs'
  #resolveInStep: () => void = () => {}
  readonly #inStep: Promise<void>

  constructor(options: TenantSyncOptions) {
    this.#options = options
    this.#config = options.config
    this.#inStep = new Promise((resolve) => {
      this.#resolveInStep = resolve
    })
    this.#hasNamespace = ensureHostNamespace(
      options.host,
      options.identity.hostNamespace,
      options.log,
      this.#stopped.signal,
    )
    const { isReplicated, host, identity, config } = options
    this.#copied = isReplicated ? new CopiedServices(host, identity, config) : undefined
    this.#work = options.isReplicated ? this.#runElection() : this.#lead(undefined)
  }

  /** Resolves when everything is in step for the first time. */
  whenInStep(): Promise<void> {
    return this.#inStep
  }

  /** The mapping of namespaces decides every name, so changing it starts over. */
  async reconfigure(config: EffectiveConfig): Promise<void> {
    const isSamePlaces = deepEqual(config.sync.toHost.namespaces, this.#config.sync.toHost.namespaces)
    this.#config = config
    this.#copied?.reconfigure(config)
    if (this.#syncer === undefined) return
    if (isSamePlaces) {
      this.#syncer.reconfigure(config)
      return
    }
    await this.#syncer.stop()
    if (this.#syncer !== undefined) this.#syncer = this.#newSyncer(this.#term)
  }

  addressOfCopy(service: ObjectName): string | undefined {
    return this.#syncer?.addressOfCopy(service) ?? this.#copied?.addressOf(service)
  }

  debug(): unknown {
    return this.#syncer?.debug() ?? { tenant: this.#options.identity, kinds: [], waits: this.#waits }
  }

  async metrics(): Promise<string> {
    return (await this.#syncer?.metrics.registry.metrics()) ?? ''
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#copied?.stop()
    await this.#work
  }

  async #runElection(): Promise<void> {
    const { host: client, identity, processName: name, clock, elapsed, random, log } = this.#options
    const lease = { namespace: identity.hostNamespace, name: syncerLeaseName(identity.tenant) }
    await runElection(
      { client, lease, name, clock, elapsed, random, log, lead: (term) => this.#lead(term) },
      this.#stopped.signal,
    )
  }

  async #lead(term: Term | undefined): Promise<void> {
    const end = AbortSignal.any([this.#stopped.signal, ...(term === undefined ? [] : [term.signal])])
    for (let wasReplaced = false; !end.aborted; wasReplaced = true) {
      const found = await this.#untilCopiesAreOwn(wasReplaced, end)
      if (found !== undefined) await this.#syncUntilReplaced(found.uid, term, end)
    }
  }

  /** A process with another store that finds no copies may sync. Two that sync would delete the copies of each other. */
  async #syncUntilReplaced(uid: string | undefined, term: Term | undefined, end: AbortSignal): Promise<void> {
    const replaced = new AbortController()
    const over = AbortSignal.any([end, replaced.signal])
    this.#term = term
    this.#syncer = this.#newSyncer(term)
    const note = uid === undefined ? undefined : this.#followNote(uid, replaced, over)
    // It also resolves if it is stopped before it is in step.
    void this.#syncer.whenInStep().then(() => over.aborted || this.#resolveInStep())
    await ended(over)
    note?.stop()
    const syncer = this.#syncer
    this.#syncer = undefined
    await syncer?.stop()
  }

  /** An entry that was lost, for example with the proof, is written again: another process could take the copies. */
  #followNote(uid: string, replaced: AbortController, over: AbortSignal) {
    const { host, identity, log } = this.#options
    return followNote(host, identity, (noted) => {
      if (noted !== undefined && noted !== uid) replaced.abort()
      if (noted !== undefined || over.aborted) return
      noteUid(host, identity, uid, over).catch((error) => log.warn('whose copies these are was not noted', { error }))
    })
  }

  /** A process with another store would delete every copy, volumes included. Undefined: it no longer leads. */
  async #untilCopiesAreOwn(
    wasReplaced: boolean,
    end: AbortSignal,
  ): Promise<{ readonly uid: string | undefined } | undefined> {
    const { log, onTrouble } = this.#options
    await this.#hasNamespace
    let own: { readonly uid: string | undefined } | undefined
    for (let attempt = 1; !end.aborted; attempt++) {
      try {
        const whose = await whoseCopies({ ...this.#options, wasReplaced }, this.#config, end)
        if (whose.may === 'sync') {
          own = whose
          break
        }
        const { trouble } = whose
        if (this.#waits !== trouble.message) {
          log.error('nothing is synced', { ...trouble })
          onTrouble?.(trouble)
        }
        this.#waits = trouble.message
      } catch (error) {
        if (end.aborted) break
        log.warn('it is not known yet whose copies are on the host', { error })
        this.#waits = 'it is not known yet whose copies are on the host'
      }
      await rest(backoffMs(attempt, lookAgain, this.#options.random), end)
    }
    this.#waits = 'another process syncs'
    return end.aborted ? undefined : own
  }

  #newSyncer(term: Term | undefined): Syncer {
    return new Syncer({ ...this.#options, config: this.#config, ...(term && { mayWrite: () => term.holds() }) })
  }
}

function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
