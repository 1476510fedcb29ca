import { isJsonObject } from '../../../base/json/member.ts'
import { type FieldError, forbiddenField, invalidField, notSupportedField } from '../../field-error.ts'
import type { Compiled } from '../compile.ts'
import { ruleErrors } from '../rules/check-rules.ts'
import { extension, isSet, namedNodesAt, nodeAt, type SchemaNode, schemaMember, schemaText } from '../schema-node.ts'
import { structureTypes } from '../structure.ts'
import { listSchemaErrors, mapErrors } from './check-collections.ts'
import { conditionsOf } from './check-conditions.ts'
import { hasMembers } from './unreadable-schema.ts'

/** What also applies to the nodes below. */
interface Surroundings {
  /** Why defaults are not allowed. */
  readonly forbidsDefaults?: string
  /** Within apiVersion, kind and metadata of an object. */
  readonly isInMetadata?: boolean
  readonly isRoot?: boolean
}

/** What is wrong with the members of a schema and of those inside it, whether or not they are structural. */
export function keywordErrors(
  node: SchemaNode,
  path: string,
  compiled: Compiled,
  around: Surroundings = { isRoot: true },
): readonly FieldError[] {
  const { isRoot: _, ...inherited } = around
  const inside = (inner: SchemaNode, at: string, more: Surroundings = {}) =>
    keywordErrors(inner, `${path}.${at}`, compiled, { ...inherited, ...more })
  const additional = nodeAt(node, 'additionalProperties')
  const items = nodeAt(node, 'items')
  return [
    ...ownErrors(node, path, around),
    ...(additional === undefined ? [] : inside(additional, 'additionalProperties', ofAdditional(around))),
    ...namedNodesAt(node, 'properties').flatMap(([name, each]) =>
      inside(each, `properties[${name}]`, ofProperty(node, name, around)),
    ),
    ...conditionsOf(node, '').flatMap((condition) => inside(condition.node, condition.path.slice(1))),
    ...(items === undefined ? [] : inside(items, 'items')),
    ...(schemaMember(node, extension.preserveUnknownFields) === false
      ? [invalidField(`${path}.${extension.preserveUnknownFields}`, false, 'must be true or undefined')]
      : []),
    ...mapErrors(node, path),
    ...listSchemaErrors(node, path),
    ...ruleErrors(node, path, compiled),
  ]
}

function ofAdditional({ isInMetadata }: Surroundings): Surroundings {
  return isInMetadata === true ? { forbidsDefaults: 'inside additionalProperties applying to object metadata' } : {}
}

function ofProperty(node: SchemaNode, name: string, { isRoot = false }: Surroundings): Surroundings {
  const isOfObject = isRoot || isSet(node, extension.embeddedResource)
  if (!isOfObject || !['apiVersion', 'kind', 'metadata'].includes(name)) return {}
  return { isInMetadata: true, ...(isRoot && { forbidsDefaults: `in top-level ${name}` }) }
}

function ownErrors(node: SchemaNode, path: string, around: Surroundings): readonly FieldError[] {
  const type = schemaText(node, 'type')
  const items = schemaMember(node, 'items')
  const isKnown = type === '' || structureTypes.some((each) => each === type)
  const forbidden: readonly (readonly [string, string, boolean])[] = [
    ['default', `must not be set ${around.forbidsDefaults}`, hasForbiddenDefault(node, around)],
    ['id', 'id is not supported', schemaText(node, 'id') !== ''],
    ['additionalItems', 'additionalItems is not supported', schemaMember(node, 'additionalItems') !== undefined],
    ['patternProperties', 'patternProperties is not supported', hasMembers(node, 'patternProperties')],
    ['definitions', 'definitions is not supported', hasMembers(node, 'definitions')],
    ['dependencies', 'dependencies is not supported', schemaMember(node, 'dependencies') !== undefined],
    ['$ref', '$ref is not supported', schemaMember(node, '$ref') !== undefined],
    ['type', 'type cannot be set to null, use nullable as an alternative', type === 'null'],
    ['items', 'items must be a schema object and not an array', Array.isArray(items) && items.length > 0],
    [
      extension.embeddedResource,
      'must not be used inside of resource meta',
      around.isInMetadata === true && isSet(node, extension.embeddedResource),
    ],
    [
      'uniqueItems',
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      isSet(node, 'uniqueItems'),
    ],
    ['additionalProperties', 'additionalProperties and properties are mutual exclusive', isBoth(node)],
  ]
  return [
    ...(isKnown ? [] : [notSupportedField(`${path}.type`, type, structureTypes)]),
    ...forbidden.filter(([, , holds]) => holds).map(([name, detail]) => forbiddenField(`${path}.${name}`, detail)),
  ]
}

function hasForbiddenDefault(node: SchemaNode, { forbidsDefaults }: Surroundings): boolean {
  return forbidsDefaults !== undefined && schemaMember(node, 'default') !== undefined
}

function isBoth(node: SchemaNode): boolean {
  const additional = schemaMember(node, 'additionalProperties')
  return (isJsonObject(additional) || additional === false) && namedNodesAt(node, 'properties').length > 0
}
