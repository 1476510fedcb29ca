import { isTrue, withCondition } from '../../api/custom/definition/definition-conditions.ts'
import { isRefusal } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import { cleanupFinalizer } from '../../api/metadata/finalizers.ts'
import type { CustomResourceDefinition, CustomResourceDefinitionCondition } from '../../api/types/apiextensions-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { Pace } from '../../base/pace.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../context.ts'
import type { Controller } from '../controllers/controller.ts'
import { systemRequest } from '../controllers/system-request.ts'
import type { StoredDocument } from '../document.ts'
import { caughtUp } from '../freshness.ts'
import { storagePrefix } from '../storage-key.ts'
import { deleteObject } from '../verbs/delete.ts'
import { servingOf } from './defined-kinds.ts'
import type { DefinitionControllerOptions } from './definition-controller.ts'
import { definitionManager, editDefinition, findDefinition } from './definition-edits.ts'
import { removeOrphans } from './orphans.ts'
import { ownNames } from './own-names.ts'

/** A kind is served shortly after its definition is stored, and an object is visible shortly after it is stored. */
const momentMs = 200
/** Objects with finalizers are deleted when their finalizers are removed, which triggers a requeue. */
const patienceMs = 10_000

type CleanupProgress = Pick<CustomResourceDefinitionCondition, 'status' | 'reason' | 'message'>

const inProgress: CleanupProgress = {
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
}
const emptied: CleanupProgress = {
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
}
const neverServed: CleanupProgress = {
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
}

/** Empties definitions whose deletion was requested, and removes them when nothing is left. */
export class DefinitionCleanup implements Controller {
  readonly #options: DefinitionControllerOptions
  readonly #going = new Set<string>()
  /** Functions that end the wait for the last object. */
  readonly #waits = new Map<string, () => void>()
  readonly #loop: Reconciler

  constructor(options: DefinitionControllerOptions) {
    const { registry, definitions, report } = options
    this.#options = options
    this.#loop = new Reconciler({
      reconcile: (name) => this.#handle(name),
      failed: (name, error) => report(definitionManager, name, error),
      measured: { metrics: registry.engine.metrics, name: definitionManager },
    })
    this.#loop.follow(
      definitions.cache.listen((events) => {
        for (const { type, document } of events) {
          if (type === 'DELETED') this.#gone(document.name)
          else this.#notice(document)
        }
      }),
      registry.onChange(() => {
        for (const name of this.#going) this.#loop.add(name)
      }),
      () => {
        for (const end of this.#waits.values()) end()
      },
    )
    for (const document of definitions.cache.current().values()) this.#notice(document)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #notice(document: StoredDocument): void {
    if (!document.isBeingDeleted) return
    this.#going.add(document.name)
    this.#loop.add(document.name)
  }

  #gone(name: string): void {
    this.#going.delete(name)
    this.#loop.add(name)
  }

  async #handle(name: string): Promise<void> {
    const { registry, definitions } = this.#options
    this.#endWait(name)
    await caughtUp(registry.engine)
    const definition = findDefinition(definitions, name)
    if (definition === undefined) await this.#removeLeft(name)
    else if (isWaiting(definition)) await this.#empty(name, definition)
  }

  async #empty(name: string, definition: CustomResourceDefinition): Promise<void> {
    const { registry, reviews } = this.#options
    const { group, names } = definition.spec
    const prefix = storagePrefix({ group, plural: names.plural })
    if (servingOf(definition, ownNames(registry, reviews)) !== 'ignored') {
      const context = registry.contexts().find(({ kind, cache }) => isStoredAndDefined(kind) && cache.prefix === prefix)
      if (context === undefined) return this.#loop.addAfter(name, momentMs)
      await this.#deleteObjects(context, definition)
      if (!(await this.#isEmpty(prefix))) return this.#waitFor(name, context)
    }
    await this.#release(definition)
  }

  async #deleteObjects(context: ResourceContext, definition: CustomResourceDefinition): Promise<void> {
    const going = [...context.cache.snapshot().values()].filter((document) => !document.isBeingDeleted)
    if (context.cache.size > 0) await this.#tell(definition, inProgress)
    const request = systemRequest(definitionManager, this.#loop.signal)
    const pace = new Pace()
    const failures: unknown[] = []
    for (const document of going) {
      await pace.step()
      if (this.#loop.signal.aborted) return
      const options = { propagationPolicy: 'Background', dryRun: false } as const
      await deleteObject(context, document, options, request).catch((error) => failures.push(error))
    }
    const [failure] = failures.filter((error) => !isRefusal(error, 404))
    if (failure !== undefined) throw failure
  }

  /** Asks the store: an object may have been admitted before the deletion, and written since. */
  async #isEmpty(prefix: string): Promise<boolean> {
    const { items } = await this.#options.registry.engine.store.list(prefix, { limit: 1, signal: this.#loop.signal })
    return items.length === 0
  }

  #waitFor(name: string, { cache }: ResourceContext): void {
    const stop = cache.listen(() => {
      if (cache.size === 0) this.#loop.add(name)
    })
    this.#waits.set(name, stop)
    this.#loop.addAfter(name, cache.size === 0 ? momentMs : patienceMs)
  }

  #endWait(name: string): void {
    this.#waits.get(name)?.()
    this.#waits.delete(name)
  }

  async #tell(definition: CustomResourceDefinition, progress: CleanupProgress): Promise<void> {
    const { registry, definitions } = this.#options
    const told = (current: CustomResourceDefinition) =>
      withCondition(current, { type: 'Terminating', ...progress }, timestamp(registry.engine.clock.now()))
    await editDefinition(definitions, definition, told, { subresource: 'status', signal: this.#loop.signal })
  }

  /** If another finalizer keeps the definition, its status reports that no objects are left. */
  async #release(definition: CustomResourceDefinition): Promise<void> {
    const { signal } = this.#loop
    if ((definition.metadata.finalizers ?? []).length > 1) {
      await this.#tell(definition, isTrue(definition, 'Established') ? emptied : neverServed)
    }
    await editDefinition(this.#options.definitions, definition, withoutCleanup, { subresource: '', signal })
  }

  /**
   * A definition whose finalizer was removed is deleted before its objects; another object may also have been written
   * at the last moment.
   */
  async #removeLeft(name: string): Promise<void> {
    const { registry, definitions } = this.#options
    const [plural = '', ...group] = name.split('.')
    const prefix = storagePrefix({ group: group.join('.'), plural })
    const isOwn = registry.contexts().some(({ kind, cache }) => kind.structure === undefined && cache.prefix === prefix)
    if (isOwn) return
    const isOrphan = () => findDefinition(definitions, name) === undefined
    await removeOrphans(registry.engine.store, prefix, isOrphan, this.#loop.signal)
  }
}

function isStoredAndDefined({ structure, storedAs }: Kind): boolean {
  return structure !== undefined && storedAs === undefined
}

function isWaiting({ metadata }: CustomResourceDefinition): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(cleanupFinalizer) === true
}

function withoutCleanup(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { finalizers = [] } = definition.metadata
  const kept = finalizers.filter((each) => each !== cleanupFinalizer)
  return { ...definition, metadata: { ...definition.metadata, finalizers: kept } }
}
