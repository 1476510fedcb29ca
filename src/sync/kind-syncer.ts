import type { KubeObject } from '../api/object.ts'
import { WorkQueue } from '../base/work-queue.ts'
import type { ObjectName } from '../patches/contract.ts'
import { type CommitContext, commit, isWrite, type Verb } from './commit.ts'
import type { Pair, Plan, Trouble } from './contract.ts'
import { failureOf, NotYet, pauseAfter, SyncTrouble } from './failure.ts'
import { FirstPass } from './first-pass.ts'
import type { KindConfig, KindParts } from './kind-parts.ts'
import { parseName, printName } from './names.ts'
import { ObjectMemory, type PlannedWrites, versionsOf } from './object-memory.ts'
import { Pairs } from './pairs.ts'
import { type Planned, planObject } from './plan.ts'
import type { RunningSync } from './served-run.ts'
import { StateTable } from './states.ts'
import { stopping } from './stopping.ts'

/** Fewer than there are connections, so that a kind whose writes are slow does not hold up the others. */
const workers = 16
/** Until then what is missing may still be on its way. */
const patientAttempts = 5

const keepsChanging: Trouble = {
  reason: 'KeepsChanging',
  message: 'somebody undoes what is written here after every write, so it is written less and less often',
}

/** Keeps the copies of one kind in step: names from a queue, both sides from memory, a plan, a commit. */
export class KindSyncer implements RunningSync {
  readonly states = new StateTable()
  readonly #parts: KindParts
  readonly #pairs: Pairs
  readonly #queue: WorkQueue
  readonly #firstPass = new FirstPass()
  readonly #memory = new ObjectMemory()
  readonly #stopped = stopping()
  #config: KindConfig

  constructor(parts: KindParts, config: KindConfig) {
    this.#parts = parts
    this.#config = config
    this.#pairs = new Pairs(parts, config.rules)
    this.#queue = new WorkQueue({
      handle: (name) => this.#handle(name),
      onError: (name, error, attempt) => this.#failed(name, error, attempt),
      pauseMs: pauseAfter,
      workers,
    })
    void this.#start()
  }

  get queueLength(): number {
    return this.#queue.length
  }

  get isSettled(): boolean {
    return this.#firstPass.isOver
  }

  get trouble(): string | undefined {
    return this.#pairs.trouble
  }

  whenSettled(): Promise<void> {
    return this.#firstPass.whenOver()
  }

  whenIdle(): Promise<void> {
    return this.#queue.whenIdle()
  }

  /** Of which virtual object an object of the host is the copy. */
  virtualOf(host: ObjectName): ObjectName | undefined {
    const object = this.#pairs.host.get(host)
    return object && this.#pairs.virtualOf(object)
  }

  enqueue(virtual: ObjectName): void {
    const name = printName(virtual)
    this.#firstPass.add(name)
    this.#queue.add(name)
  }

  enqueueAll(): void {
    for (const name of this.#pairs.names()) this.enqueue(name)
  }

  reconfigure(config: KindConfig): void {
    this.#config = config
    this.#pairs.useRules(config.rules)
    this.#memory.startOver()
    if (this.#firstPass.isBegun) this.enqueueAll()
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#pairs.stop()
    await this.#queue.stop()
    this.#firstPass.end()
  }

  /** Nothing is decided before both sides are known. */
  async #start(): Promise<void> {
    try {
      await this.#pairs.whenSynced()
    } catch {
      return
    }
    this.#pairs.onChange((name) => this.enqueue(name))
    this.#firstPass.begin()
  }

  async #handle(text: string): Promise<void> {
    const startedMs = performance.now()
    const config = this.#config
    try {
      const result = await this.#reconcile(parseName(text), text, config)
      if (result === 'done') this.#firstPass.done(text)
      else if (this.#firstPass.wrote(text)) this.#queue.add(text)
    } catch (error) {
      if (config === this.#config) throw error
    } finally {
      if (config !== this.#config) this.#queue.add(text)
      this.#parts.observer.handled((performance.now() - startedMs) / 1000)
    }
  }

  /** Whether something was written that may need something else. */
  async #reconcile(name: ObjectName, text: string, config: KindConfig): Promise<'done' | 'wrote'> {
    const pair = await this.#pairOf(name)
    if (pair === undefined) {
      this.#forget(name, text)
      return 'done'
    }
    const isWanted = this.#isWanted(name, pair.copy, config)
    const versions = versionsOf(pair.virtual, pair.copy, isWanted)
    if (this.#memory.isInStep(text, versions)) return 'done'
    const { plan, references } = await this.#plan(name, pair, isWanted, config)
    if (config !== this.#config) return 'wrote'
    this.#parts.references.found(name, references)
    const writes = this.#memory.writesOf(text, pair, plan)
    if (this.#mustPause(text, pair, writes)) return 'done'
    const written = await commit(plan, pair.virtual, this.#commitContext(name, text, writes))
    // What was in step under the configuration of before says nothing about this one.
    if (config !== this.#config) return 'wrote'
    this.#note(text, plan, pair.virtual, versions)
    if (written !== undefined) this.#wrote(text, plan, { virtual: pair.virtual, written, isWanted })
    return isWrite(plan) ? 'wrote' : 'done'
  }

  async #plan(name: ObjectName, pair: Pair, isWanted: boolean, { rules }: KindConfig): Promise<Planned> {
    const text = printName(name)
    const accepted = this.#memory.accepted(text)
    const flowed = this.#memory.flowed(text, pair.copy)
    try {
      return await planObject(pair, rules, { isWanted, ...(accepted && { accepted }), ...(flowed && { flowed }) })
    } catch (error) {
      this.#parts.references.found(name, undefined)
      throw error
    }
  }

  /** A copy is an orphan only if the server itself says that the virtual object is gone. */
  async #pairOf(name: ObjectName): Promise<Pair | undefined> {
    const known = this.#pairs.virtual.get(name)
    const copy = this.#pairs.copyOf(name)
    if (copy === undefined) return known && { virtual: known, copy }
    const virtual = known ?? (await this.#pairs.readVirtual(name, this.#stopped.signal))
    return virtual === undefined ? { virtual, copy } : { virtual, copy }
  }

  #isWanted(name: ObjectName, copy: KubeObject | undefined, { carriesAll }: KindConfig): boolean {
    const { references } = this.#parts
    return carriesAll || references.isReferenced(name) || (copy !== undefined && !references.isComplete())
  }

  #mustPause(text: string, pair: Pair, writes: PlannedWrites): boolean {
    const pauseMs = writes.pauseMs(this.#parts.clock.now())
    if (pauseMs === 0) return false
    this.#queue.addAfter(text, pauseMs)
    this.#report(text, pair.virtual, keepsChanging)
    return true
  }

  #commitContext(name: ObjectName, text: string, writes: PlannedWrites): CommitContext {
    const { virtual, host, clock, mayWrite } = this.#parts
    const { multiNamespace } = this.#config.rules.setting.names
    return {
      virtual: { ...virtual, informer: this.#pairs.virtual },
      host: { ...host, informer: this.#pairs.host },
      signal: this.#stopped.signal,
      mayWrite,
      isCopy: (object) => this.#pairs.isCopyOf(object, name),
      withoutPlace: (message) => {
        const trouble = { reason: 'HostNamespaceMissing', message }
        return multiNamespace ? new NotYet(trouble) : new SyncTrouble(trouble)
      },
      wroteHost: (verb) => {
        writes.wroteHost(clock.now())
        this.#told(text, 'host', verb)
      },
      wroteVirtual: (written) => {
        writes.wroteVirtual(written, clock.now())
        this.#told(text, 'virtual', 'update')
      },
    }
  }

  #told(text: string, side: 'virtual' | 'host', verb: Verb): void {
    const { clock, observer } = this.#parts
    this.states.wrote(text, { side, verb, atMs: clock.now() })
    observer.wrote(side, verb)
  }

  #note(text: string, plan: Plan, virtual: KubeObject | undefined, versions: string): void {
    if (plan.action === 'fail') throw new SyncTrouble(plan.trouble)
    if (plan.action === 'wait') this.states.set(text, 'waiting', plan.trouble)
    else if (plan.action === 'leave out') this.states.forget(text)
    else if (plan.action === 'delete') this.states.set(text, 'waiting', { reason: 'Removing', message: plan.because })
    else if (plan.action !== 'create' && plan.trouble !== undefined) this.#report(text, virtual, plan.trouble)
    else {
      this.states.set(text, 'in-step')
      if (plan.action === 'nothing') this.#memory.setInStep(text, versions)
    }
  }

  /** Written as planned, there is nothing more to look at, unless the virtual side takes something over. */
  #wrote(
    text: string,
    plan: Plan,
    now: { readonly virtual: KubeObject | undefined; readonly written: KubeObject; readonly isWanted: boolean },
  ): void {
    const { kind } = this.#config.rules
    const how = this.#memory.compare(text, plan, now.written, kind)
    const isLast = plan.action === 'create' || (plan.action === 'update' && !plan.virtual && !plan.trouble)
    if (how !== 'as planned' || !isLast || kind.toVirtual !== undefined) return
    this.#memory.setInStep(text, versionsOf(now.virtual, now.written, now.isWanted))
  }

  /** Trying again would change nothing; a change of either side or of the configuration does. */
  #report(text: string, virtual: KubeObject | undefined, trouble: Trouble): void {
    this.states.set(text, 'failing', trouble)
    this.#parts.observer.trouble(virtual, trouble)
  }

  #forget(name: ObjectName, text: string): void {
    this.#parts.references.found(name, [])
    this.#memory.forget(text)
    this.states.forget(text)
  }

  #failed(text: string, error: unknown, attempt: number): void {
    const failure = failureOf(error)
    switch (failure.type) {
      case 'conflict':
        return
      case 'unreachable':
        this.states.set(text, 'waiting', { reason: 'Unreachable', message: failure.message })
        return
      case 'not yet':
        this.#firstPass.done(text)
        if (attempt < patientAttempts) this.states.set(text, 'waiting', failure.trouble)
        else this.#notInStep(text, failure.trouble)
        return
      case 'trouble':
        this.#firstPass.done(text)
        this.#notInStep(text, failure.trouble)
    }
  }

  #notInStep(text: string, trouble: Trouble): void {
    this.#parts.log.warn('an object is not in step', { object: text, ...trouble })
    this.#report(text, this.#pairs.virtual.get(parseName(text)), trouble)
  }
}
