import { customKind } from '../../api/custom/custom-kind.ts'
import { isTrue } from '../../api/custom/definition-conditions.ts'
import { noNode, type SchemaNode } from '../../api/custom/schema-node.ts'
import type { Kind } from '../../api/kind.ts'
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../../api/types/apiextensions-v1.ts'
import type { StoredDocument } from '../document.ts'
import type { OwnName } from './own-names.ts'

/**
 * What becomes of a definition. `kept`: no client reaches its objects, which are still counted, collected and deleted.
 * `ignored`: its objects would be those of a kind that the server has by itself.
 */
export type Serving = 'served' | 'kept' | 'ignored'

/** The status of a definition is written by users too: it can make nothing of theirs out of what is the server's own. */
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

/** Changes with everything that the kinds are made from. */
export function markOf({ metadata, status }: CustomResourceDefinition, serving: Serving): string {
  return `${serving}/${metadata.uid}/${metadata.generation}/${JSON.stringify(status.acceptedNames)}`
}

export interface DefinedKind {
  readonly kind: Kind
  readonly isHidden: boolean
}

/** The served versions, or, if there are none, the one that is stored. */
export function kindsOf(
  definition: CustomResourceDefinition,
  document: StoredDocument,
  serving: Serving,
): readonly DefinedKind[] {
  if (serving === 'ignored') return []
  const served = serving === 'served' ? servedVersions(definition) : []
  const isHidden = served.length === 0
  const versions = isHidden ? storageVersion(definition) : served
  const stored = versions.find(({ storage }) => storage) ?? versions[0]
  const { spec, status } = definition
  const names = isHidden ? spec.names : status.acceptedNames
  return versions.map((version) => {
    const isView = version !== stored
    const readSchema = schemaReader(document, version.name)
    return { kind: customKind({ definition, names, version, isView, readSchema }), isHidden }
  })
}

/** Where a webhook would have to convert, which it does not yet, objects are served only as they are stored. */
export function servedVersions({ spec }: CustomResourceDefinition): readonly CustomResourceDefinitionVersion[] {
  const isConverted = spec.conversion?.strategy === 'Webhook'
  const served = (spec.versions ?? []).filter(({ served, storage }) => served && (storage || !isConverted))
  return served.map(withoutSchema)
}

function storageVersion({ spec }: CustomResourceDefinition): readonly CustomResourceDefinitionVersion[] {
  return (spec.versions ?? []).filter(({ storage }) => storage).map(withoutSchema)
}

function withoutSchema({ schema: _, ...version }: CustomResourceDefinitionVersion): CustomResourceDefinitionVersion {
  return version
}

/** Made here, so that it keeps nothing of the definition that was read: only the bytes of its document. */
function schemaReader(document: StoredDocument, version: string): () => SchemaNode {
  return () => schemaIn(document, version)
}

function schemaIn(document: StoredDocument, version: string): SchemaNode {
  const { spec } = document.object as CustomResourceDefinition
  return (spec.versions ?? []).find(({ name }) => name === version)?.schema?.openAPIV3Schema ?? noNode
}
