import { ApiError } from '../api/error.ts'
import type { KubeObject } from '../api/object.ts'
import { WorkQueue } from '../base/work-queue.ts'
import type { Change, Informer } from '../client/contract.ts'
import type { ObjectName } from '../patches/contract.ts'
import { type CommitContext, commit } from './commit.ts'
import type { Pair, Plan, SyncKind, Trouble } from './contract.ts'
import { failureOf, NotYet, pauseAfter, SyncTrouble } from './failure.ts'
import { fieldsOf, holdsWanted } from './fields.ts'
import { FirstPass } from './first-pass.ts'
import { valueHash } from './hash.ts'
import { keptVirtual } from './kept-object.ts'
import type { KindConfig, KindParts } from './kind-parts.ts'
import { readLastSync } from './last-sync.ts'
import { copySelector, virtualNameOf } from './markers.ts'
import { sameMap } from './merge.ts'
import { nameOf, parseName, printName, sameName } from './names.ts'
import { planObject } from './plan.ts'
import type { AcceptedFields } from './plan-both.ts'
import { StateTable } from './states.ts'
import { stopping } from './stopping.ts'
import { WriteLimit } from './write-limit.ts'

const workers = 32

const keepsChanging: Trouble = {
  reason: 'KeepsChanging',
  message: 'somebody undoes what is written here after every write, so it is written less and less often',
}

/** Keeps the copies of one kind in step: names from a queue, both sides from memory, a plan, a commit. */
export class KindSyncer {
  readonly states = new StateTable()
  readonly #parts: KindParts
  readonly #queue: WorkQueue
  readonly #stopped = stopping()
  readonly #virtual: Informer
  readonly #host: Informer
  readonly #firstPass = new FirstPass()
  readonly #hostLimit = new WriteLimit()
  readonly #virtualLimit = new WriteLimit()
  /** By name: the versions of both sides when they were last found in step. */
  readonly #seen = new Map<string, string>()
  readonly #accepted = new Map<string, AcceptedFields>()
  #virtualNames = new WeakMap<KubeObject, { readonly name: ObjectName | undefined }>()
  #config: KindConfig

  constructor(parts: KindParts, config: KindConfig) {
    const { virtual, host, hostNamespace } = parts
    const labelSelector = copySelector(config.rules.owner.identity)
    this.#parts = parts
    this.#config = config
    this.#virtual = virtual.client.informer(virtual.type, { keep: keptVirtual })
    this.#host = host.client.informer(host.type, {
      labelSelector,
      ...(hostNamespace !== undefined && host.type.namespaced && { namespace: hostNamespace }),
    })
    this.#queue = new WorkQueue({
      handle: (name) => this.#handle(name),
      onError: (name, error) => this.#failed(name, error),
      pauseMs: pauseAfter,
      workers,
    })
    void this.#start()
  }

  get config(): KindConfig {
    return this.#config
  }

  get queueLength(): number {
    return this.#queue.length
  }

  /** Every object has been looked at once since the start. */
  get isSettled(): boolean {
    return this.#firstPass.isOver
  }

  /** Why a side cannot be followed at the moment. */
  get trouble(): string | undefined {
    return this.#virtual.trouble ?? this.#host.trouble
  }

  whenSettled(): Promise<void> {
    return this.#firstPass.whenOver()
  }

  whenIdle(): Promise<void> {
    return this.#queue.whenIdle()
  }

  /** Of which virtual object an object of the host is the copy. */
  virtualOf(host: ObjectName): ObjectName | undefined {
    const object = this.#host.get(host)
    return object && this.#virtualNameOf(object)
  }

  hasVirtual(name: ObjectName): boolean {
    return this.#virtual.get(name) !== undefined
  }

  enqueue(name: ObjectName): void {
    this.#queue.add(printName(name))
  }

  enqueueAll(): void {
    for (const object of this.#virtual.all()) this.enqueue(nameOf(object))
    for (const object of this.#host.all()) this.#enqueueCopy(object)
  }

  reconfigure(config: KindConfig): void {
    this.#config = config
    this.#seen.clear()
    this.#virtualNames = new WeakMap()
    if (this.isSettled) this.enqueueAll()
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#virtual.stop()
    this.#host.stop()
    await this.#queue.stop()
    this.#firstPass.end()
  }

  /** Nothing is decided before both sides are known. */
  async #start(): Promise<void> {
    try {
      await Promise.all([this.#virtual.whenSynced(), this.#host.whenSynced()])
    } catch {
      return
    }
    this.#virtual.onChange(({ before, after }) =>
      this.#changed(after ?? before, (object) => this.#enqueueVirtual(object)),
    )
    this.#host.onChange((change) => this.#copyChanged(change))
    this.#firstPass.begin()
  }

  #changed(object: KubeObject | undefined, enqueue: (object: KubeObject) => void): void {
    if (object !== undefined) enqueue(object)
  }

  #copyChanged({ before, after }: Change): void {
    this.#changed(after, (object) => this.#enqueueCopy(object))
    this.#changed(before, (object) => this.#enqueueCopy(object))
  }

  #enqueueVirtual(object: KubeObject): void {
    const name = printName(nameOf(object))
    this.#firstPass.add(name)
    this.#queue.add(name)
  }

  #enqueueCopy(object: KubeObject): void {
    const virtual = this.#virtualNameOf(object)
    if (virtual === undefined) return
    const name = printName(virtual)
    this.#firstPass.add(name)
    this.#queue.add(name)
  }

  /** Objects never change, so each is looked at once under a configuration. */
  #virtualNameOf(object: KubeObject): ObjectName | undefined {
    const known = this.#virtualNames.get(object)
    if (known !== undefined) return known.name
    const { owner, hostOf } = this.#config.rules
    const name = virtualNameOf(object, owner, hostOf)
    this.#virtualNames.set(object, { name })
    return name
  }

  async #handle(name: string): Promise<void> {
    const startedMs = performance.now()
    const config = this.#config
    try {
      await this.#reconcile(parseName(name), name, config)
    } catch (error) {
      if (config === this.#config) throw error
      this.#queue.add(name)
    } finally {
      this.#firstPass.done(name)
      this.#parts.observer.handled((performance.now() - startedMs) / 1000)
    }
  }

  async #reconcile(name: ObjectName, text: string, config: KindConfig): Promise<void> {
    const { rules } = config
    const copy = this.#copyOf(name)
    const virtual = this.#virtual.get(name) ?? (copy && (await this.#liveVirtual(name)))
    if (virtual === undefined && copy === undefined) return this.#forget(name, text)
    const isWanted = this.#isWanted(name, copy, config)
    const versions = versionsOf(virtual, copy, isWanted)
    if (this.#seen.get(text) === versions) return
    const accepted = this.#accepted.get(text)
    const pair = { virtual, copy } as Pair
    const { plan, references } = await planObject(pair, rules, { isWanted, ...(accepted && { accepted }) })
    if (config !== this.#config) return this.#queue.add(text)
    this.#parts.references.found(name, references)
    if (this.#mustPause(text, pair, plan)) return
    const written = await commit(plan, virtual, this.#commitContext(name, text))
    this.#note(text, plan, virtual, versions)
    if (written !== undefined) this.#learn(text, plan, { virtual, written, isWanted }, rules.kind)
  }

  #copyOf(name: ObjectName): KubeObject | undefined {
    const place = this.#config.rules.hostOf(name)
    const object = place && this.#host.get(place)
    return object && this.#isCopyOf(object, name) ? object : undefined
  }

  #isCopyOf(object: KubeObject, name: ObjectName): boolean {
    const virtual = this.#virtualNameOf(object)
    return virtual !== undefined && sameName(virtual, name)
  }

  /** A copy is an orphan only if the server itself says that the virtual object is gone. */
  async #liveVirtual(name: ObjectName): Promise<KubeObject | undefined> {
    const { client, type } = this.#parts.virtual
    try {
      const object = await client.get(type, name, this.#stopped.signal)
      this.#virtual.learn(object)
      return object
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined
      throw error
    }
  }

  #isWanted(name: ObjectName, copy: KubeObject | undefined, { carriesAll }: KindConfig): boolean {
    const { references } = this.#parts
    return carriesAll || references.isReferenced(name) || (copy !== undefined && !references.isComplete())
  }

  #mustPause(text: string, { virtual, copy }: Pair, plan: Plan): boolean {
    if (plan.action !== 'update') return false
    const nowMs = this.#parts.clock.now()
    const limits = [
      ...(plan.host === undefined
        ? []
        : [{ limit: this.#hostLimit, version: virtual?.metadata.resourceVersion ?? '' }]),
      ...(plan.virtual === undefined
        ? []
        : [{ limit: this.#virtualLimit, version: copy?.metadata.resourceVersion ?? '' }]),
    ]
    const pauseMs = Math.max(0, ...limits.map(({ limit, version }) => limit.pauseMs(text, version, nowMs)))
    if (pauseMs > 0) {
      this.#queue.addAfter(text, pauseMs)
      this.#report(text, virtual, keepsChanging)
      return true
    }
    for (const { limit, version } of limits) limit.wrote(text, version, nowMs)
    return false
  }

  #commitContext(name: ObjectName, text: string): CommitContext {
    const { virtual, host, observer, clock, mayWrite } = this.#parts
    return {
      virtual: { ...virtual, informer: this.#virtual },
      host: { ...host, informer: this.#host },
      signal: this.#stopped.signal,
      mayWrite,
      isCopy: (object) => this.#isCopyOf(object, name),
      withoutPlace: (message) =>
        this.#config.rules.setting.names.multiNamespace
          ? new NotYet(message)
          : new SyncTrouble({ reason: 'HostNamespaceMissing', message }),
      wrote: (side, verb) => {
        this.states.wrote(text, { side, verb, atMs: clock.now() })
        observer.wrote(side, verb)
      },
    }
  }

  #note(text: string, plan: Plan, virtual: KubeObject | undefined, versions: string): void {
    if (plan.action === 'fail') throw new SyncTrouble(plan.trouble)
    if (plan.action === 'wait') this.states.set(text, 'waiting', plan.trouble)
    else if (plan.action === 'leave out') this.states.forget(text)
    else if (plan.action === 'delete') this.states.set(text, 'waiting', { reason: 'Removing', message: plan.because })
    else if (plan.action !== 'create' && plan.trouble !== undefined) this.#report(text, virtual, plan.trouble)
    else {
      this.states.set(text, 'in-step')
      if (plan.action === 'nothing') this.#seen.set(text, versions)
    }
  }

  /** Trying again would change nothing; a change of either side or of the configuration does. */
  #report(text: string, virtual: KubeObject | undefined, trouble: Trouble): void {
    this.states.set(text, 'failing', trouble)
    this.#parts.observer.trouble(virtual, trouble)
  }

  /** A server may show fields in another form than they were written; then that is what it makes of them. */
  #learn(text: string, plan: Plan, now: Written, kind: SyncKind): void {
    if ((plan.action !== 'create' && plan.action !== 'update') || plan.host === undefined) return
    const { virtual, written, isWanted } = now
    if (!holdsWanted(written, fieldsOf(plan.host), kind)) {
      this.#accepted.set(text, { written: readLastSync(plan.host).fields, shown: valueHash(fieldsOf(written)) })
      return
    }
    this.#accepted.delete(text)
    const isDone = kind.toVirtual === undefined && (plan.action === 'create' || plan.virtual === undefined)
    if (isDone && hasSameMaps(written, plan.host)) this.#seen.set(text, versionsOf(virtual, written, isWanted))
  }

  #forget(name: ObjectName, text: string): void {
    this.#parts.references.found(name, [])
    this.#seen.delete(text)
    this.#accepted.delete(text)
    this.#hostLimit.forget(text)
    this.#virtualLimit.forget(text)
    this.states.forget(text)
  }

  #failed(text: string, error: unknown): void {
    const failure = failureOf(error)
    if (failure.type === 'conflict') return
    if (failure.type === 'unreachable') {
      this.states.set(text, 'waiting', { reason: 'Unreachable', message: failure.message })
      return
    }
    const name = parseName(text)
    this.#parts.references.found(name, undefined)
    this.states.set(text, 'failing', failure.trouble)
    this.#parts.log.warn('an object is not in step', { object: text, ...failure.trouble })
    this.#parts.observer.trouble(this.#virtual.get(name), failure.trouble)
  }
}

interface Written {
  readonly virtual: KubeObject | undefined
  readonly written: KubeObject
  readonly isWanted: boolean
}

/** As long as this is the same, there is nothing to look at. */
function versionsOf(virtual: KubeObject | undefined, copy: KubeObject | undefined, isWanted: boolean): string {
  return `${virtual?.metadata.resourceVersion}/${copy?.metadata.resourceVersion}/${isWanted}`
}

function hasSameMaps({ metadata: left }: KubeObject, { metadata: right }: KubeObject): boolean {
  return sameMap(left.labels ?? {}, right.labels ?? {}) && sameMap(left.annotations ?? {}, right.annotations ?? {})
}
