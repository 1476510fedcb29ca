import { lazily } from '../../base/lazily.ts'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  timestampType,
} from '../../cel/type.ts'
import { escapedProperty } from '../custom/rules/property-names.ts'
import { nodeAt, type SchemaNode } from '../custom/schema-node.ts'
import type { Schema } from '../schema.ts'

/** The schema as written by a user. */
type Written = SchemaNode | undefined

/**
 * How expressions see a value of a schema; undefined for what they do not see, since the schema does not describe it.
 * `name` distinguishes types. Members are resolved when an expression names them: schemas are large, and may be
 * recursive.
 */
export function schemaCelType(schema: Schema, name: string, written: Written = schema.openApi): CelType | undefined {
  if (schema.format === 'int-or-string') return dynType
  switch (schema.type) {
    case 'any':
      return undefined
    case 'array': {
      const item = schema.items && schemaCelType(schema.items, `${name}.@idx`, below(written, 'items'))
      return item && listType(item)
    }
    case 'object':
      if (schema.additionalProperties !== undefined) {
        return mapOf(schema.additionalProperties, name, below(written, 'additionalProperties'))
      }
      return isOpaque(schema) ? dynType : objectType(schema, name, written)
    case 'string':
      return textType(written?.format ?? schema.format)
    case 'integer':
      return intType
    case 'number':
      return doubleType
    case 'boolean':
      return boolType
  }
}

/** Values that are preserved whatever they contain. */
function isOpaque({ properties, preserveUnknownFields }: Schema): boolean {
  return properties === undefined && preserveUnknownFields === true
}

function mapOf(values: Schema, name: string, written: Written): CelType | undefined {
  const value = schemaCelType(values, `${name}.@elem`, written)
  return value && mapType(stringType, value)
}

function objectType({ properties = {} }: Schema, name: string, written: Written): CelType {
  const members = below(written, 'properties')
  const fields = lazily(() => {
    const types = new Map<string, CelType>()
    for (const [property, schema] of Object.entries(properties)) {
      const escaped = escapedProperty(property)
      const type = schemaCelType(schema, `${name}.${property}`, schema.openApi ?? below(members, property))
      if (escaped !== undefined && type !== undefined) types.set(escaped, type)
    }
    return types
  })
  return {
    ...structType(name),
    get fields() {
      return fields()
    },
  }
}

function below(written: Written, name: string): Written {
  return written && nodeAt(written, name)
}

function textType(format: unknown): CelType {
  switch (format) {
    case 'byte':
      return bytesType
    case 'duration':
      return durationType
    case 'date':
    case 'date-time':
    case 'micro-time':
      return timestampType
    default:
      return stringType
  }
}
