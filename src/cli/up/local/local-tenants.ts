import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { KubeObject } from '../../../api/object.ts'
import { effectiveConfig } from '../../../api/tenant-config/defaults.ts'
import { type Clock, systemClock } from '../../../base/clock.ts'
import { lazily } from '../../../base/lazily.ts'
import type { Log } from '../../../base/log.ts'
import type { Informer, KubeClient, ResourceType } from '../../../client/contract.ts'
import type { RunningTenant } from '../../../cluster/virtual-cluster/start-tenant.ts'
import { checkConfig } from '../../../patches/config/check-config.ts'
import { Reconciler } from '../../../reconcile/reconciler.ts'
import { nameOf, parseName, printName } from '../../../sync/names/names.ts'
import { SyncEvents } from '../../../sync/report/events.ts'
import { isPlacedOnHost } from '../../local-platforms/host-cluster.ts'
import { describeInstance, type LocalInstance } from './local-instance.ts'
import { readLocalRecord } from './local-record.ts'
import type { LocalStarter } from './local-starter.ts'

export interface LocalTenantsOptions {
  readonly platform: KubeClient
  readonly instances: ResourceType
  readonly starter: LocalStarter
  readonly directory: string
  readonly log: Log
  readonly clock?: Clock
}

interface Started {
  readonly instance: LocalInstance
  readonly running: RunningTenant
  /** Started once, and awaited by all. */
  readonly stop: () => Promise<void>
}

/** Runs the platform's virtual clusters that are placed on the embedded host, each with its data in its own folder. */
export class LocalTenants {
  readonly #options: LocalTenantsOptions
  readonly #loop: Reconciler
  readonly #informer: Informer
  readonly #events: SyncEvents
  readonly #starting = new Map<string, LocalInstance>()
  readonly #started = new Map<string, Started>()
  readonly #listeners: (() => void)[] = []

  constructor(options: LocalTenantsOptions) {
    const { platform, instances, log } = options
    this.#options = options
    this.#events = new SyncEvents(platform, options.clock ?? systemClock, 'tenant-up')
    this.#loop = new Reconciler({
      reconcile: (name) => this.#handle(name),
      failed: (name, error) => log.error('a virtual cluster cannot be run', { virtualCluster: name, error }),
      workers: 2,
      firstPauseMs: 500,
    })
    this.#informer = platform.informer(instances)
    void this.#follow()
  }

  /** Includes those that are starting: they may already be linked. */
  running(): readonly LocalInstance[] {
    return [...this.#instances().values()]
  }

  /** Called when the set of running or starting virtual clusters has changed. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Whether the platform wants it to run. */
  async isWanted(name: string): Promise<boolean> {
    await this.#informer.whenSynced()
    const object = this.#informer.get(parseName(name))
    return object !== undefined && isWanted(object)
  }

  /** Resolves when it runs. */
  async whenStarted(name: string): Promise<RunningTenant> {
    for (;;) {
      const started = this.#started.get(name)
      if (started !== undefined) return started.running
      await new Promise<void>((resolve) => {
        this.#listeners.push(resolve)
      })
    }
  }

  async stop(): Promise<void> {
    this.#informer.stop()
    await this.#loop.stop()
    await Promise.all([...this.#started.values()].map((started) => started.stop()))
    await this.#events.stop()
  }

  async #follow(): Promise<void> {
    try {
      await this.#informer.whenSynced()
    } catch {
      return
    }
    this.#informer.onChange(({ before, after }) => {
      const object = after ?? before
      if (object === undefined) return
      const name = printName(nameOf(object))
      this.#stopAnother(name, after)
      this.#loop.add(name)
    })
    for (const name of foldersBelow(this.#options.directory)) this.#loop.add(name)
  }

  /** Immediately, however many wait to be started: otherwise it would link as the one that has its name now. */
  #stopAnother(name: string, object: KubeObject | undefined): void {
    const started = this.#started.get(name)
    if (started === undefined || started.instance.uid === object?.metadata.uid) return
    started.stop().catch((error: unknown) => {
      this.#options.log.error('a virtual cluster could not be stopped', { virtualCluster: name, error })
    })
  }

  async #handle(name: string): Promise<void> {
    const object = this.#informer.get(parseName(name))
    if (object === undefined || !isWanted(object)) return this.#remove(name)
    const instance = describeInstance(object)
    if (await this.#isOfAnother(name, instance)) await this.#remove(name)
    const started = this.#started.get(name)
    if (started?.instance.config === instance.config) return
    const { config, problems } = checkConfig(instance.config, 'spec.config')
    if (config === undefined) {
      const [first] = problems
      const message = `line ${first?.line}, column ${first?.column}: ${first?.message}`
      this.#options.log.error('a virtual cluster has a wrong configuration', { virtualCluster: name, message })
      this.#events.warn(object, { reason: 'ConfigInvalid', message })
      return
    }
    if (this.#refuseTaken(object, name, instance)) return
    const { starter, directory } = this.#options
    const folder = join(directory, name)
    const effective = await starter.configured(effectiveConfig(config))
    if (started !== undefined) {
      await starter.prepare(instance, effective, folder)
      started.running.reconfigure(effective)
      this.#started.set(name, { ...started, instance })
      return
    }
    this.#starting.set(name, instance)
    this.#tell()
    try {
      const running = await starter.start(instance, effective, folder)
      this.#started.set(name, { instance, running, stop: lazily(() => running.stop()) })
    } finally {
      this.#starting.delete(name)
      this.#tell()
    }
  }

  #instances(): ReadonlyMap<string, LocalInstance> {
    const started = [...this.#started].map(([name, { instance }]): [string, LocalInstance] => [name, instance])
    return new Map([...started, ...this.#starting])
  }

  /** Whether the local data belongs to a deleted virtual cluster: a new one of the same name must not get it. */
  async #isOfAnother(name: string, { uid }: LocalInstance): Promise<boolean> {
    const started = this.#started.get(name)
    if (started !== undefined) return started.instance.uid !== uid
    const record = await readLocalRecord(join(this.#options.directory, name))
    return record?.uid !== undefined && record.uid !== uid
  }

  /** Two control planes in one place on the host would remove each other's copies. */
  #refuseTaken(object: KubeObject, name: string, { namespace, tenant }: LocalInstance): boolean {
    for (const [other, instance] of this.#instances()) {
      if (other === name || instance.namespace !== namespace || instance.tenant !== tenant) continue
      const message = `${other} runs in namespace ${namespace} of the host under the name ${tenant} already`
      this.#options.log.error('a virtual cluster has no reserved place', { virtualCluster: name, message })
      this.#events.warn(object, { reason: 'PlaceTaken', message })
      return true
    }
    return false
  }

  /** Removes its data, and its objects on the host. */
  async #remove(name: string): Promise<void> {
    const { directory, starter } = this.#options
    const folder = join(directory, name)
    const started = this.#started.get(name)
    if (started === undefined && !foldersBelow(directory).includes(name)) return
    this.#started.delete(name)
    await started?.stop()
    await starter.remove(folder)
    await rm(folder, { recursive: true, force: true })
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

function isWanted({ metadata, spec }: KubeObject): boolean {
  return metadata.deletionTimestamp === undefined && isPlacedOnHost(spec)
}

/** Names of those that have data, as `namespace/name`. */
function foldersBelow(directory: string): readonly string[] {
  return namesIn(directory).flatMap((namespace) =>
    namesIn(join(directory, namespace)).map((name) => `${namespace}/${name}`),
  )
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
