import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../../api/types/apiextensions-v1.ts'
import type { StoredDocument } from '../document.ts'

const heads = new WeakMap<StoredDocument, CustomResourceDefinition>()

/**
 * A stored definition without the schemas of its versions and without managedFields. Schemas are nearly all of a
 * definition, and only its own kinds read them. The document is parsed once for all callers: the part that is kept is
 * small.
 */
export function definitionHead(document: StoredDocument): CustomResourceDefinition {
  const known = heads.get(document)
  if (known !== undefined) return known
  const head = withoutSchemas(document.object as CustomResourceDefinition)
  heads.set(document, head)
  return head
}

function withoutSchemas(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { managedFields: _, ...metadata } = definition.metadata
  const { versions } = definition.spec
  if (versions === undefined || versions === null) return { ...definition, metadata }
  return { ...definition, metadata, spec: { ...definition.spec, versions: versions.map(withoutSchema) } }
}

function withoutSchema({ schema: _, ...version }: CustomResourceDefinitionVersion): CustomResourceDefinitionVersion {
  return version
}
