import { parseApiVersion } from '../api/object.ts'
import type { EffectiveConfig } from '../api/tenant-config/types.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { KubeClient } from '../client/contract.ts'
import type { ObjectName, ReferencedKind } from '../patches/contract.ts'
import { type DebugKind, debugKind } from './debug.ts'
import { EventRecorder } from './events.ts'
import type { TenantSetting } from './kind-config.ts'
import type { KindObserver } from './kind-parts.ts'
import { KindRun } from './kind-run.ts'
import { type EnabledKind, enabledKinds } from './kinds/enabled.ts'
import { type MeasuredKind, SyncMetrics } from './metrics.ts'
import type { TenantIdentity } from './names.ts'
import { SharedEngine } from './shared-engine.ts'
import { TenantReferences } from './tenant-references.ts'

export interface SyncerOptions {
  readonly identity: TenantIdentity
  readonly config: EffectiveConfig
  /** They stay the caller's. */
  readonly virtual: KubeClient
  readonly host: KubeClient
  readonly virtualFollowsHostAddresses: boolean
  /** Asked right before each write, where several processes share the work in turns. */
  readonly mayWrite?: () => boolean
  readonly clock: Clock
  readonly log: Log
}

/** What follows from the first pass is waited for, but not for ever: some clusters never come to rest. */
const longestRestMs = 2_000

/** Everything that is synced for one tenant. Starts at once. */
export class Syncer {
  readonly metrics: SyncMetrics
  readonly #options: SyncerOptions
  readonly #runs = new Map<string, KindRun>()
  readonly #references: TenantReferences
  readonly #events: EventRecorder
  readonly #engine: SharedEngine

  constructor(options: SyncerOptions) {
    this.#options = options
    this.metrics = new SyncMetrics(() => this.#measured())
    this.#events = new EventRecorder(options.virtual, options.clock)
    this.#engine = new SharedEngine(options.identity)
    this.#references = new TenantReferences({
      changed: (target, name) => this.#runOf(target)?.syncer?.enqueue(name),
      isEveryKindSettled: () => [...this.#runs.values()].every(({ isSettled }) => isSettled),
      completed: () => this.#enqueueReferenced(),
    })
    this.reconfigure(options.config)
  }

  /** Takes effect on what is synced already. Copies of a kind that is switched off stay as they are. */
  reconfigure(config: EffectiveConfig): void {
    const tenant = this.#setting(config)
    const entries = new Map(enabledKinds(config).map((entry) => [entry.kind.id, entry]))
    for (const [id, run] of this.#runs) if (!entries.has(id)) this.#stopKind(run)
    for (const entry of entries.values()) {
      const run = this.#runs.get(entry.kind.id)
      if (run === undefined) this.#startKind(entry, tenant)
      else run.reconfigure(entry, tenant)
    }
    this.#references.refresh()
  }

  /** Resolves when every object that was there has been brought in step, or is known not to be. */
  async whenInStep(): Promise<void> {
    const runs = [...this.#runs.values()]
    await Promise.all(runs.map((run) => run.whenSettled()))
    await Promise.race([Promise.all(runs.map((run) => run.whenIdle())), pause(longestRestMs)])
  }

  debug(): { readonly tenant: TenantIdentity; readonly kinds: readonly DebugKind[] } {
    return { tenant: this.#options.identity, kinds: [...this.#runs.values()].map(debugKind) }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.stop()))
    await this.#events.stop()
    await this.#engine.close()
  }

  #setting(config: EffectiveConfig): TenantSetting {
    const { identity, virtualFollowsHostAddresses } = this.#options
    return {
      identity,
      config,
      virtualFollowsHostAddresses,
      engine: this.#engine.for(config),
      findVirtual: (kind, namespace, name) => this.#findVirtual(kind, { namespace, name }),
      countPatches: (kind, patches, counters) => this.metrics.countPatches(kind, patches, counters),
    }
  }

  #startKind(entry: EnabledKind, tenant: TenantSetting): void {
    const { virtual, host, identity, mayWrite = () => true, clock, log } = this.#options
    const { id } = entry.kind
    const run = new KindRun(entry, tenant, {
      clients: { virtual, host },
      hostNamespace: tenant.config.sync.toHost.namespaces.enabled ? undefined : identity.hostNamespace,
      referencesOf: (types) => this.#references.of(id, types.virtual),
      observer: this.#observerOf(id),
      mayWrite,
      clock,
      log: log.child({ kind: id }),
    })
    this.#runs.set(id, run)
    void run.whenSettled().then(() => this.#references.refresh())
  }

  #stopKind(run: KindRun): void {
    this.#runs.delete(run.id)
    this.#references.forgetKind(run.id)
    void run.stop()
  }

  #observerOf(id: string): KindObserver {
    const measured = this.metrics.observerOf(id)
    return {
      ...measured,
      trouble: (object, trouble) => {
        measured.trouble(trouble.reason)
        if (object !== undefined) this.#events.warn(object, trouble)
      },
    }
  }

  #findVirtual({ apiVersion, kind }: ReferencedKind, host: ObjectName): ObjectName | undefined {
    return this.#runOf({ group: parseApiVersion(apiVersion).group, kind })?.syncer?.virtualOf(host)
  }

  #runOf(target: { readonly group: string; readonly kind: string }): KindRun | undefined {
    for (const run of this.#runs.values()) {
      const type = run.types?.virtual
      if (type?.kind === target.kind && type.group === target.group) return run
    }
    return undefined
  }

  #enqueueReferenced(): void {
    for (const run of this.#runs.values()) if (!run.carriesAll) run.syncer?.enqueueAll()
  }

  *#measured(): Iterable<MeasuredKind> {
    for (const { id, syncer } of this.#runs.values()) {
      if (syncer !== undefined) yield { id, states: syncer.states, queueLength: syncer.queueLength }
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
