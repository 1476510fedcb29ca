import { apiVersionOf, type KubeObject } from '../../api/object.ts'
import type { UnreadableObject } from '../../client/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Next } from '../../reconcile/reconciler.ts'
import type { Trouble } from '../contract.ts'
import { printName } from '../names/names.ts'
import { translatedObject } from '../plan/patched.ts'
import { ReadAgain, SyncTrouble } from '../run/failures/failure.ts'
import { unreadTrouble } from '../run/failures/unread.ts'
import type { KindParts } from '../run/kind-parts.ts'
import { type ObjectProgress, ObjectQueue } from '../run/object-queue.ts'
import type { RunningSync } from '../run/served-run.ts'
import { WriteLimit } from '../run/writes/write-limit.ts'
import { commitImport, ImportNameTaken } from './commit.ts'
import type { ImportConfig, ImportPlan, ImportWrite } from './contract.ts'
import { ImportPairs } from './import-pairs.ts'
import { planImport } from './plan.ts'

export type ImportParts = Pick<KindParts, 'virtual' | 'host' | 'observer' | 'mayWrite' | 'log' | 'clock' | 'elapsed'>

const perhapsReferenced: Trouble = {
  reason: 'ReferencesUnknown',
  message: 'whether something still refers to it is not known yet',
}
const removing: Trouble = { reason: 'Removing', message: 'its source is gone' }

const keepsChanging: Trouble = {
  reason: 'KeepsChanging',
  message: 'another client changes this import after every write, so it is written less and less often',
}

/** Imports objects of the host into the virtual cluster and keeps them up to date, in one direction. */
export class ImportSyncer implements RunningSync {
  readonly #parts: ImportParts
  readonly #pairs: ImportPairs
  readonly #objects: ObjectQueue
  readonly #limit = new WriteLimit()
  #config: ImportConfig

  constructor(parts: ImportParts, config: ImportConfig) {
    this.#parts = parts
    this.#config = config
    this.#pairs = new ImportPairs(parts, config, (source) => this.#unreadable(source))
    this.#objects = new ObjectQueue({
      look: (place) => this.#bringInStep(place, this.#config),
      config: () => this.#config,
      failed: (place, trouble, error) => this.#failed(place, trouble, error),
      handled: parts.observer.handled,
      elapsed: parts.elapsed,
      clock: parts.clock,
    })
    void this.#start()
  }

  get progress(): ObjectProgress {
    return this.#objects
  }

  get trouble(): string | undefined {
    return this.#pairs.trouble
  }

  enqueue(virtual: ObjectName): void {
    this.#objects.add(virtual)
  }

  enqueueAll(): void {
    if (!this.#objects.isBegun) return
    for (const name of this.#pairs.names((host) => this.#config.virtualOf(host))) this.enqueue(name)
  }

  /** The sources must be unchanged. */
  reconfigure(config: ImportConfig): void {
    this.#config = config
    this.#limit.forgetAll()
    this.enqueueAll()
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
    this.#pairs.onChange(
      (host) => this.#config.virtualOf(host),
      (name) => this.enqueue(name),
    )
    this.#objects.begin()
  }

  async #bringInStep(place: ObjectName, config: ImportConfig): Promise<Next> {
    const there = this.#pairs.importAt(place)
    const host = config.hostOf(place)
    if (host === undefined && there !== undefined && !config.isComplete()) {
      this.#objects.states.set(printName(place), 'waiting', perhapsReferenced)
      return 'done'
    }
    const source = host && (await this.#pairs.sourceAt(host, there, config, this.#objects.signal))
    const plan = await planImport(source, there, place, config.rules)
    return config === this.#config ? this.#carryOut(plan, place, source) : 'again'
  }

  async #carryOut(plan: ImportPlan, place: ObjectName, source: KubeObject | undefined): Promise<Next> {
    const name = printName(place)
    switch (plan.action) {
      case 'fail':
        throw new SyncTrouble(plan.trouble)
      case 'nothing':
        if (source === undefined) this.#forget(name)
        else this.#objects.states.set(name, 'in-step')
        return 'done'
      case 'wait':
        this.#objects.states.set(name, 'waiting', plan.trouble)
        return 'done'
      case 'create':
      case 'update':
      case 'delete':
        if (this.#mustPause(place, source)) return 'done'
        await this.#write(plan, name)
        this.#limit.wrote(name, versionOf(source), this.#parts.elapsed.now())
        if (plan.action === 'delete') return this.#afterDeletion(plan, name)
        this.#objects.states.set(name, 'in-step')
        return 'done'
    }
  }

  /** An object that was recreated on the host is imported again. The end of one with finalizers will be reported. */
  #afterDeletion({ virtual }: ImportWrite, name: string): Next {
    if (virtual.metadata.finalizers === undefined) return 'again'
    this.#objects.states.set(name, 'waiting', removing)
    return 'done'
  }

  #forget(name: string): void {
    this.#limit.forget(name)
    this.#objects.states.forget(name)
  }

  #mustPause(place: ObjectName, source: KubeObject | undefined): boolean {
    const name = printName(place)
    const pauseMs = this.#limit.pauseMs(name, versionOf(source), this.#parts.elapsed.now())
    if (pauseMs === 0) return false
    this.#objects.addAfter(place, pauseMs)
    this.#objects.states.set(name, 'failing', keepsChanging)
    this.#parts.observer.trouble(this.#pairs.importAt(place), keepsChanging)
    return true
  }

  async #write(plan: ImportWrite, name: string): Promise<void> {
    const { virtual, observer, clock, mayWrite } = this.#parts
    if (!mayWrite()) throw new ReadAgain('another replica leads now')
    await commitImport(plan, {
      virtual: { ...virtual, informer: this.#pairs.virtual },
      cause: this.#config.rules.cause,
      signal: this.#objects.signal,
    })
    observer.wrote('virtual', plan.action)
    this.#objects.states.wrote(name, { side: 'virtual', verb: plan.action, atMs: clock.now() })
  }

  #failed(place: ObjectName, trouble: Trouble, error: unknown): void {
    this.#parts.log.warn('an object is not imported', { object: printName(place), ...trouble })
    this.#parts.observer.trouble(this.#toldOn(place, error), trouble)
  }

  #unreadable(source: UnreadableObject): void {
    const place = source.name === '' ? undefined : this.#config.virtualOf(source)
    if (place === undefined) return
    this.#parts.observer.trouble(this.#pairs.importAt(place) ?? this.#expectedAt(place), unreadTrouble(source))
  }

  /** An Event can be about an object that does not exist yet. */
  #toldOn(place: ObjectName, error: unknown): KubeObject | undefined {
    if (!(error instanceof ImportNameTaken)) return this.#pairs.importAt(place) ?? this.#expectedAt(place)
    // The syncer that copies the tenant's object to the host reports that its name there is taken.
    return this.#config.rules.cause === 'reference' ? undefined : error.object
  }

  #expectedAt(place: ObjectName): KubeObject {
    const { type } = this.#parts.virtual
    const described = { apiVersion: apiVersionOf(type), kind: type.kind }
    return translatedObject(described, place, { labels: {}, annotations: {} }, {})
  }
}

function versionOf(object: KubeObject | undefined): string {
  return object?.metadata.resourceVersion ?? ''
}
