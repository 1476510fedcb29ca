import { type FieldError, invalidField } from '../../field-error.ts'
import { extension, type SchemaNode, schemaMember, schemaText } from '../schema-node.ts'

/** What is allowed at the root of a schema with a status subresource, as Kubernetes prints it. */
const allowed = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
]

const allowedMembers = new Set([
  ...allowed.map((name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`),
  extension.preserveUnknownFields,
  extension.validations,
])

export function statusRootErrors(schema: SchemaNode, path: string): readonly FieldError[] {
  const forbidden = Object.keys(schema).filter((name) => !allowedMembers.has(name) && isGiven(schema, name))
  const comesFirst = forbidden.some((name) => ['id', '$schema', '$ref'].includes(name))
  const type = schemaText(schema, 'type')
  if (!comesFirst && type !== '' && type !== 'object') {
    const only = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
    return [invalidField(`${path}.type`, type, only)]
  }
  if (forbidden.length === 0) return []
  const only = `only [${allowed.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`
  return [invalidField(path, schema, only)]
}

function isGiven(schema: SchemaNode, name: string): boolean {
  const value = schemaMember(schema, name)
  return value !== undefined && value !== null && value !== '' && value !== false
}
