import { kindSchema, typeMetaProperties } from '../metadata/kind-schema.ts'
import { objectMetaSchema } from '../metadata/schema.ts'
import type { GroupVersionKind } from '../object.ts'
import type { Schema } from '../schema.ts'
import { namedNodesAt, nodeAt, noNode, type SchemaNode, schemaText, schemaTexts } from './schema-node.ts'
import type { Structure } from './structure.ts'

/** How objects of a custom kind are merged, owned and published. `node` is the source of the structure. */
export function customKindSchema(gvk: GroupVersionKind, structure: Structure, node: SchemaNode): Schema {
  const { apiVersion: _, kind: __, metadata: ___, ...members } = propertiesOf(structure, node) ?? {}
  const required = schemaTexts(node, 'required')
  return {
    ...kindSchema(gvk, schemaText(node, 'description'), published(members, node)),
    ...(required.length > 0 && { required }),
    ...(structure.keepsUnknown && { preserveUnknownFields: true }),
  }
}

/** Each member is published as its author wrote it. */
function published(members: Readonly<Record<string, Schema>>, node: SchemaNode): Readonly<Record<string, Schema>> {
  const nodes = new Map(namedNodesAt(node, 'properties'))
  return Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name, { ...schema, openApi: nodes.get(name) ?? noNode }]),
  )
}

function schemaOf(structure: Structure, node: SchemaNode): Schema {
  const description = schemaText(node, 'description')
  const fallback = structure.default?.value
  return {
    ...shapeOf(structure, node),
    ...(description !== '' && { description }),
    ...(fallback !== undefined && { default: fallback }),
    ...(structure.isNullable && { nullable: true }),
    ...(structure.keepsUnknown && { preserveUnknownFields: true }),
  }
}

function shapeOf(structure: Structure, node: SchemaNode): Schema {
  const { type, isIntOrString, mapType, listType = 'atomic', listMapKeys, items, additional } = structure
  if (isIntOrString) return { type: 'string', format: 'int-or-string' }
  switch (type) {
    case undefined:
      return { type: 'any', preserveUnknownFields: true }
    case 'array':
      return {
        type,
        listType,
        ...(listType === 'map' && { listMapKeys }),
        ...(items !== undefined && { items: schemaOf(items, nodeAt(node, 'items') ?? noNode) }),
      }
    case 'object': {
      const properties = propertiesOf(structure, node)
      return {
        type,
        ...(properties !== undefined && { properties }),
        ...(additional !== undefined && {
          additionalProperties: schemaOf(additional, nodeAt(node, 'additionalProperties') ?? noNode),
        }),
        ...(mapType !== undefined && { mapType }),
      }
    }
    default:
      return { type }
  }
}

function propertiesOf(structure: Structure, node: SchemaNode): Readonly<Record<string, Schema>> | undefined {
  if (structure.properties.size === 0 && !structure.isResource) return undefined
  const nodes = new Map(namedNodesAt(node, 'properties'))
  const own = [...structure.properties].map(
    ([name, each]) => [name, schemaOf(each, nodes.get(name) ?? noNode)] as const,
  )
  const members = Object.fromEntries(own)
  return structure.isResource ? { ...members, ...typeMetaProperties, metadata: objectMetaSchema } : members
}
