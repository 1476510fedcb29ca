import { customKind } from '../../api/custom/custom-kind.ts'
import { isTrue } from '../../api/custom/definition/definition-conditions.ts'
import { noNode, type SchemaNode } from '../../api/custom/schema-node.ts'
import type { Kind } from '../../api/kind.ts'
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../../api/types/apiextensions-v1.ts'
import type { StoredDocument } from '../document.ts'
import type { OwnName } from './own-names.ts'

/**
 * What is done with a definition. `kept`: clients cannot reach its objects, which are still counted, collected and
 * deleted. `ignored`: its objects would belong to a kind of the server itself.
 */
export type Serving = 'served' | 'kept' | 'ignored'

/** Users can write the status of a definition too: it must not let them take over a kind of the server. */
export function servingOf({ spec, status }: CustomResourceDefinition, own: readonly OwnName[]): Serving {
  const rivals = own.filter(({ group }) => group === spec.group)
  if (rivals.some(({ plural }) => plural === spec.names.plural)) return 'ignored'
  const { plural, kind } = status.acceptedNames
  const isFree = plural === spec.names.plural && !rivals.some((rival) => rival.kind === kind)
  return isFree && isAccepted(status) ? 'served' : 'kept'
}

function isAccepted(status: CustomResourceDefinition['status']): boolean {
  return isTrue({ status }, 'Established') || isTrue({ status }, 'NamesAccepted')
}

/** Changes with everything from which the kinds are made. */
export function markOf({ metadata, spec, status }: CustomResourceDefinition, serving: Serving): string {
  const stored = storedVersionOf({ spec, status })
  const written = `${stored}/${JSON.stringify(status.storedVersions ?? [])}`
  return `${serving}/${metadata.uid}/${metadata.generation}/${written}/${JSON.stringify(status.acceptedNames)}`
}

export interface DefinedKind {
  readonly kind: Kind
  readonly isHidden: boolean
  /** The kind as which its objects are stored, if a webhook converts them. */
  readonly convertedFrom?: Kind
}

/**
 * The version in which objects are stored. With a conversion webhook, it stays the version in which they were first
 * written for as long as possible: clients cannot tell, and nothing must be rewritten when the definition names another
 * version.
 */
export function storedVersionOf({ spec, status }: Pick<CustomResourceDefinition, 'spec' | 'status'>): string {
  const versions = spec.versions ?? []
  const storage = versions.find(({ storage }) => storage)?.name ?? ''
  if (!isConvertedByWebhook({ spec })) return storage
  const first = (status.storedVersions ?? []).find((name) => versions.some((version) => version.name === name))
  return first ?? storage
}

export function isConvertedByWebhook({ spec }: Pick<CustomResourceDefinition, 'spec'>): boolean {
  return spec.conversion?.strategy === 'Webhook'
}

/** The served versions, and the stored version even if it is not served. */
export function kindsOf(
  definition: CustomResourceDefinition,
  document: StoredDocument,
  serving: Serving,
): readonly DefinedKind[] {
  if (serving === 'ignored') return []
  if (isConvertedByWebhook(definition) && serving === 'served') return convertedKindsOf(definition, document)
  const served = serving === 'served' ? servedVersions(definition) : []
  const isHidden = served.length === 0
  const versions = isHidden ? storedVersion(definition) : served
  const stored = versions.find(({ storage }) => storage) ?? versions[0]
  const { spec, status } = definition
  const names = isHidden ? spec.names : status.acceptedNames
  const name = storedVersionOf(definition)
  return versions.map((version) => {
    const isView = version !== stored
    const readSchema = schemaReader(document, version.name)
    const readStored = isView && isAllStoredAs(definition) ? { readStoredSchema: schemaReader(document, name) } : {}
    return { kind: customKind({ definition, names, version, isView, readSchema, ...readStored }), isHidden }
  })
}

/** What was stored earlier, in another version, may hold more. */
function isAllStoredAs({ spec, status }: CustomResourceDefinition): boolean {
  const name = storedVersionOf({ spec, status })
  return (status.storedVersions ?? []).every((each) => each === name)
}

function convertedKindsOf(definition: CustomResourceDefinition, document: StoredDocument): readonly DefinedKind[] {
  const { spec, status } = definition
  const name = storedVersionOf(definition)
  const kindOf = (version: CustomResourceDefinitionVersion) =>
    customKind({
      definition,
      names: status.acceptedNames,
      version,
      isView: version.name !== name,
      readSchema: schemaReader(document, version.name),
    })
  const versions = (spec.versions ?? []).map(withoutSchema)
  const stored = versions.find((version) => version.name === name)
  if (stored === undefined) return []
  const convertedFrom = kindOf(stored)
  const others = versions.filter((version) => version.served && version !== stored)
  return [
    { kind: convertedFrom, isHidden: !stored.served },
    ...others.map((version) => ({ kind: kindOf(version), isHidden: false, convertedFrom })),
  ]
}

export function servedVersions({ spec }: CustomResourceDefinition): readonly CustomResourceDefinitionVersion[] {
  return (spec.versions ?? []).filter(({ served }) => served).map(withoutSchema)
}

function storedVersion(definition: CustomResourceDefinition): readonly CustomResourceDefinitionVersion[] {
  const name = storedVersionOf(definition)
  return (definition.spec.versions ?? []).filter((version) => version.name === name).map(withoutSchema)
}

function withoutSchema({ schema: _, ...version }: CustomResourceDefinitionVersion): CustomResourceDefinitionVersion {
  return version
}

/** A separate function, so that the closure retains nothing of the parsed definition but the bytes of its document. */
function schemaReader(document: StoredDocument, version: string): () => SchemaNode {
  return () => schemaIn(document, version)
}

function schemaIn(document: StoredDocument, version: string): SchemaNode {
  const { spec } = document.object as CustomResourceDefinition
  return (spec.versions ?? []).find(({ name }) => name === version)?.schema?.openAPIV3Schema ?? noNode
}
