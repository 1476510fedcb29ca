import { apiVersionOf, type KubeObject } from '../api/object.ts'
import type { EffectiveConfig } from '../api/tenant-config/types.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { waitAtMost } from '../base/pause.ts'
import type { KubeClient, ObjectChange, ResourceType } from '../client/contract.ts'
import type { ObjectName, ReferencedKind } from '../patches/contract.ts'
import type { PodNetwork } from './companions/contract.ts'
import { PodCompanions } from './companions/pod-companions.ts'
import type { Trouble } from './contract.ts'
import { HostEvents, type HostEventsOptions } from './host-events/host-events.ts'
import { HostQuotas } from './host-quotas/host-quotas.ts'
import { ImportRuns } from './imports/import-runs.ts'
import { disabledKinds, type EnabledKind, enabledKinds } from './kinds/enabled.ts'
import { persistentVolumeClaimsSync } from './kinds/persistent-volume-claims.ts'
import { podsSync } from './kinds/pods/pods.ts'
import { serviceSpecOf } from './kinds/service-spec.ts'
import { hasPodSelector, servicesSync } from './kinds/services.ts'
import { hostNamesOf } from './names/host-names.ts'
import { nameOf, type TenantPlace } from './names/names.ts'
import type { UseOfNode } from './nodes/contract.ts'
import { NodeView } from './nodes/node-view.ts'
import { TenantReferences } from './references/tenant-references.ts'
import { controllerStub } from './report/controller-stub.ts'
import { type DebugKind, debugRun } from './report/debug.ts'
import { SyncEvents } from './report/events.ts'
import { type MeasuredKind, SyncMetrics } from './report/metrics.ts'
import type { TenantSetting } from './run/kind-config.ts'
import type { KindObserver } from './run/kind-parts.ts'
import { KindRun } from './run/kind-run.ts'
import { otherKinds, runOfKind } from './run/other-kinds.ts'
import { isOwnPlace } from './run/own-namespace.ts'
import type { RunningSync, ServedRun } from './run/served-run.ts'
import { SharedEngine } from './run/shared-engine.ts'
import { SwitchedOff } from './run/switched-off.ts'

export interface SyncerOptions {
  readonly identity: TenantPlace
  readonly config: EffectiveConfig
  /** The caller closes them. */
  readonly virtual: KubeClient
  readonly host: KubeClient
  readonly virtualFollowsHostAddresses: boolean
  /** Where Pods find the virtual cluster; undefined while that is being determined. Absent: it will never be known. */
  readonly podNetwork?: () => PodNetwork | undefined
  /** Checked right before each write, if several processes take turns. */
  readonly mayWrite?: () => boolean
  readonly clock: Clock
  /** For durations: `monotonicClock`. */
  readonly elapsed: Clock
  readonly log: Log
  /** Called for problems of the tenant as a whole. */
  onTrouble?(trouble: Trouble): void
}

const nodesId = 'fromHost.nodes'

/** Limit of the wait for what follows from the first pass: some clusters never become idle. */
const longestRestMs = 2_000

/** Events of the host about these kinds are copied to the virtual objects. */
const toldKinds = [
  [podsSync.id, 'Pod'],
  [persistentVolumeClaimsSync.id, 'PersistentVolumeClaim'],
] as const

/** Everything that is synced for one tenant. Starts at once. */
export class Syncer {
  readonly metrics: SyncMetrics
  readonly #options: SyncerOptions
  readonly #runs = new Map<string, KindRun>()
  readonly #references: TenantReferences
  readonly #events: SyncEvents
  readonly #engine: SharedEngine
  readonly #imports: ImportRuns
  readonly #switchedOff: SwitchedOff
  readonly #nodes: NodeView
  #podCompanions: PodCompanions | undefined
  #hostEvents: readonly HostEvents[] = []
  #hostQuotas: HostQuotas | undefined

  constructor(options: SyncerOptions) {
    this.#options = options
    this.metrics = new SyncMetrics(() => this.#measured())
    this.#events = new SyncEvents(options.virtual, options.clock)
    this.#engine = new SharedEngine(options.identity)
    this.#references = new TenantReferences({
      changed: (target, name, isReferenced) => this.#referenceChanged(target, name, isReferenced),
      isEveryKindSettled: () => [...this.#runs.values()].every(({ run }) => run.isSettled),
      completed: () => this.#referencesCompleted(),
      news: (id, owner) => this.#runs.get(id)?.syncer?.enqueue(owner),
    })
    this.#imports = this.#importsFor(options)
    const { mayWrite = () => true } = options
    this.#switchedOff = new SwitchedOff({ ...options, mayWrite })
    this.#nodes = this.#nodesFor(options)
    this.reconfigure(options.config)
  }

  /** Applies to what is already synced. Copies of a disabled kind are deleted. */
  reconfigure(config: EffectiveConfig): void {
    const tenant = this.#settingFor(config)
    const entries = new Map(enabledKinds(config).map((entry) => [entry.kind.id, entry]))
    for (const [id, run] of this.#runs) if (!entries.has(id)) this.#stopKind(run)
    for (const entry of entries.values()) {
      const run = this.#runs.get(entry.kind.id)
      if (run === undefined) this.#startKind(entry, tenant)
      else run.reconfigure(entry, tenant)
    }
    this.#imports.reconfigure(tenant)
    this.#nodes.reconfigure(config.sync.fromHost.nodes)
    this.#followHostEvents(config)
    this.#followHostQuotas(config)
    this.#switchedOff.replace(disabledKinds(config), hostNamespaceOf(tenant.identity, config))
    this.#references.refresh()
  }

  /** Resolves when every object that existed was brought in step, or is known not to be. */
  async whenInStep(): Promise<void> {
    const runs = [...this.#runs.values()]
    const imports = [...this.#imports.runs()].map(([, run]) => run)
    await Promise.all([...runs.map(({ run }) => run), ...imports].map((run) => run.whenSettled()))
    // References become known only now.
    await waitAtMost(longestRestMs, Promise.all(runs.map(({ syncer }) => syncer?.progress.whenIdle())))
  }

  /** The address that the host assigned to the copy of a Service; undefined while there is no copy. */
  addressOfCopy(service: ObjectName): string | undefined {
    const copy = this.#runs.get(servicesSync.id)?.syncer?.copyOf(service)
    return copy && serviceSpecOf(copy).clusterIP
  }

  debug(): { readonly tenant: TenantPlace; readonly kinds: readonly DebugKind[] } {
    return { tenant: this.#options.identity, kinds: this.#allRuns().map(([id, run]) => debugRun(id, run)) }
  }

  async stop(): Promise<void> {
    const runs = [...this.#runs.values()].map(({ run }) => run)
    await Promise.all([...runs, this.#imports, this.#nodes, this.#switchedOff].map((each) => each.stop()))
    await this.#podCompanions?.stop()
    await Promise.all(this.#hostEvents.map((events) => events.stop()))
    this.#hostQuotas?.stop()
    await this.#events.stop()
    await this.#engine.close()
  }

  #allRuns(): readonly (readonly [string, ServedRun<RunningSync>])[] {
    return [
      ...[...this.#runs].map(([id, { run }]) => [id, run] as const),
      ...this.#imports.runs(),
      [nodesId, this.#nodes.run] as const,
    ]
  }

  #settingFor(config: EffectiveConfig): TenantSetting {
    const { identity, virtualFollowsHostAddresses } = this.#options
    return {
      identity,
      config,
      virtualFollowsHostAddresses,
      podNetwork: this.#options.podNetwork ?? (() => ({})),
      cordonedNodes: () => this.#nodes.cordoned(),
      engine: this.#engine.for(config),
      vcluster: { name: identity.tenant, namespace: identity.hostNamespace, config },
      findVirtual: (kind, namespace, name) => this.#findVirtual(kind, { namespace, name }),
      countPatches: (kind, patches, counters) => this.metrics.countPatches(kind, patches, counters),
    }
  }

  #startKind(entry: EnabledKind, tenant: TenantSetting): void {
    const { virtual, host, mayWrite = () => true, clock, elapsed, log } = this.#options
    const { id } = entry.kind
    const companions = entry.kind === podsSync ? this.#companionsFor(tenant) : undefined
    const run = new KindRun(entry, tenant, {
      ...(companions && { companions }),
      clients: { virtual, host },
      hostNamespace: hostNamespaceOf(tenant.identity, tenant.config),
      referencesOf: (types) => this.#references.of(id, types.virtual),
      settled: () => this.#references.refresh(),
      others: otherKinds(this.#runs),
      ...(entry.kind === podsSync && { nodes: this.#nodes }),
      ...(id === servicesSync.id && { virtualChanged: (change) => this.#serviceChanged(change) }),
      observer: this.#observerOf(id),
      mayWrite,
      clock,
      elapsed,
      log: log.child({ kind: id }),
    })
    this.#runs.set(id, run)
    void run.run.whenSettled().then(() => this.#references.refresh())
  }

  /** They end with the kind. */
  #companionsFor({ identity, config, podNetwork }: TenantSetting): PodCompanions {
    const { virtual, host, mayWrite = () => true, clock, log } = this.#options
    this.#podCompanions = new PodCompanions({
      identity,
      names: hostNamesOf(identity, config).forKinds,
      network: podNetwork,
      virtual,
      host,
      hostNamespace: hostNamespaceOf(identity, config),
      mayWrite,
      warn: (pod, trouble) => this.#warn(pod, trouble),
      clock,
      log: log.child({ part: 'pods' }),
    })
    return this.#podCompanions
  }

  /** Whether the host lists the Pods of a Service depends on whether it selects any. */
  #serviceChanged({ before, after }: ObjectChange): void {
    const service = after ?? before
    const isSelecting = (object: KubeObject | undefined) => object !== undefined && hasPodSelector(object)
    if (service === undefined || isSelecting(before) === isSelecting(after)) return
    for (const { syncer } of this.#runs.values()) syncer?.enqueueListsOf(nameOf(service))
  }

  /** Follows the host's Events about Pods and claims, once these are known. */
  #followHostEvents(config: EffectiveConfig): void {
    for (const events of this.#hostEvents) void events.stop()
    const { identity, virtual, host, mayWrite = () => true, log } = this.#options
    const hostNamespace = hostNamespaceOf(identity, config)
    const names = hostNamesOf(identity, config).forKinds
    this.#hostEvents = toldKinds.flatMap(([id, kind]) => {
      const found = this.#runs.get(id)
      if (found === undefined) return []
      const virtualOf: HostEventsOptions['virtualOf'] = (copy, uid) => found.syncer?.virtualObjectOf(copy, uid)
      const whenKnown = found.run.whenSettled()
      return [new HostEvents({ virtual, host, hostNamespace, names, kind, virtualOf, whenKnown, mayWrite, log })]
    })
  }

  /** If copies may be in any namespace, the right to read all quotas of a host would be too much for this. */
  #followHostQuotas(config: EffectiveConfig): void {
    this.#hostQuotas?.stop()
    this.#hostQuotas = undefined
    const { identity, host, log } = this.#options
    const hostNamespace = hostNamespaceOf(identity, config)
    if (hostNamespace === undefined || !this.#runs.has(podsSync.id)) return
    this.#hostQuotas = new HostQuotas({
      host,
      hostNamespace,
      tryAgain: (room) => {
        for (const { syncer } of this.#runs.values()) syncer?.enqueueRefused(room)
      },
      log,
    })
  }

  #stopKind(run: KindRun): void {
    if (run.entry.kind === podsSync) void this.#podCompanions?.stop()
    this.#runs.delete(run.id)
    this.#references.forgetKind(run.id)
    void run.run.stop()
  }

  #nodesFor({ virtual, host, config, mayWrite = () => true, clock, elapsed, log, onTrouble }: SyncerOptions): NodeView {
    const parts = {
      clients: { virtual, host },
      useOf: (node: string) => this.#useOf(node),
      uncordoned: () => this.#runs.get(podsSync.id)?.syncer?.enqueueUnplaced(),
      withoutRight: (trouble: Trouble) => {
        log.warn('nodes of the host are not shown', { ...trouble })
        onTrouble?.(trouble)
      },
      observer: this.#observerOf(nodesId),
      mayWrite,
      clock,
      elapsed,
      log: log.child({ kind: nodesId }),
    }
    return new NodeView(parts, config.sync.fromHost.nodes)
  }

  /** If Pods are not synced, none is on a node of the host. */
  #useOf(node: string): UseOfNode {
    const pods = this.#runs.get(podsSync.id)
    if (pods === undefined || pods.run.absence !== undefined) return 'none'
    return pods.syncer?.useOf(node) ?? 'unknown'
  }

  #importsFor({
    virtual,
    host,
    identity,
    config,
    mayWrite = () => true,
    clock,
    elapsed,
    log,
  }: SyncerOptions): ImportRuns {
    const observerOf = (id: string) => this.#observerOf(id)
    return new ImportRuns(
      { clients: { virtual, host }, observerOf, mayWrite, clock, elapsed, log },
      {
        mayRead: (namespace, signal) => isOwnPlace(otherKinds(this.#runs).requirePlace(namespace, signal)),
        hostNamespace: hostNamespaceOf(identity, config),
        hostOf: hostNamesOf(identity, config).hostOf,
        isComplete: () => this.#references.isComplete,
      },
    )
  }

  /** An object of the virtual cluster gets or loses its copy; an object that only the host has is imported. */
  #referenceChanged(target: ReferencedKind, name: ObjectName, isReferenced: boolean): void {
    runOfKind(this.#runs, target)?.syncer?.enqueue(name)
    this.#imports.referenced(target, name, isReferenced)
  }

  #observerOf(id: string): KindObserver {
    const measured = this.metrics.observerOf(id)
    return {
      ...measured,
      trouble: (object, trouble) => {
        measured.trouble(trouble.reason)
        if (object !== undefined) this.#warn(object, trouble)
      },
      refused: (object, notice, refusals) => {
        measured.refused(refusals)
        if (object !== undefined) this.#warn(object, notice)
      },
    }
  }

  /** Users watch the controller, such as a Deployment, and not a Pod that never gets a copy. */
  #warn(object: KubeObject, trouble: Trouble): void {
    this.#events.warn(object, trouble)
    const controller = object.kind === 'Pod' ? controllerStub(object) : undefined
    if (controller === undefined) return
    this.#events.warn(controller, { ...trouble, message: `Pod ${object.metadata.name}: ${trouble.message}` })
  }

  #findVirtual(kind: ReferencedKind, host: ObjectName): ObjectName | undefined {
    return runOfKind(this.#runs, kind)?.syncer?.virtualOf(host)
  }

  /** From now on, unreferenced copies and imports may be deleted. */
  #referencesCompleted(): void {
    const runs = [...this.#runs.values()]
    for (const { entry, syncer } of runs) {
      const { staysWhileNamed = false, staysWhileHeld = false } = entry.kind
      if (!entry.carriesAll || staysWhileNamed || staysWhileHeld) syncer?.enqueueAll()
    }
    this.#imports.referencesCompleted(
      runs.flatMap(({ run }) => (run.types ? [referencedKindOf(run.types.virtual)] : [])),
    )
  }

  *#measured(): Iterable<MeasuredKind> {
    for (const [id, { running }] of this.#allRuns()) {
      if (running !== undefined) yield { id, progress: running.progress }
    }
  }
}

/** The namespace of all copies; undefined if namespaces are mapped. */
function hostNamespaceOf({ hostNamespace }: TenantPlace, { sync }: EffectiveConfig): string | undefined {
  return sync.toHost.namespaces.enabled ? undefined : hostNamespace
}

function referencedKindOf(type: ResourceType): ReferencedKind {
  return { apiVersion: apiVersionOf(type), kind: type.kind }
}
