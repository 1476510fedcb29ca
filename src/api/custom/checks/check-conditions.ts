import { deepEqual } from '../../../base/equal.ts'
import { type FieldError, forbiddenField, requiredField } from '../../field-error.ts'
import {
  extension,
  isSet,
  namedNodesAt,
  nodeAt,
  nodesAt,
  type SchemaNode,
  schemaMember,
  schemaText,
} from '../schema-node.ts'

/** A condition restricts a value that is described elsewhere, and must not describe anything itself. */
export function conditionErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const isPresent = (name: string) => schemaMember(node, name) !== undefined
  const named = (name: string, wanted: string) =>
    forbiddenField(`${path}.${name}`, `must be ${wanted} to be structural`)
  const metadata = nodeAt(nodeAt(node, 'properties') ?? {}, 'metadata')
  const additional = schemaMember(node, 'additionalProperties')
  return [
    ...undefinedMembers.filter(isPresent).map((name) => named(name, 'undefined')),
    ...(additional === undefined || additional === false ? [] : [named('additionalProperties', 'undefined')]),
    ...emptyTexts.filter((name) => schemaText(node, name) !== '').map((name) => named(name, 'empty')),
    ...emptyLists.filter((name) => hasItems(node, name)).map((name) => named(name, 'empty')),
    ...falseMembers.filter((name) => isSet(node, name)).map((name) => named(name, 'false')),
    ...(metadata === undefined
      ? []
      : [forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context')]),
  ]
}

const undefinedMembers = ['default', extension.listType, extension.mapType]
const emptyTexts = ['type', 'title', 'description']
const emptyLists = [extension.listMapKeys, extension.validations]
const falseMembers = ['nullable', extension.preserveUnknownFields, extension.embeddedResource, extension.intOrString]

function hasItems(node: SchemaNode, name: string): boolean {
  const value = schemaMember(node, name)
  return Array.isArray(value) && value.length > 0
}

export interface Condition {
  readonly node: SchemaNode
  readonly path: string
}

const junctors = ['allOf', 'anyOf', 'oneOf'] as const

export function conditionsOf(node: SchemaNode, path: string): readonly Condition[] {
  const not = nodeAt(node, 'not')
  return [
    ...junctors.flatMap((name) =>
      nodesAt(node, name).map((each, index) => ({ node: each, path: `${path}.${name}[${index}]` })),
    ),
    ...(not === undefined ? [] : [{ node: not, path: `${path}.not` }]),
  ]
}

const bareForm = [{ type: 'integer' }, { type: 'string' }]

/**
 * An int-or-string may be written with an `anyOf` of the two bare types, directly or as the first of `allOf`. Returns
 * the node without that form, so that everything else in it is still checked. Kubernetes allows it anywhere.
 */
export function withoutIntOrStringForm(node: SchemaNode): SchemaNode {
  const { anyOf, ...rest } = node
  if (deepEqual(anyOf, bareForm)) return rest
  const [first, ...others] = nodesAt(node, 'allOf')
  if (first === undefined || !deepEqual(schemaMember(first, 'anyOf'), bareForm)) return node
  const { anyOf: _, ...restOfFirst } = first
  return { ...node, allOf: [restOfFirst, ...others] }
}

/**
 * Fields named by a condition at the root must also be in the schema itself: otherwise they are pruned before the
 * condition is checked. Kubernetes requires it only there.
 */
export function completenessErrors(schema: SchemaNode, path: string): readonly FieldError[] {
  return conditionsOf(schema, path).flatMap((condition) => missingErrors(condition, schema, path))
}

function missingErrors(condition: Condition, schema: SchemaNode | undefined, path: string): readonly FieldError[] {
  if (schema === undefined) return [requiredField(path, `because it is defined in ${condition.path}`)]
  const { node } = condition
  const items = nodeAt(node, 'items')
  const properties = nodeAt(schema, 'properties') ?? {}
  return [
    ...conditionsOf(node, condition.path).flatMap((inner) => missingErrors(inner, schema, path)),
    ...(items === undefined
      ? []
      : missingErrors({ node: items, path: `${condition.path}.items` }, nodeAt(schema, 'items'), `${path}.items`)),
    ...namedNodesAt(node, 'properties').flatMap(([name, each]) => {
      const below = `properties[${name}]`
      return missingErrors(
        { node: each, path: `${condition.path}.${below}` },
        nodeAt(properties, name),
        `${path}.${below}`,
      )
    }),
  ]
}
