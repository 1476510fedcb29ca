import {
  extension,
  isSet,
  namedNodesAt,
  nodeAt,
  type SchemaNode,
  schemaTexts,
  schemaType,
} from '../../api/custom/schema-node.ts'

/** Keywords that OpenAPI 2 lacks or that confuse old clients. */
const left: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'type', 'required'],
  ...['items', 'properties', 'additionalProperties'],
])

/**
 * A schema that a user wrote for OpenAPI 3, as Kubernetes shows it to clients of OpenAPI 2: unless the type is omitted,
 * those refuse null and unlisted members.
 */
export function writtenForV2(node: SchemaNode): SchemaNode {
  const isOpen = isSet(node, 'nullable') || isSet(node, extension.preserveUnknownFields)
  const members = isOpen ? [] : namedNodesAt(node, 'properties')
  const items = isOpen ? undefined : nodeAt(node, 'items')
  const others = nodeAt(node, 'additionalProperties')
  const required = schemaTexts(node, 'required').filter((name) => !isNullable(node, name))
  const type = shownType(node, isOpen, items)
  return {
    ...Object.fromEntries(Object.entries(node).filter(([name]) => !left.has(name))),
    ...(type !== undefined && { type }),
    ...(required.length > 0 && { required }),
    ...(items !== undefined && { items: writtenForV2(items) }),
    ...(members.length > 0 && {
      properties: Object.fromEntries(members.map(([name, each]) => [name, writtenForV2(each)])),
    }),
    ...(others !== undefined && { additionalProperties: writtenForV2(others) }),
  }
}

function isNullable(node: SchemaNode, name: string): boolean {
  const member = nodeAt(nodeAt(node, 'properties') ?? {}, name)
  return member !== undefined && isSet(member, 'nullable')
}

function shownType(node: SchemaNode, isOpen: boolean, items: SchemaNode | undefined): string | undefined {
  const type = schemaType(node)
  if (isSet(node, 'nullable') || (type === 'array' && items === undefined)) return undefined
  return isOpen && type === 'object' ? undefined : type
}
