import { isJsonObject } from '../../../base/json/member.ts'
import { extension, innerNodes, type SchemaNode, schemaMember, schemaText } from '../schema-node.ts'

/** Why Kubernetes could not make a structure from a schema, or from one inside it; reported if nothing else is wrong. */
export function unreadableProblem(node: SchemaNode): string | undefined {
  const own = ownProblem(node)
  if (own !== undefined) return own
  for (const [, inner] of innerNodes(node)) {
    const problem = unreadableProblem(inner)
    if (problem !== undefined) return problem
  }
  return undefined
}

const emptyTexts = [
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
] as const

function ownProblem(node: SchemaNode): string | undefined {
  const named =
    emptyTexts.find(([name]) => schemaText(node, name) !== '')?.[1] ??
    ['patternProperties', 'dependencies'].find((name) => hasMembers(node, name)) ??
    (schemaMember(node, 'additionalItems') === undefined ? undefined : 'additionalItems') ??
    (hasMembers(node, 'definitions') ? 'definitions' : undefined)
  if (named !== undefined) return `OpenAPIV3Schema '${named}' is not supported`
  if (schemaMember(node, extension.preserveUnknownFields) === false) {
    return `internal error: '${extension.preserveUnknownFields}' must be true or undefined`
  }
  const items = schemaMember(node, 'items')
  const isList = Array.isArray(items) && items.length > 0
  return isList ? "OpenAPIV3Schema 'items' must be a schema, but is an array" : undefined
}

export function hasMembers(node: SchemaNode, name: string): boolean {
  const value = schemaMember(node, name)
  return isJsonObject(value) && Object.keys(value).length > 0
}
