import { customKind } from '../../api/custom/custom-kind.ts'
import { isTrue } from '../../api/custom/definition-conditions.ts'
import { noNode, type SchemaNode } from '../../api/custom/schema-node.ts'
import { methodNotAllowed } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../../api/types/apiextensions-v1.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { Hooks, ResourceContext } from '../context.ts'
import type { Controller, ReportError } from '../controllers/controller.ts'
import type { StoredDocument } from '../document.ts'
import type { ObjectRegistry } from '../registry.ts'

export interface CustomKindsOptions {
  readonly registry: ObjectRegistry
  readonly definitions: ResourceContext
  /** What applies to every kind that comes. */
  readonly hooksFor: (kind: Kind) => Hooks
  readonly report: ReportError
}

interface Served {
  /** Changes with everything that a kind is made from. */
  readonly mark: string
  readonly kinds: readonly Kind[]
}

/**
 * Keeps the kinds of a registry in step with the definitions that users bring. It looks at stored definitions only, so that
 * every replica serves the same.
 */
export class CustomKinds implements Controller {
  readonly #options: CustomKindsOptions
  readonly #served = new Map<string, Served>()
  readonly #loop: Reconciler

  constructor(options: CustomKindsOptions) {
    this.#options = options
    this.#loop = new Reconciler({
      reconcile: (name) => this.#handle(name),
      failed: (name, error) => options.report('custom-kinds', name, error),
    })
    this.#loop.follow(
      options.definitions.cache.listen((events) => {
        for (const { document } of events) this.#loop.add(document.name)
      }),
    )
  }

  /** Serves what is defined already. */
  async load(): Promise<void> {
    for (const { name } of this.#options.definitions.cache.current().values()) this.#loop.add(name)
    await this.#loop.whenIdle()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #handle(name: string): Promise<void> {
    const { registry, definitions, hooksFor } = this.#options
    const document = definitions.cache.get({ namespace: '', name })
    const definition = document?.object as CustomResourceDefinition | undefined
    const isServed = definition !== undefined && isAccepted(definition)
    const before = this.#served.get(name)
    const mark = isServed ? markOf(definition) : ''
    if (before?.mark === mark || (before === undefined && !isServed)) return
    const kinds = document !== undefined && isServed ? kindsOf(definition, document) : []
    const come = kinds.map((kind) => ({ kind, hooks: this.#withOwnHooks(name, hooksFor(kind)) }))
    await registry.replace(before?.kinds ?? [], come)
    if (isServed) this.#served.set(name, { mark, kinds })
    else this.#served.delete(name)
  }

  /** While a definition goes, nothing new comes. */
  #withOwnHooks(name: string, hooks: Hooks): Hooks {
    const { cache } = this.#options.definitions
    return {
      ...hooks,
      admitCreate: (object, request) => {
        if (cache.get({ namespace: '', name })?.isBeingDeleted === true) {
          throw methodNotAllowed('create not allowed while custom resource definition is terminating')
        }
        return hooks.admitCreate?.(object, request) ?? { object }
      },
    }
  }
}

function isAccepted(definition: CustomResourceDefinition): boolean {
  return isTrue(definition, 'Established') || isTrue(definition, 'NamesAccepted')
}

function markOf({ metadata, status }: CustomResourceDefinition): string {
  return `${metadata.uid}/${metadata.generation}/${JSON.stringify(status.acceptedNames)}`
}

function kindsOf(definition: CustomResourceDefinition, document: StoredDocument): readonly Kind[] {
  const versions = servedVersions(definition)
  const stored = versions.find(({ storage }) => storage) ?? versions[0]
  return versions.map((version) =>
    customKind({ definition, version, isView: version !== stored, readSchema: schemaReader(document, version.name) }),
  )
}

/** Where a webhook would have to convert, which it does not yet, objects are served only as they are stored. */
export function servedVersions({ spec }: CustomResourceDefinition): readonly CustomResourceDefinitionVersion[] {
  const isConverted = spec.conversion?.strategy === 'Webhook'
  const served = (spec.versions ?? []).filter(({ served, storage }) => served && (storage || !isConverted))
  return served.map(({ schema: _, ...version }) => version)
}

/** Made here, so that it keeps nothing of the definition that was read: only the bytes of its document. */
function schemaReader(document: StoredDocument, version: string): () => SchemaNode {
  return () => schemaIn(document, version)
}

function schemaIn(document: StoredDocument, version: string): SchemaNode {
  const { spec } = document.object as CustomResourceDefinition
  return (spec.versions ?? []).find(({ name }) => name === version)?.schema?.openAPIV3Schema ?? noNode
}
