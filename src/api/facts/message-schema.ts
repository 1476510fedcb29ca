import { typeMetaProperties } from '../metadata/kind-schema.ts'
import { conditionSchema, fieldsV1Schema, labelSelectorSchema, objectMetaSchema } from '../metadata/schema.ts'
import type { Schema } from '../schema.ts'
import { description } from './descriptions.ts'
import type { FieldFact, JsonForm, Message } from './message.ts'
import { messageNamed, shortMessageName } from './messages.ts'

const metaV1 = 'k8s.io.apimachinery.pkg.apis.meta.v1'

/** Messages whose schema is written by hand. */
const written: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  [`${metaV1}.ObjectMeta`, objectMetaSchema],
  [`${metaV1}.LabelSelector`, labelSelectorSchema],
  [`${metaV1}.Condition`, conditionSchema],
  [`${metaV1}.FieldsV1`, fieldsV1Schema],
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
  const facts = messageNamed(message)
  if (facts.form === undefined) return objectSchema(facts)
  const schema = formSchema(facts.form, facts)
  built.set(message, schema)
  return schema
}

/** Registered before its members are built, so that a message may contain itself. */
function objectSchema({ name, fields, isAtomic }: Message): Schema {
  const short = shortMessageName(name)
  const properties: Record<string, Schema> = {}
  const required = fields.flatMap((field) =>
    field.isInlined ? (messageSchema(field.type).required ?? []) : field.isRequired ? [field.name] : [],
  )
  const schema: Schema = {
    type: 'object',
    name: publishedName(name),
    ...described(short),
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(isAtomic ? { mapType: 'atomic' } : {}),
  }
  built.set(name, schema)
  for (const field of fields) {
    if (field.isInlined) Object.assign(properties, messageSchema(field.type).properties)
    else properties[field.name] = memberSchema(`${short}.${field.name}`, field)
  }
  return schema
}

function memberSchema(path: string, { type, shape, schema, isWhole }: FieldFact): Schema {
  const plain = isWhole ? kindMessageSchema(type) : valueSchema(type)
  if (shape === 'single') return asMember(plain, path, schema)
  const { enum: values, ...rest } = schema ?? {}
  const goType = goValueType(schema?.goType)
  const extra = { ...(goType !== undefined && plain.type !== 'object' && { goType }), ...(values && { enum: values }) }
  const value = Object.keys(extra).length === 0 ? plain : { ...plain, ...extra }
  switch (shape) {
    case 'list':
      return { type: 'array', ...described(path), items: value, listType: 'atomic', ...rest }
    case 'map':
      return { type: 'object', ...described(path), additionalProperties: value, ...rest }
  }
}

/** The value type of `[]v1.IPFamily` or `map[string]v1.ExtraValue`. */
function goValueType(goType: string | undefined): string | undefined {
  return /^(?:\[\]|map\[[^\]]*\])(.*)$/.exec(goType ?? '')?.[1]
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

function formSchema(form: JsonForm, { name, fields }: Message): Schema {
  switch (form) {
    case 'time':
      return { type: 'string', format: 'date-time' }
    case 'micro-time':
    case 'quantity':
    case 'int-or-string':
      return { type: 'string', format: form }
    case 'bare-list':
      return { type: 'array', listType: 'atomic', items: valueSchema(fields[0]?.type ?? 'string') }
    case 'raw-json':
      return { type: 'any', name: publishedName(name), preserveUnknownFields: true, mapType: 'atomic' }
    case 'schema-or-list':
    case 'schema-or-boolean':
    case 'schema-or-strings':
      return { type: 'any', format: form, name: publishedName(name), preserveUnknownFields: true }
  }
}

function described(path: string): { readonly description?: string } {
  const text = description(path)
  return text === undefined ? {} : { description: text }
}

/** OpenAPI reverses the domain: `io.k8s.api.core.v1.Service`. */
function publishedName(message: string): string {
  return message.replace(/^k8s\.io\./, 'io.k8s.').replaceAll('_', '-')
}
