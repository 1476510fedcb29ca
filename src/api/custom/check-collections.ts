import { type FieldError, forbiddenField, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { extension, isSet, nodeAt, type SchemaNode, schemaMember, schemaText, schemaTexts } from './schema-node.ts'

const listTypes = ['atomic', 'map', 'set']

/** What is wrong with how a list is merged and owned. */
export function listSchemaErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const listType = schemaMember(node, extension.listType)
  const keys = schemaTexts(node, extension.listMapKeys)
  const items = nodeAt(node, 'items')
  if (listType === undefined) {
    return keys.length === 0
      ? []
      : [requiredField(`${path}.${extension.listType}`, 'must be map if x-kubernetes-list-map-keys is non-empty')]
  }
  if (typeof listType !== 'string' || !listTypes.includes(listType)) {
    return [notSupportedField(`${path}.${extension.listType}`, listType, listTypes)]
  }
  if (schemaText(node, 'type') !== 'array') {
    return [
      invalidField(`${path}.type`, schemaText(node, 'type'), `must be array if ${extension.listType} is specified`),
    ]
  }
  if (listType === 'set') return setErrors(items, `${path}.items`)
  return listType === 'map' ? listMapErrors(items, keys, path) : []
}

function setErrors(items: SchemaNode | undefined, path: string): readonly FieldError[] {
  if (items === undefined) return [requiredField(path, `must have a schema if ${extension.listType} is set`)]
  const detail = 'as item of a list with x-kubernetes-list-type=set'
  if (schemaText(items, 'type') === 'object' && schemaText(items, extension.mapType) !== 'atomic') {
    return [
      invalidField(`${path}.${extension.mapType}`, schemaMember(items, extension.mapType), `must be atomic ${detail}`),
    ]
  }
  if (schemaText(items, 'type') === 'array' && !['', 'atomic'].includes(schemaText(items, extension.listType))) {
    return [
      invalidField(
        `${path}.${extension.listType}`,
        schemaMember(items, extension.listType),
        `must be atomic ${detail}`,
      ),
    ]
  }
  return isSet(items, 'nullable')
    ? [forbiddenField(`${path}.nullable`, 'cannot be nullable when x-kubernetes-list-type is set')]
    : []
}

function listMapErrors(items: SchemaNode | undefined, keys: readonly string[], path: string): readonly FieldError[] {
  if (items === undefined) return [requiredField(`${path}.items`, `must have a schema if ${extension.listType} is map`)]
  if (schemaText(items, 'type') !== 'object') {
    return [
      invalidField(
        `${path}.items.type`,
        schemaText(items, 'type'),
        `must be object if parent array's ${extension.listType} is map`,
      ),
    ]
  }
  if (keys.length === 0) {
    return [requiredField(`${path}.${extension.listMapKeys}`, `must not be empty if ${extension.listType} is map`)]
  }
  return keys.flatMap((key, index) => keyErrors(items, key, `${path}.${extension.listMapKeys}[${index}]`, path))
}

function keyErrors(items: SchemaNode, key: string, keyPath: string, path: string): readonly FieldError[] {
  const property = nodeAt(nodeAt(items, 'properties') ?? {}, key)
  if (property === undefined) return [invalidField(keyPath, key, 'entries must all be names of item properties')]
  const propertyPath = `${path}.items.properties[${key}]`
  const type = schemaText(property, 'type')
  if (type === 'array' || type === 'object') {
    return [
      invalidField(
        `${propertyPath}.type`,
        type,
        `must be a scalar type if parent array's ${extension.listType} is map`,
      ),
    ]
  }
  if (schemaMember(property, 'default') !== undefined || schemaTexts(items, 'required').includes(key)) return []
  const detail = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
  return [requiredField(`${propertyPath}.default`, detail)]
}

const mapTypes = ['atomic', 'granular']

export function mapErrors(node: SchemaNode, path: string): readonly FieldError[] {
  const mapType = schemaMember(node, extension.mapType)
  if (mapType === undefined) return []
  if (typeof mapType !== 'string' || !mapTypes.includes(mapType)) {
    return [notSupportedField(`${path}.${extension.mapType}`, mapType, mapTypes)]
  }
  if (schemaText(node, 'type') === 'object') return []
  return [invalidField(`${path}.type`, schemaText(node, 'type'), `must be object if ${extension.mapType} is specified`)]
}
