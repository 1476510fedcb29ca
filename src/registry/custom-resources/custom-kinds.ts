import { methodNotAllowed } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { CustomResourceDefinition } from '../../api/types/apiextensions-v1.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { Hooks, ResourceContext } from '../context.ts'
import type { Controller, ReportError } from '../controllers/controller.ts'
import type { StoredDocument } from '../document.ts'
import type { ObjectRegistry } from '../registry.ts'
import type { ConvertObjects } from './conversion-webhook.ts'
import { isConvertedByWebhook, kindsOf, markOf, servingOf } from './defined-kinds.ts'
import { definitionHead } from './definition-head.ts'
import { type OwnName, ownNames } from './own-names.ts'

const controller = 'custom-kinds'

export interface CustomKindsOptions {
  readonly registry: ObjectRegistry
  readonly definitions: ResourceContext
  /** Names that the server serves besides its kinds. */
  readonly reviews: readonly OwnName[]
  /** Hooks for every new kind. */
  readonly hooksFor: (kind: Kind) => Hooks
  /** How the webhook of a definition converts its objects. Absent: only the stored version is served. */
  readonly conversionBy?: (definition: CustomResourceDefinition) => ConvertObjects
  readonly report: ReportError
}

interface Made {
  /** Changes with everything from which a kind is made. */
  readonly mark: string
  readonly kinds: readonly Kind[]
}

/**
 * Keeps the kinds of a registry in step with users' definitions. It looks only at stored definitions, so that every
 * replica serves the same kinds.
 */
export class CustomKinds implements Controller {
  readonly #options: CustomKindsOptions
  readonly #made = new Map<string, Made>()
  readonly #loop: Reconciler

  constructor(options: CustomKindsOptions) {
    this.#options = options
    this.#loop = new Reconciler({
      reconcile: (name) => this.#handle(name),
      failed: (name, error) => options.report(controller, name, error),
      measured: { metrics: options.registry.engine.metrics, name: controller },
    })
    this.#loop.follow(
      options.definitions.cache.listen((events) => {
        for (const { document } of events) this.#loop.add(document.name)
      }),
    )
  }

  /** Serves the existing definitions. */
  async load(): Promise<void> {
    for (const { name } of this.#options.definitions.cache.current().values()) this.#loop.add(name)
    await this.#loop.whenIdle()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #handle(name: string): Promise<void> {
    const document = this.#options.definitions.cache.get({ namespace: '', name })
    if (document === undefined) await this.#remove(name)
    else await this.#make(name, document)
  }

  async #remove(name: string): Promise<void> {
    const before = this.#made.get(name)
    if (before === undefined) return
    await this.#options.registry.replace(before.kinds, [])
    this.#made.delete(name)
  }

  async #make(name: string, document: StoredDocument): Promise<void> {
    const { registry, reviews, hooksFor } = this.#options
    const definition = definitionHead(document)
    const serving = servingOf(definition, ownNames(registry, reviews))
    const mark = markOf(definition, serving)
    const before = this.#made.get(name)
    if (before?.mark === mark) return
    const { uid = '' } = definition.metadata
    const kinds = kindsOf(definition, document, serving)
    const convert = isConvertedByWebhook(definition) ? this.#options.conversionBy?.(definition) : undefined
    const come = kinds.map((each) => ({
      ...each,
      hooks: this.#whilePresent(name, uid, hooksFor(each.kind), each.kind),
      ...(convert && { convert }),
    }))
    await registry.replace(before?.kinds ?? [], come)
    this.#made.set(name, { mark, kinds: kinds.map(({ kind }) => kind) })
  }

  /**
   * Refuses new objects while the definition is being deleted, and objects that were meant for an earlier definition of
   * the same name.
   */
  #whilePresent(name: string, uid: string, hooks: Hooks, { group, plural }: Kind): Hooks {
    const about = { group, kind: plural }
    const { cache } = this.#options.definitions
    let known: StoredDocument | undefined
    const isPresent = () => {
      const current = cache.get({ namespace: '', name })
      if (current === undefined || current.isBeingDeleted) return false
      if (current !== known && definitionHead(current).metadata.uid !== uid) return false
      known = current
      return true
    }
    return {
      ...hooks,
      admitCreate: (object, request) => {
        if (!isPresent()) {
          throw methodNotAllowed('create not allowed while custom resource definition is terminating', about)
        }
        return hooks.admitCreate?.(object, request) ?? { object }
      },
    }
  }
}
