import { typeMetaProperties } from '../metadata/kind-schema.ts'
import { conditionSchema, fieldsV1Schema, labelSelectorSchema, objectMetaSchema } from '../metadata/schema.ts'
import type { Schema } from '../schema.ts'
import { description } from './descriptions.ts'
import { type ProtobufField, protobufFields, shortMessageName } from './protobuf-fields.ts'
import { isInlined, type JsonForm, jsonName, specialForms } from './protobuf-names.ts'
import { atomicMessages, fieldFacts } from './schema-facts.ts'
import { requiredMembers } from './schema-required.ts'

const metaV1 = 'k8s.io.apimachinery.pkg.apis.meta.v1'

/** Messages whose schema is written by hand, or too recursive to be worth one. */
const written: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  [`${metaV1}.ObjectMeta`, objectMetaSchema],
  [`${metaV1}.LabelSelector`, labelSelectorSchema],
  [`${metaV1}.Condition`, conditionSchema],
  [`${metaV1}.FieldsV1`, fieldsV1Schema],
  [
    'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
    { type: 'object', preserveUnknownFields: true },
  ],
])

const scalars: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ['string', { type: 'string' }],
  ['bool', { type: 'boolean' }],
  ['int32', { type: 'integer', format: 'int32' }],
  ['int64', { type: 'integer', format: 'int64' }],
  ['double', { type: 'number', format: 'double' }],
  ['bytes', { type: 'string', format: 'byte' }],
])

const built = new Map<string, Schema>()
const builtKinds = new Map<string, Schema>()

/** The schema of a whole object whose kind is the message, with apiVersion and kind. The same node at every call. */
export function kindMessageSchema(message: string): Schema {
  const known = builtKinds.get(message)
  if (known !== undefined) return known
  const body = messageSchema(message)
  const schema = { ...body, properties: { ...typeMetaProperties, ...body.properties } }
  builtKinds.set(message, schema)
  return schema
}

/** The schema of a message's JSON form. The same node at every call. */
export function messageSchema(message: string): Schema {
  const known = written.get(message) ?? built.get(message)
  if (known !== undefined) return known
  const form = specialForms.get(message)
  const schema = form === undefined ? objectSchema(message) : formSchema(form, message)
  built.set(message, schema)
  return schema
}

function objectSchema(message: string): Schema {
  const short = shortMessageName(message)
  const properties: Record<string, Schema> = {}
  const required = [...(requiredMembers.get(short) ?? [])]
  for (const field of fieldsOf(message)) {
    if (isInlined(message, field.name)) {
      const inner = messageSchema(field.type)
      Object.assign(properties, inner.properties)
      required.push(...(inner.required ?? []))
    } else {
      const name = jsonName(message, field.name)
      properties[name] = memberSchema(`${short}.${name}`, field)
    }
  }
  return {
    type: 'object',
    name: publishedName(message),
    ...described(short),
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(atomicMessages.has(short) ? { mapType: 'atomic' } : {}),
  }
}

function memberSchema(path: string, field: ProtobufField): Schema {
  const facts = fieldFacts.get(path)
  const value = valueSchema(field.type)
  switch (field.shape) {
    case 'list':
      return { type: 'array', ...described(path), items: value, listType: 'atomic', ...facts }
    case 'map':
      return { type: 'object', ...described(path), additionalProperties: value, ...facts }
    case 'single':
      return asMember(value, path, facts)
  }
}

function asMember(value: Schema, path: string, facts: object | undefined): Schema {
  const text = description(path)
  if (text === undefined) return facts === undefined ? value : { ...value, ...facts }
  const words = value.name === undefined ? { description: text } : { memberDescription: text }
  return { ...value, ...words, ...facts }
}

function valueSchema(type: string): Schema {
  return scalars.get(type) ?? messageSchema(type)
}

function formSchema(form: JsonForm, message: string): Schema {
  switch (form) {
    case 'time':
      return { type: 'string', format: 'date-time' }
    case 'micro-time':
    case 'quantity':
    case 'int-or-string':
      return { type: 'string', format: form }
    case 'bare-list':
      return { type: 'array', listType: 'atomic', items: bareListItems(message) }
    case 'raw-json':
    case 'schema-or-list':
    case 'schema-or-boolean':
    case 'schema-or-strings':
      return { type: 'any', preserveUnknownFields: true }
  }
}

function bareListItems(message: string): Schema {
  return valueSchema(fieldsOf(message)[0]?.type ?? 'string')
}

function fieldsOf(message: string): readonly ProtobufField[] {
  const fields = protobufFields(message)
  if (fields === undefined) throw new Error(`The protobuf table has no message ${message}.`)
  return fields
}

function described(path: string): { readonly description?: string } {
  const text = description(path)
  return text === undefined ? {} : { description: text }
}

/** OpenAPI turns the domain around: `io.k8s.api.core.v1.Service`. */
function publishedName(message: string): string {
  return message.replace(/^k8s\.io\./, 'io.k8s.').replaceAll('_', '-')
}
