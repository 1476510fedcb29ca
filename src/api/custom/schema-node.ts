import { asText, asTexts } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { type StructureType, structureTypes } from './structure.ts'

/** One node of a schema as its author wrote it. */
export type SchemaNode = Readonly<Record<string, unknown>>

export const noNode: SchemaNode = {}

/** Readers for members that hold schemas; a value that is not a schema counts as an empty one. */
export function nodeAt(node: SchemaNode, name: string): SchemaNode | undefined {
  const value = schemaMember(node, name)
  return isJsonObject(value) ? value : undefined
}

export function nodesAt(node: SchemaNode, name: string): readonly SchemaNode[] {
  const value = schemaMember(node, name)
  return Array.isArray(value) ? value.map((each) => (isJsonObject(each) ? each : noNode)) : []
}

/** Ordered by name. */
export function namedNodesAt(node: SchemaNode, name: string): readonly (readonly [string, SchemaNode])[] {
  const members = Object.entries(nodeAt(node, name) ?? noNode)
  return members
    .map(([key, value]) => [key, isJsonObject(value) ? value : noNode] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1))
}

/** Every schema directly inside one, with the name of its place. */
export function innerNodes(node: SchemaNode): readonly (readonly [string, SchemaNode])[] {
  const single = ['not', 'items', 'additionalProperties'].flatMap((name) => {
    const inner = nodeAt(node, name)
    return inner === undefined ? [] : [[name, inner] as const]
  })
  const listed = ['allOf', 'anyOf', 'oneOf'].flatMap((name) =>
    nodesAt(node, name).map((inner, index) => [`${name}[${index}]`, inner] as const),
  )
  return [
    ...listed,
    ...single,
    ...namedNodesAt(node, 'properties').map(([name, inner]) => [`properties[${name}]`, inner] as const),
  ]
}

export function schemaMember(node: SchemaNode, name: string): unknown {
  return Object.hasOwn(node, name) ? node[name] : undefined
}

export function schemaText(node: SchemaNode, name: string): string {
  return asText(schemaMember(node, name))
}

export function schemaTexts(node: SchemaNode, name: string): readonly string[] {
  return asTexts(schemaMember(node, name))
}

export function schemaNumber(node: SchemaNode, name: string): number | undefined {
  const value = schemaMember(node, name)
  return typeof value === 'number' ? value : undefined
}

export function isSet(node: SchemaNode, name: string): boolean {
  return schemaMember(node, name) === true
}

export function schemaType(node: SchemaNode): StructureType | undefined {
  const text = schemaText(node, 'type')
  return structureTypes.find((type) => type === text)
}

export const extension = {
  intOrString: 'x-kubernetes-int-or-string',
  preserveUnknownFields: 'x-kubernetes-preserve-unknown-fields',
  embeddedResource: 'x-kubernetes-embedded-resource',
  listType: 'x-kubernetes-list-type',
  listMapKeys: 'x-kubernetes-list-map-keys',
  mapType: 'x-kubernetes-map-type',
  validations: 'x-kubernetes-validations',
} as const
