import type { KubeObject } from '../../api/object.ts'
import type { UnreadableObject } from '../../client/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Next } from '../../reconcile/reconciler.ts'
import type { Pair, Plan, Reference } from '../contract.ts'
import { copiedUid } from '../names/markers.ts'
import { nameOf, printName, sameName } from '../names/names.ts'
import type { UseOfNode } from '../nodes/contract.ts'
import { awaitsEndOfCopy } from '../plan/copy-protection.ts'
import { needsConfirmation } from '../plan/ending.ts'
import { isCarried, isToBeCopied, type PairFacts, type Planned, planObject } from '../plan/plan.ts'
import { noticeOf } from '../policy/notice.ts'
import { changesOften, doesNotEnd, keepsChanging, NotYet, SyncTrouble } from './failures/failure.ts'
import { isRefusedByQuota, partRefusedByHost, type QuotaRoom } from './failures/refused-by-host.ts'
import { unreadStub, unreadTrouble } from './failures/unread.ts'
import { type AwaitedCopy, whyAwaited } from './holds/awaited-copy.ts'
import { HeldTargets } from './holds/held-targets.ts'
import { holdersOf } from './holds/holders.ts'
import { type HoldParts, heldBy, lacksOwnHold, requireOwnHold } from './holds/own-hold.ts'
import { requireReferences } from './holds/required-references.ts'
import type { KindConfig, KindParts } from './kind-parts.ts'
import { isMadeByHost } from './made-by-host.ts'
import { type ObjectProgress, ObjectQueue } from './object-queue.ts'
import { Outcomes } from './outcomes.ts'
import type { KnownNamespaces } from './own-namespace.ts'
import { Pairs } from './pairs.ts'
import { reportPartsRefused, reportRefused } from './refusal-status.ts'
import type { RunningSync } from './served-run.ts'
import { type CommitContext, commitPlan, isWrite } from './writes/commit.ts'
import { ObjectMemory, type PlannedWrites, versionsOf } from './writes/object-memory.ts'

/** Keeps the copies of one kind in step: names from a queue, both sides from memory, a plan, a commit. */
export class KindSyncer implements RunningSync {
  readonly #parts: KindParts
  readonly #pairs: Pairs
  readonly #objects: ObjectQueue
  readonly #memory = new ObjectMemory()
  readonly #outcomes: Outcomes
  readonly #held = new HeldTargets()
  /** The object whose write is being learned: its writer decides whether to check it again. */
  #learning: ObjectName | undefined
  #config: KindConfig

  constructor(parts: KindParts, config: KindConfig) {
    this.#parts = parts
    this.#config = config
    this.#pairs = new Pairs({ ...parts, unreadable: (object) => this.#unreadable(object) }, config.rules)
    this.#objects = new ObjectQueue({
      look: (name) => this.#bringInStep(name, this.#config),
      config: () => this.#config,
      failed: (name, trouble) => this.#outcomes.failed(name, this.#pairs.virtual.get(name), trouble),
      handled: parts.observer.handled,
      settled: (name) => parts.references.settled(name),
      elapsed: parts.elapsed,
      clock: parts.clock,
    })
    this.#outcomes = new Outcomes(this.#objects.states, this.#memory, parts)
    void this.#start()
  }

  get progress(): ObjectProgress {
    return this.#objects
  }

  get trouble(): string | undefined {
    return this.#pairs.trouble
  }

  /** The virtual object that an object of the host is the copy of. */
  virtualOf(host: ObjectName): ObjectName | undefined {
    const object = this.#pairs.host.get(host)
    return object && this.#pairs.virtualOf(object)
  }

  /** The virtual object that the host's object with this uid is the copy of. */
  virtualObjectOf(host: ObjectName, uid: string): KubeObject | undefined {
    const copy = this.#pairs.host.get(host)
    const name = copy?.metadata.uid === uid && this.#pairs.virtualOf(copy)
    const virtual = name ? this.#pairs.virtual.get(name) : undefined
    return copy && virtual && copiedUid(copy) === virtual.metadata.uid ? virtual : undefined
  }

  copyOf(virtual: ObjectName): KubeObject | undefined {
    return this.#pairs.copyOf(virtual)
  }

  /** False until both sides are known. */
  lacksCopy(virtual: ObjectName): boolean {
    return this.#objects.isBegun && this.#pairs.copyOf(virtual) === undefined
  }

  /** The virtual objects whose copies hold an object of the host; undefined until both sides are known. */
  holdersOf(place: ObjectName): readonly ObjectName[] | undefined {
    return this.#objects.isBegun ? this.#pairs.holdersOf(place) : undefined
  }

  /** Asks the server itself if the object is not known. */
  async findVirtual(name: ObjectName, signal: AbortSignal): Promise<KubeObject | undefined> {
    return this.#pairs.virtual.get(name) ?? (await this.#pairs.readVirtual(name, signal))
  }

  /** Why an object with a reference waits for this copy. Every copy counts as missing until both sides are known. */
  async whyAwaited(name: Reference, signal: AbortSignal): Promise<AwaitedCopy | undefined> {
    const virtual = await this.#pairs.readVirtual(name, signal)
    if (!this.#objects.isBegun) return 'missing'
    return whyAwaited({
      virtual,
      copy: this.#pairs.copyOf(name),
      isCarried: virtual !== undefined && isCarried(virtual, this.#config.rules),
      isFailing: this.#objects.states.get(printName(name))?.state === 'failing',
      isSettled: !this.#objects.has(name),
      controllerUid: name.controllerUid,
    })
  }

  /** The namespaces, if this syncs them. Undefined until both sides are known. */
  asNamespaces(): KnownNamespaces | undefined {
    if (!this.#objects.isBegun) return undefined
    const nameIn = (virtual: string) => ({ namespace: '', name: virtual })
    return {
      names: this.#config.rules.setting.names,
      isCopied: (virtual) => this.#pairs.copyOf(nameIn(virtual)) !== undefined,
      readPlace: (virtual, signal) => this.#pairs.readPlace(nameIn(virtual), signal),
    }
  }

  /** How a node is used. Unknown until both sides are known. */
  useOf(node: string): UseOfNode {
    return this.#objects.isBegun ? this.#pairs.useOf(node) : 'unknown'
  }

  /** Called when it changes whether the host lists the Pods of a Service. */
  enqueueListsOf(service: ObjectName): void {
    for (const list of this.#pairs.listsOf(service)) this.enqueue(nameOf(list))
  }

  enqueue(virtual: ObjectName): void {
    this.#objects.add(virtual)
  }

  /** Retries objects that quotas of the host refused and for which there may be room now. */
  enqueueRefused(room: QuotaRoom): void {
    this.#objects.addFailing((trouble) => isRefusedByQuota(trouble, room))
  }

  /** Checks copies again that are on no node, because there may be a place for them now. */
  enqueueUnplaced(): void {
    if (!this.#objects.isBegun) return
    for (const name of this.#pairs.names()) {
      const copy = this.#pairs.copyOf(name)
      if (copy === undefined || this.#config.rules.kind.nodeOf?.(copy) !== '') continue
      this.#memory.checkAgain(printName(name))
      this.enqueue(name)
    }
  }

  enqueueAll(): void {
    for (const name of this.#pairs.names()) this.enqueue(name)
  }

  reconfigure(config: KindConfig): void {
    this.#config = config
    this.#pairs.useRules(config.rules)
    this.#memory.startOver()
    if (this.#objects.isBegun) this.enqueueAll()
  }

  async stop(): Promise<void> {
    this.#pairs.stop()
    await this.#objects.stop()
  }

  /** Nothing is decided before both sides are known. */
  async #start(): Promise<void> {
    try {
      await this.#pairs.whenSynced()
    } catch {
      return
    }
    if (this.#parts.virtualChanged) this.#pairs.virtual.onChange(this.#parts.virtualChanged)
    this.#pairs.onChange((name) => {
      if (this.#learning === undefined || !sameName(this.#learning, name)) this.enqueue(name)
    })
    this.#pairs.onCopyLost((name) => this.#parts.references.settled(name))
    this.#objects.begin()
    const { nodes } = this.#parts
    if (nodes !== undefined) this.#pairs.onUseOfNodes((node) => nodes.useChanged(node))
  }

  async #bringInStep(name: ObjectName, config: KindConfig): Promise<Next> {
    if (this.#mustRest(name)) return 'done'
    const pair = await this.#pairOf(name)
    if (pair === undefined) return this.#forget(name)
    const facts = await this.#factsOf(name, pair, config)
    const isWanted = facts.isWanted && !facts.isMadeByHost && !facts.lacksHold
    const versions = versionsOf(pair.virtual, pair.copy, isWanted)
    if (this.#memory.isInStep(printName(name), versions)) return 'done'
    this.#prepare(name, pair, config)
    const { plan, references, refusals = [] } = await this.#plan(name, pair, facts, config)
    if (config !== this.#config) return 'again'
    this.#parts.references.found(name, references)
    if ('host' in plan) await requireOwnHold(pair, this.#holdParts(config))
    if (plan.action === 'create') {
      await this.#parts.others.requirePlace(name.namespace, this.#objects.signal)
      await this.#requireReferences(name, pair.virtual, references)
    }
    const writes = this.#memory.writesOf(printName(name), pair, plan)
    if (this.#mustPause(name, pair, writes)) return 'done'
    const written = await commitPlan(plan, pair.virtual, this.#commitContext(name, pair, writes))
    if (config !== this.#config) return 'again'
    this.#outcomes.carriedOut(name, { plan, virtual: pair.virtual, versions, refusals })
    const notice = plan.action === 'nothing' ? noticeOf(refusals, false) : undefined
    if (notice !== undefined)
      await reportPartsRefused(pair, notice, config.rules, this.#commitContext(name, pair, writes))
    if (written !== undefined && this.#isLast(name, plan, written)) {
      this.#memory.setInStep(printName(name), versionsOf(pair.virtual, written, isWanted))
      return 'done'
    }
    return isWrite(plan) ? 'again' : 'done'
  }

  /**
   * A Pod that waits or was refused requests nothing in advance when it is retried, and one without a copy never does.
   */
  #prepare(name: ObjectName, { virtual, copy }: Pair, { rules }: KindConfig): void {
    const { companions } = this.#parts
    const isNew = copy === undefined && this.#objects.states.get(printName(name)) === undefined
    if (companions === undefined || virtual === undefined || !isNew || !isToBeCopied(virtual, rules)) return
    companions.prepare(virtual, this.#objects.signal)
  }

  /**
   * If something would be deleted because of it, neither side counts as missing before its server itself confirms it.
   */
  async #pairOf(name: ObjectName): Promise<Pair | undefined> {
    const known = this.#pairs.virtual.get(name)
    const copy = this.#pairs.copyOf(name) ?? (known && (await this.#unseenCopy(name, known)))
    if (copy === undefined) return known && { virtual: known, copy }
    const virtual = known ?? (await this.#pairs.readVirtual(name, this.#objects.signal))
    return virtual === undefined ? { virtual, copy } : { virtual, copy }
  }

  async #unseenCopy(name: ObjectName, virtual: KubeObject): Promise<KubeObject | undefined> {
    const { signal } = this.#objects
    if (needsConfirmation(virtual, this.#config.rules.kind)) return this.#pairs.readCopy(name, signal)
    return awaitsEndOfCopy(virtual) ? this.#pairs.findCopy(name, signal) : undefined
  }

  async #factsOf(name: ObjectName, pair: Pair, config: KindConfig): Promise<PairFacts> {
    const accepted = this.#memory.accepted(printName(name))
    const findService = (service: ObjectName) => this.#parts.others.findService(service, this.#objects.signal)
    const holders = holdersOf(name, pair, config.rules, this.#parts.others)
    const followed = [...heldBy(pair, config.rules), ...(holders ?? [])]
    this.#held.follow(printName(name), followed, (each) => this.#parts.references.awaits(name, each))
    return {
      isWanted: this.#isWanted(name, pair.copy, config),
      lacksHold: await lacksOwnHold(pair, this.#holdParts(config)),
      areNodesKnown: this.#parts.nodes?.areKnown !== false,
      isStillNamed: this.#isStillNamed(name, config),
      isStillHeld: holders === undefined || holders.length > 0,
      isMadeByHost: pair.virtual !== undefined && (await isMadeByHost(pair.virtual, config.rules, findService)),
      ...(accepted && { accepted }),
    }
  }

  async #requireReferences(
    name: ObjectName,
    virtual: KubeObject | undefined,
    references: readonly Reference[] = [],
  ): Promise<void> {
    const { others, observer } = this.#parts
    const awaits = (reference: Reference) => this.#parts.references.awaits(name, reference)
    const required = { rules: this.#config.rules, others, signal: this.#objects.signal, virtual, awaits }
    await requireReferences(references, required, (trouble) => observer.trouble(virtual, trouble))
  }

  #holdParts({ rules }: KindConfig): HoldParts {
    return { rules, others: this.#parts.others, host: this.#parts.host.client, signal: this.#objects.signal }
  }

  #isStillNamed(name: ObjectName, { rules: { kind, setting } }: KindConfig): boolean {
    const { references } = this.#parts
    if (kind.staysWhileNamed !== true || !setting.names.multiNamespace) return false
    return references.isReferenced(name) || !references.isComplete()
  }

  #isWanted(name: ObjectName, copy: KubeObject | undefined, { carriesAll }: KindConfig): boolean {
    const { references } = this.#parts
    return carriesAll || references.isReferenced(name) || (copy !== undefined && !references.isComplete())
  }

  async #plan(name: ObjectName, pair: Pair, facts: PairFacts, { rules }: KindConfig): Promise<Planned> {
    try {
      return await planObject(pair, rules, facts)
    } catch (error) {
      this.#parts.references.found(name, undefined)
      throw error
    }
  }

  #mustPause(name: ObjectName, { virtual }: Pair, writes: PlannedWrites): boolean {
    const nowMs = this.#parts.elapsed.now()
    const [pauseMs, paceMs] = [writes.pauseMs(nowMs), writes.paceMs(nowMs)]
    if (pauseMs === 0 && paceMs === 0) return false
    this.#objects.addAfter(name, Math.max(pauseMs, paceMs))
    if (pauseMs > 0) this.#outcomes.failing(name, virtual, keepsChanging)
    else this.#objects.states.set(printName(name), 'waiting', changesOften)
    return true
  }

  /** Before either server is asked: each event of the tenant's own server would cause a request to the host. */
  #mustRest(name: ObjectName): boolean {
    const virtual = this.#pairs.virtual.get(name)
    const restMs = virtual === undefined ? 0 : this.#memory.restMs(printName(name), virtual, this.#parts.elapsed.now())
    if (restMs === 0) return false
    this.#objects.addAfter(name, restMs)
    this.#outcomes.failing(name, virtual, doesNotEnd)
    return true
  }

  #commitContext(name: ObjectName, pair: Pair, writes: PlannedWrites): CommitContext {
    const { virtual, host, companions, clock, elapsed, mayWrite } = this.#parts
    const { rules } = this.#config
    const { kind, setting, hasSelectors } = rules
    const { multiNamespace } = setting.names
    const context: CommitContext = {
      writing: hasSelectors ? { unknownFields: 'refused' } : {},
      virtual: { ...virtual, informer: this.#pairs.virtual },
      host: { ...host, informer: this.#pairs.host },
      learnCopy: (written) => this.#learnCopy(name, written),
      showNode: async (node) => this.#parts.nodes?.show(node),
      signal: this.#objects.signal,
      mayWrite,
      isCopy: (object) => this.#pairs.isCopyOf(object, name),
      withoutPlace: (message) => {
        const trouble = { reason: 'HostNamespaceMissing', message }
        return multiNamespace ? new NotYet(trouble) : new SyncTrouble(trouble)
      },
      // The host's controller removes its lists a little later than their Service.
      taken: (trouble) => (kind.listsPodsOf && setting.podsRunOnHost ? new NotYet(trouble) : new SyncTrouble(trouble)),
      onTrial: (copy) => kind.onTrial?.(copy),
      wroteHost: (verb) => {
        writes.wroteHost(elapsed.now())
        this.#outcomes.wrote(name, 'host', verb)
      },
      wroteVirtual: (written) => {
        writes.wroteVirtual(written, elapsed.now())
        this.#outcomes.wrote(name, 'virtual', 'update')
      },
      endedVirtual: (virtual) => {
        this.#memory.ended(printName(name), virtual, elapsed.now())
        this.#outcomes.wrote(name, 'virtual', 'delete')
      },
      refused: (error, place) => reportRefused({ pair, error, place, nowMs: clock.now() }, rules, context),
      partRefused: (error, subresource, place) =>
        partRefusedByHost(error, `${host.type.resource}/${subresource}`, name, place) ?? error,
      partsRefused: (trouble) => reportPartsRefused(pair, trouble, rules, context),
      provide: async (place) => {
        if (pair.virtual !== undefined) await companions?.provide(pair.virtual, place, this.#objects.signal)
      },
      made: (copy) => pair.virtual && companions?.made(pair.virtual, copy),
      notMade: (place) => pair.virtual && companions?.refused(pair.virtual, place),
    }
    return context
  }

  #learnCopy(name: ObjectName, written: KubeObject): void {
    this.#learning = name
    try {
      this.#pairs.host.learn(written)
    } finally {
      this.#learning = undefined
    }
  }

  /** After a write as planned, nothing is left to check, unless the virtual side adopts something. */
  #isLast(name: ObjectName, plan: Plan, written: KubeObject): boolean {
    const { kind } = this.#config.rules
    const how = this.#memory.compare(printName(name), plan, written, kind)
    const isWhole =
      plan.action === 'create' || (plan.action === 'update' && !plan.virtual && !plan.isPreparation && !plan.trouble)
    return how === 'as planned' && isWhole && kind.toVirtual === undefined
  }

  #forget(name: ObjectName): Next {
    this.#parts.references.found(name, [])
    this.#held.forget(printName(name))
    this.#outcomes.forget(name)
    return 'done'
  }

  /** The object is not synced, and its owner is notified why. */
  #unreadable(object: UnreadableObject): void {
    const stub = unreadStub(object, this.#parts.virtual.type)
    if (stub !== undefined) this.#parts.observer.trouble(stub, unreadTrouble(object))
  }
}
