import { memberPresence } from '../../api/decode/presence.ts'
import type { Schema } from '../../api/schema.ts'

/** Members of built-in messages that are always present without being listed as required. */
const metadataNames: ReadonlySet<string | undefined> = new Set([
  'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
])

/**
 * The members of a built-in message as Kubernetes publishes them: values that Go always has get their zero value as the
 * default, and so do elements of lists and maps. Members of other definitions are unchanged.
 */
export function withZeroDefaults(schema: Schema): Readonly<Record<string, Schema>> {
  const { name, properties = {} } = schema
  if (!name?.startsWith('io.k8s.')) return properties
  const presence = memberPresence({ ...schema, required: [] })
  const entries = Object.entries(properties).map(([member, value]) => {
    const isAlways = presence.get(member) === 'always' || metadataNames.has(value.name)
    return [member, memberWithZeros(value, isAlways)] as const
  })
  return Object.fromEntries(entries)
}

function memberWithZeros(schema: Schema, isAlways: boolean): Schema {
  const { items, additionalProperties: values } = schema
  if (schema.type === 'array') return items === undefined ? schema : { ...schema, items: orZero(items) }
  if (schema.name === undefined && values !== undefined) return { ...schema, additionalProperties: orZero(values) }
  return isAlways ? orZero(schema) : schema
}

function orZero(schema: Schema): Schema {
  const zero = schema.default === undefined ? zeroOf(schema) : undefined
  return zero === undefined ? schema : { ...schema, default: zero }
}

/** Undefined for types with their own JSON form, such as times and quantities. */
function zeroOf({ type, name, format }: Schema): Schema['default'] {
  switch (type) {
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return 0
    case 'string':
      return format === undefined ? '' : undefined
    case 'object':
      return name === undefined || format !== undefined ? undefined : {}
    default:
      return undefined
  }
}
