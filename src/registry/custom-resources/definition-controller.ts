import { type TakenNames, withAcceptedNames, withEstablished } from '../../api/custom/accept-names.ts'
import { isTrue, withCondition } from '../../api/custom/definition-conditions.ts'
import { isRefusal } from '../../api/error.ts'
import { cleanupFinalizer } from '../../api/metadata/finalizers.ts'
import type { KubeObject } from '../../api/object.ts'
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from '../../api/types/apiextensions-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { deepEqual } from '../../base/equal.ts'
import { Pace } from '../../base/pace.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../context.ts'
import type { Controller, ReportError } from '../controllers/controller.ts'
import { systemRequest } from '../controllers/system-request.ts'
import type { StoredDocument } from '../document.ts'
import { caughtUp } from '../freshness.ts'
import type { ObjectRegistry } from '../registry.ts'
import { storagePrefix } from '../storage-key.ts'
import { deleteObject } from '../verbs/delete.ts'
import { editObject } from '../verbs/edit.ts'
import { servedVersions } from './custom-kinds.ts'

const manager = 'custom-resource-definitions'

/** Objects with finalizers go when their finalizers do. */
const pauseMs = 200

interface Known {
  readonly group: string
  readonly names: CustomResourceDefinitionNames
  readonly isSettled: boolean
}

/** Gives definitions their names, says when they are served, and empties those that go. */
export class DefinitionController implements Controller {
  readonly #registry: ObjectRegistry
  readonly #definitions: ResourceContext
  /** What has to be known of all of them at once, in step with the cache: each is far too large to be read again and again. */
  readonly #known = new Map<string, Known>()
  readonly #loop: Reconciler

  constructor(registry: ObjectRegistry, definitions: ResourceContext, report: ReportError) {
    this.#registry = registry
    this.#definitions = definitions
    this.#loop = new Reconciler({
      reconcile: (name) => this.#handle(name),
      failed: (name, error) => report(manager, name, error),
      // One at a time: two definitions that want the same name must not both get it.
      workers: 1,
    })
    this.#loop.follow(
      definitions.cache.listen((events) => {
        for (const { type, document } of events) {
          if (type === 'DELETED') this.#forget(document.name)
          else this.#notice(document)
        }
      }),
      registry.onChange(() => this.#addUnsettled()),
    )
    for (const document of definitions.cache.current().values()) this.#notice(document)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #notice(document: StoredDocument): void {
    const definition = document.object as CustomResourceDefinition
    const { spec, status } = definition
    this.#known.set(document.name, { group: spec.group, names: status.acceptedNames, isSettled: isSettled(definition) })
    this.#loop.add(document.name)
  }

  #forget(name: string): void {
    this.#known.delete(name)
    this.#addUnsettled()
  }

  /** A name may have become free, or a kind may be served by now. */
  #addUnsettled(): void {
    for (const [name, known] of this.#known) if (!known.isSettled) this.#loop.add(name)
  }

  async #handle(name: string): Promise<void> {
    await caughtUp(this.#registry.engine)
    const definition = this.#find(name)
    if (definition === undefined) return
    if (definition.metadata.deletionTimestamp === undefined) await this.#accept(name)
    else await this.#empty(definition)
  }

  #find(name: string): CustomResourceDefinition | undefined {
    return this.#definitions.cache.get({ namespace: '', name })?.object as CustomResourceDefinition | undefined
  }

  async #accept(name: string): Promise<void> {
    await this.#edit(name, 'status', (definition) => {
      const now = timestamp(this.#registry.engine.clock.now())
      const named = withAcceptedNames(definition, this.#namesTakenFrom(definition), now)
      const isReady = isTrue(named, 'NamesAccepted') && !isTrue(named, 'Established') && this.#isServed(definition)
      return isReady ? withEstablished(named, now) : named
    })
  }

  #isServed(definition: CustomResourceDefinition): boolean {
    const { group } = definition.spec
    const { plural } = definition.status.acceptedNames
    return servedVersions(definition).every(({ name }) => this.#registry.resource(group, name, plural) !== undefined)
  }

  /** By other definitions, and by kinds that are not defined by users. */
  #namesTakenFrom({ metadata, spec: { group } }: CustomResourceDefinition): TakenNames {
    const others = [...this.#known].filter(([name, known]) => name !== metadata.name && known.group === group)
    const own = this.#registry
      .contexts()
      .map(({ kind }) => kind)
      .filter((kind) => kind.group === group && kind.structure === undefined)
    const taken = [...others.map(([, { names }]) => names), ...own]
    return {
      resources: new Set(
        taken.flatMap(({ plural, singular = '', shortNames = [] }) => [plural, singular, ...shortNames]),
      ),
      kinds: new Set(taken.flatMap(({ kind, listKind }) => (kind === '' ? [] : [kind, listKind ?? `${kind}List`]))),
    }
  }

  async #empty(definition: CustomResourceDefinition): Promise<void> {
    const { name = '', finalizers = [] } = definition.metadata
    if (!finalizers.includes(cleanupFinalizer)) return
    const remaining = await this.#deleteObjects(definition)
    if (remaining > 0) {
      await this.#report(name)
      this.#loop.addAfter(name, pauseMs)
      return
    }
    await this.#edit(name, '', (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: finalizers.filter((each) => each !== cleanupFinalizer) },
    }))
  }

  /** How many are left. */
  async #deleteObjects({ spec, status }: CustomResourceDefinition): Promise<number> {
    const stored = { group: spec.group, plural: spec.names.plural }
    const context = this.#registry
      .contexts()
      .find(({ kind }) => kind.structure !== undefined && kind.storedAs === undefined && isOf(kind, stored))
    if (context === undefined) return status.acceptedNames.plural === '' ? 0 : this.#deleteUnserved(stored)
    const request = systemRequest(manager, this.#loop.signal)
    const pace = new Pace()
    for (const document of [...context.cache.snapshot().values()]) {
      await pace.step()
      if (this.#loop.signal.aborted) break
      await deleteObject(context, document, { propagationPolicy: 'Background', dryRun: false }, request).catch(
        ignoreGone,
      )
    }
    return context.cache.size
  }

  /** No version is served: nothing could ever take a finalizer away. */
  async #deleteUnserved(stored: { readonly group: string; readonly plural: string }): Promise<number> {
    const { store } = this.#registry.engine
    const { items } = await store.list(storagePrefix(stored))
    for (const { key, revision } of items) await store.delete(key, revision)
    return 0
  }

  async #report(name: string): Promise<void> {
    await this.#edit(name, 'status', (definition) =>
      withCondition(
        definition,
        {
          type: 'Terminating',
          status: 'True',
          reason: 'InstanceDeletionInProgress',
          message: 'CustomResource deletion is in progress',
        },
        timestamp(this.#registry.engine.clock.now()),
      ),
    )
  }

  async #edit(
    name: string,
    subresource: string,
    edit: (definition: CustomResourceDefinition) => KubeObject,
  ): Promise<void> {
    const request = systemRequest(manager, this.#loop.signal, subresource)
    const changed = (object: KubeObject) => {
      const edited = edit(object as CustomResourceDefinition)
      return deepEqual(edited, object) ? undefined : edited
    }
    await editObject(this.#definitions, { namespace: '', name }, changed, request)
  }
}

function isSettled(definition: CustomResourceDefinition): boolean {
  return isTrue(definition, 'Established') && isTrue(definition, 'NamesAccepted')
}

function isOf(kind: { group: string; plural: string }, stored: { group: string; plural: string }): boolean {
  return kind.group === stored.group && kind.plural === stored.plural
}

function ignoreGone(error: unknown): void {
  if (!isRefusal(error, 404)) throw error
}
