import { ApiError } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { WorkQueue } from '../../base/work-queue.ts'
import type { Informer, InformerOptions } from '../../client/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { failureOf, pauseAfter, ReadAgain, SyncTrouble } from '../failure.ts'
import { FirstPass } from '../first-pass.ts'
import type { KindParts } from '../kind-parts.ts'
import { importedLabel } from '../markers.ts'
import { nameOf, parseName, printName } from '../names.ts'
import { StateTable } from '../states.ts'
import { stopping } from '../stopping.ts'
import { type ImportPlan, type ImportRules, planImport } from './plan.ts'

export type ImportParts = Pick<KindParts, 'virtual' | 'host' | 'observer' | 'mayWrite' | 'log' | 'clock'>

export interface ImportConfig {
  readonly rules: ImportRules
  virtualOf(host: ObjectName): ObjectName | undefined
  hostOf(virtual: ObjectName): ObjectName | undefined
  /** Whether an object of the host may be imported at all. */
  mayImport(object: KubeObject): boolean
  /** What of the host is watched. */
  readonly sources: readonly InformerOptions[]
  /** The sources are known without their content, which is read when it is needed. */
  readonly readsContent: boolean
}

/** Brings objects of the host into the virtual cluster and keeps them up to date, one way. */
export class ImportSyncer {
  readonly states = new StateTable()
  readonly #parts: ImportParts
  readonly #config: ImportConfig
  readonly #sources: readonly Informer[]
  readonly #virtual: Informer
  readonly #queue: WorkQueue
  readonly #stopped = stopping()
  readonly #firstPass = new FirstPass()

  constructor(parts: ImportParts, config: ImportConfig) {
    const { virtual, host } = parts
    this.#parts = parts
    this.#config = config
    this.#sources = config.sources.map((source) => host.client.informer(host.type, source))
    const labelSelector = `${importedLabel}=${config.rules.cause}`
    this.#virtual = virtual.client.informer(virtual.type, { labelSelector })
    this.#queue = new WorkQueue({
      handle: (name) => this.#handle(name),
      onError: (name, error) => this.#failed(name, error),
      pauseMs: pauseAfter,
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
    return [this.#virtual, ...this.#sources]
      .map((informer) => informer.trouble)
      .find((trouble) => trouble !== undefined)
  }

  whenSettled(): Promise<void> {
    return this.#firstPass.whenOver()
  }

  enqueue(virtual: ObjectName): void {
    const name = printName(virtual)
    this.#firstPass.add(name)
    this.#queue.add(name)
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    for (const informer of [this.#virtual, ...this.#sources]) informer.stop()
    await this.#queue.stop()
    this.#firstPass.end()
  }

  async #start(): Promise<void> {
    try {
      await Promise.all([this.#virtual, ...this.#sources].map((informer) => informer.whenSynced()))
    } catch {
      return
    }
    this.#virtual.onChange(({ before, after }) => this.#enqueueOf(after ?? before, nameOf))
    for (const source of this.#sources) {
      source.onChange(({ before, after }) =>
        this.#enqueueOf(after ?? before, (object) => this.#config.virtualOf(nameOf(object))),
      )
    }
    this.#firstPass.begin()
  }

  #enqueueOf(object: KubeObject | undefined, virtualOf: (object: KubeObject) => ObjectName | undefined): void {
    const virtual = object && virtualOf(object)
    if (virtual !== undefined) this.enqueue(virtual)
  }

  async #handle(name: string): Promise<void> {
    try {
      const place = parseName(name)
      const there = this.#virtual.get(place)
      const source = await this.#sourceOf(place, there)
      if (source === undefined && there === undefined) this.states.forget(name)
      else await this.#carryOut(await planImport(source, there, place, this.#config.rules), name)
    } finally {
      this.#firstPass.done(name)
    }
  }

  /** What is imported goes only if the host itself says that its source is gone. */
  async #sourceOf(virtual: ObjectName, there: KubeObject | undefined): Promise<KubeObject | undefined> {
    const host = this.#config.hostOf(virtual)
    if (host === undefined) return undefined
    const known = this.#sources.map((source) => source.get(host)).find((object) => object !== undefined)
    if (known === undefined && there === undefined) return undefined
    const source = known === undefined || this.#config.readsContent ? await this.#read(host) : known
    return source !== undefined && this.#config.mayImport(source) ? source : undefined
  }

  async #read(host: ObjectName): Promise<KubeObject | undefined> {
    const { client, type } = this.#parts.host
    try {
      return await client.get(type, host, this.#stopped.signal)
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined
      throw error
    }
  }

  async #carryOut(plan: ImportPlan, name: string): Promise<void> {
    if (plan.action === 'fail') throw new SyncTrouble(plan.trouble)
    if (plan.action !== 'nothing') {
      if (!this.#parts.mayWrite()) throw new ReadAgain('somebody else leads now')
      await this.#write(plan, name)
    }
    if (plan.action === 'delete') this.states.forget(name)
    else this.states.set(name, 'in-step')
  }

  async #write(plan: ImportPlan & { readonly virtual: KubeObject }, name: string): Promise<void> {
    const { virtual, observer, clock } = this.#parts
    const { signal } = this.#stopped
    if (plan.action === 'create') {
      const created = await this.#create(plan.virtual)
      if (created === undefined) return
      this.#virtual.learn(created)
    }
    if (plan.action === 'update') this.#virtual.learn(await virtual.client.update(virtual.type, plan.virtual, signal))
    if (plan.action === 'delete') {
      const { uid = '', resourceVersion = '' } = plan.virtual.metadata
      await virtual.client.delete(virtual.type, nameOf(plan.virtual), { uid, resourceVersion }, signal)
      this.#virtual.learnGone(plan.virtual)
    }
    if (plan.action !== 'create' && plan.action !== 'update' && plan.action !== 'delete') return
    observer.wrote('virtual', plan.action)
    this.states.wrote(name, { side: 'virtual', verb: plan.action, atMs: clock.now() })
  }

  /** An object of the tenant under the same name is the tenant's, and stays; nothing is created then. */
  async #create(object: KubeObject): Promise<KubeObject | undefined> {
    const { client, type } = this.#parts.virtual
    try {
      return await client.create(type, object, this.#stopped.signal)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 409)) throw error
      const there = await client.get(type, nameOf(object), this.#stopped.signal)
      const { cause } = this.#config.rules
      if (there.metadata.labels?.[importedLabel] === cause) throw new ReadAgain('it is there already')
      // Whoever carries the virtual object to the host tells that its place there is taken.
      if (cause === 'reference') return undefined
      const message = `${type.kind} ${printName(nameOf(object))} exists in the virtual cluster, so the host's is not imported`
      this.#parts.observer.trouble(there, { reason: 'ImportNameTaken', message })
      throw new SyncTrouble({ reason: 'ImportNameTaken', message })
    }
  }

  #failed(name: string, error: unknown): void {
    const failure = failureOf(error)
    if (failure.type === 'conflict') return
    if (failure.type === 'unreachable') {
      this.states.set(name, 'waiting', { reason: 'Unreachable', message: failure.message })
      return
    }
    this.states.set(name, 'failing', failure.trouble)
    this.#parts.log.warn('an object is not imported', { object: name, ...failure.trouble })
  }
}
