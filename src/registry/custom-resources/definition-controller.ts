import { type TakenNames, withAcceptedNames, withEstablished } from '../../api/custom/definition/accept-names.ts'
import { withApproval } from '../../api/custom/definition/api-approval.ts'
import { isTrue } from '../../api/custom/definition/definition-conditions.ts'
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from '../../api/types/apiextensions-v1.ts'
import { timestamp } from '../../base/clock.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../context.ts'
import type { Controller, ReportError } from '../controllers/controller.ts'
import { SetsByKey } from '../controllers/sets-by-key.ts'
import type { StoredDocument } from '../document.ts'
import { caughtUp } from '../freshness.ts'
import type { ObjectRegistry } from '../registry.ts'
import { storagePrefix } from '../storage-key.ts'
import { servedVersions, servingOf } from './defined-kinds.ts'
import { definitionManager, editDefinition, findDefinition } from './definition-edits.ts'
import { definitionHead } from './definition-head.ts'
import { isCreatedBy, removeOrphans } from './orphans.ts'
import { type OwnName, ownNames } from './own-names.ts'

export interface DefinitionControllerOptions {
  readonly registry: ObjectRegistry
  readonly definitions: ResourceContext
  /** Names that the server serves besides its kinds. */
  readonly reviews: readonly OwnName[]
  readonly report: ReportError
}

interface Known {
  readonly group: string
  readonly names: CustomResourceDefinitionNames
  readonly isSettled: boolean
}

/** Accepts the names of definitions, and reports when they are served. */
export class DefinitionController implements Controller {
  readonly #options: DefinitionControllerOptions
  /**
   * What must be known about all definitions at once, in step with the cache: each is far too large to be read
   * repeatedly.
   */
  readonly #known = new Map<string, Known>()
  /** Names of definitions by group, which never changes. */
  readonly #namesByGroup = new SetsByKey()
  readonly #loop: Reconciler

  constructor(options: DefinitionControllerOptions) {
    const { registry, definitions, report } = options
    this.#options = options
    this.#loop = new Reconciler({
      reconcile: (name) => this.#handle(name),
      failed: (name, error) => report(definitionManager, name, error),
      measured: { metrics: registry.engine.metrics, name: definitionManager },
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
    const definition = definitionHead(document)
    const { spec, status } = definition
    const known = { group: spec.group, names: status.acceptedNames, isSettled: isSettled(definition) }
    this.#known.set(document.name, known)
    this.#namesByGroup.add(spec.group, document.name)
    this.#loop.add(document.name)
  }

  #forget(name: string): void {
    this.#namesByGroup.delete(this.#known.get(name)?.group ?? '', name)
    this.#known.delete(name)
    this.#addUnsettled()
  }

  /** A name may have become free, or a kind may be served by now. */
  #addUnsettled(): void {
    for (const [name, known] of this.#known) if (!known.isSettled) this.#loop.add(name)
  }

  async #handle(name: string): Promise<void> {
    const { registry, definitions } = this.#options
    await caughtUp(registry.engine)
    const definition = findDefinition(definitions, name)
    if (definition === undefined || definition.metadata.deletionTimestamp !== undefined) return
    if (isNew(definition)) await this.#removeOlder(definition)
    await this.#accept(definition)
  }

  /** Objects of an earlier definition of the same name must not reappear with this one. */
  async #removeOlder(definition: CustomResourceDefinition): Promise<void> {
    const { registry, reviews } = this.#options
    const { creationTimestamp } = definition.metadata
    if (typeof creationTimestamp !== 'string') return
    if (servingOf(definition, ownNames(registry, reviews)) === 'ignored') return
    const prefix = storagePrefix({ group: definition.spec.group, plural: definition.spec.names.plural })
    const isOlder = (value: Uint8Array) => isCreatedBy(value, creationTimestamp)
    await removeOrphans(registry.engine.store, prefix, isOlder, this.#loop.signal)
  }

  async #accept(definition: CustomResourceDefinition): Promise<void> {
    const { registry, definitions } = this.#options
    const accepted = (current: CustomResourceDefinition) => {
      const now = timestamp(registry.engine.clock.now())
      const named = withAcceptedNames(withApproval(current, now), this.#namesTakenFrom(current), now)
      const isReady = isTrue(named, 'NamesAccepted') && !isTrue(named, 'Established') && this.#isServed(current)
      return isReady ? withEstablished(named, now) : named
    }
    const { signal } = this.#loop
    await editDefinition(definitions, definition, accepted, { subresource: 'status', signal })
  }

  #isServed(definition: CustomResourceDefinition): boolean {
    const { registry } = this.#options
    const { group } = definition.spec
    const { plural } = definition.status.acceptedNames
    return servedVersions(definition).every(({ name }) => registry.resource(group, name, plural) !== undefined)
  }

  /** Names taken by other definitions, and by the server itself. */
  #namesTakenFrom({ metadata, spec: { group } }: CustomResourceDefinition): TakenNames {
    const { registry, reviews } = this.#options
    const others = [...this.#namesByGroup.of(group)].flatMap((name) => {
      const known = name === metadata.name ? undefined : this.#known.get(name)
      return known === undefined ? [] : [known]
    })
    const own = ownNames(registry, reviews).filter((each) => each.group === group)
    const taken = [...others.map(({ names }) => names), ...own]
    return {
      resources: new Set(
        taken.flatMap(({ plural, singular = '', shortNames = [] }) => [plural, singular, ...shortNames]),
      ),
      kinds: new Set(taken.flatMap(({ kind, listKind }) => (kind === '' ? [] : [kind, listKind ?? `${kind}List`]))),
    }
  }
}

function isNew({ status }: CustomResourceDefinition): boolean {
  return status.conditions?.some(({ type }) => type === 'NamesAccepted') !== true
}

function isSettled(definition: CustomResourceDefinition): boolean {
  return isTrue(definition, 'Established') && isTrue(definition, 'NamesAccepted')
}
