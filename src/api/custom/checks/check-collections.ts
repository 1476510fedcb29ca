import { repeated } from '../../core/repeated.ts'
import {
  type FieldError,
  forbiddenField,
  invalidField,
  invalidFieldAs,
  maxFieldErrors,
  notSupportedField,
  requiredField,
} from '../../field-error.ts'
import { goSyntax } from '../../human/go-syntax.ts'
import { extension, isSet, nodeAt, type SchemaNode, schemaMember, schemaText, schemaTexts } from '../schema-node.ts'

const { listType, listMapKeys, mapType } = extension
const listTypes = ['atomic', 'set', 'map']
const mapTypes = ['atomic', 'granular']

/** What is wrong with how a list is merged and owned. */
export function listSchemaErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const given = schemaMember(node, listType)
  const items = nodeAt(node, 'items')
  const isList = schemaText(node, 'type') === 'array'
  return [
    ...typeErrors(node, path, listType, 'array'),
    ...(isList && given === 'set' && items !== undefined ? setErrors(items, `${path}.items`) : []),
    ...(given === undefined || listTypes.includes(String(given))
      ? []
      : [notSupportedField(`${path}.${listType}`, given, listTypes)]),
    ...keysErrors(node, path),
    ...(given === 'map' ? listMapErrors(node, path) : []),
    ...((given === 'map' || given === 'set') && items !== undefined ? identityErrors(node, items, path, given) : []),
  ]
}

export function mapErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const given = schemaMember(node, mapType)
  return [
    ...typeErrors(node, path, mapType, 'object'),
    ...(given === undefined || mapTypes.includes(String(given))
      ? []
      : [notSupportedField(`${path}.${mapType}`, given, mapTypes)]),
  ]
}

/** Merge settings for lists or objects are only allowed on these types. */
function typeErrors(node: SchemaNode, path: string, name: string, wanted: string): readonly FieldError[] {
  const type = schemaText(node, 'type')
  if (schemaMember(node, name) === undefined || type === wanted) return []
  const detail = `must be ${wanted} if ${name} is specified`
  return [type === '' ? requiredField(`${path}.type`, detail) : invalidField(`${path}.type`, type, detail)]
}

/** Both errors show the list type of the items, like those of Kubernetes. */
function setErrors(items: SchemaNode, path: string): readonly FieldError[] {
  const type = schemaText(items, 'type')
  const inner = schemaMember(items, listType)
  const wrong =
    type === 'array' && inner !== undefined && inner !== 'atomic'
      ? listType
      : type === 'object' && schemaMember(items, mapType) !== 'atomic'
        ? mapType
        : undefined
  if (wrong === undefined) return []
  return [invalidField(`${path}.${wrong}`, inner, `must be atomic as item of a list with ${listType}=set`)]
}

function keysErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const given = schemaMember(node, listType)
  if (schemaTexts(node, listMapKeys).length === 0 || given === 'map') return []
  const detail = `must be map if ${listMapKeys} is non-empty`
  const field = `${path}.${listType}`
  return [given === undefined ? requiredField(field, detail) : invalidField(field, given, detail)]
}

function listMapErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const items = nodeAt(node, 'items')
  const keys = schemaTexts(node, listMapKeys)
  const type = items === undefined ? '' : schemaText(items, 'type')
  return [
    ...(keys.length === 0 ? [requiredField(`${path}.${listMapKeys}`, `must not be empty if ${listType} is map`)] : []),
    ...(schemaMember(node, 'items') === undefined
      ? [requiredField(`${path}.items`, `must have a schema if ${listType} is map`)]
      : []),
    ...(Array.isArray(schemaMember(node, 'items'))
      ? [
          invalidField(
            `${path}.items`,
            schemaMember(node, 'items'),
            `must only have a single schema if ${listType} is map`,
          ),
        ]
      : []),
    ...(items !== undefined && type !== 'object'
      ? [invalidField(`${path}.items.type`, type, `must be object if parent array's ${listType} is map`)]
      : []),
    ...(items !== undefined && type === 'object' ? keyErrors(items, keys, path) : []),
  ]
}

function keyErrors(items: SchemaNode, keys: readonly string[], path: string): readonly FieldError[] {
  const properties = nodeAt(items, 'properties') ?? {}
  const isTaken = repeated(keys)
  const printed = goSyntax(keys)
  const wrong = (detail: string) => invalidFieldAs(`${path}.${listMapKeys}`, printed, detail)
  const errors = keys.flatMap((key, index) => {
    const property = nodeAt(properties, key)
    const isScalar = property !== undefined && !['array', 'object'].includes(schemaText(property, 'type'))
    return [
      ...(property === undefined ? [wrong('entries must all be names of item properties')] : []),
      ...(property === undefined || isScalar
        ? []
        : [
            invalidField(
              `${path}.items.properties[${key}].type`,
              'object',
              `must be a scalar type if parent array's ${listType} is map`,
            ),
          ]),
      ...(isTaken[index] ? [wrong('must not contain duplicate entries')] : []),
    ]
  })
  return errors.slice(0, maxFieldErrors)
}

/** Items are identified by themselves, or by their keys: neither may be missing. */
function identityErrors(
  node: SchemaNode,
  items: SchemaNode,
  path: string,
  given: 'map' | 'set',
): readonly FieldError[] {
  const properties = nodeAt(items, 'properties') ?? {}
  const required = new Set(schemaTexts(items, 'required'))
  const keys = given === 'map' ? schemaTexts(node, listMapKeys) : []
  const because = `this property is in ${listMapKeys}, so it`
  return [
    ...(isSet(items, 'nullable')
      ? [forbiddenField(`${path}.items.nullable`, `cannot be nullable when ${listType} is ${given}`)]
      : []),
    ...keys.flatMap((key) => {
      const property = nodeAt(properties, key)
      const field = `${path}.items.properties[${key}]`
      if (property === undefined) return []
      const isThere = required.has(key) || schemaMember(property, 'default') !== undefined
      return [
        ...(isThere
          ? []
          : [requiredField(`${field}.default`, `${because} must have a default or be a required property`)]),
        ...(isSet(property, 'nullable') ? [forbiddenField(`${field}.nullable`, `${because} cannot be nullable`)] : []),
      ]
    }),
  ]
}
