import type { ConfigField, ListField, MapField, ObjectField, ObjectRule, TextField } from './field.ts'
import { documentFields } from './fields.ts'
import type { TextFormat } from './text-format.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The document as a JSON Schema (draft 2020-12) for editors. */
export function tenantConfigSchema(): JsonSchema {
  const definitions = new Map<string, JsonSchema>()
  const document = objectSchema(documentFields, definitions)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'tenant.yaml',
    ...document,
    not: {
      required: ['platform', 'external'],
      properties: { external: { type: 'object', required: ['platform'] } },
    },
    $defs: Object.fromEntries(definitions),
  }
}

function schemaOf(field: ConfigField, definitions: Map<string, JsonSchema>): JsonSchema {
  const { description } = field
  switch (field.type) {
    case 'boolean':
      return { type: 'boolean', description, default: field.default }
    case 'integer':
      return { type: 'integer', description, default: field.default, minimum: field.minimum, maximum: field.maximum }
    case 'text':
      return { ...textSchema(field), description }
    case 'list':
      return listSchema(field, definitions)
    case 'map':
      return mapSchema(field, definitions)
    case 'object':
      return field.name === undefined ? objectSchema(field, definitions) : definedSchema(field.name, field, definitions)
  }
}

function textSchema({ format, default: initial }: TextField): JsonSchema {
  return {
    type: 'string',
    ...formatSchema(format),
    ...(initial === undefined ? { examples: [format.example] } : { default: initial }),
  }
}

function formatSchema({ pattern, maxLength }: TextFormat): JsonSchema {
  return {
    minLength: 1,
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern: pattern.source.replaceAll('\\/', '/') }),
  }
}

function listSchema({ description, items, presence }: ListField, definitions: Map<string, JsonSchema>): JsonSchema {
  const initial = presence === 'optional' ? {} : { default: [] }
  return { type: 'array', description, ...initial, items: schemaOf(items, definitions) }
}

function mapSchema({ description, keys, values }: MapField, definitions: Map<string, JsonSchema>): JsonSchema {
  return {
    type: 'object',
    description,
    default: {},
    propertyNames: formatSchema(keys),
    additionalProperties: schemaOf(values, definitions),
  }
}

function definedSchema(name: string, field: ObjectField, definitions: Map<string, JsonSchema>): JsonSchema {
  if (!definitions.has(name)) definitions.set(name, objectSchema(field, definitions))
  return { $ref: `#/$defs/${name}`, description: field.description }
}

function objectSchema({ description, members, rules }: ObjectField, definitions: Map<string, JsonSchema>): JsonSchema {
  const entries = Object.entries(members)
  const required = entries.filter(([, member]) => member.presence === 'required').map(([name]) => name)
  return {
    type: 'object',
    description,
    additionalProperties: false,
    properties: Object.fromEntries(entries.map(([name, member]) => [name, schemaOf(member, definitions)])),
    ...(required.length > 0 && { required }),
    ...(rules !== undefined && { allOf: rules.map(ruleSchema) }),
  }
}

function ruleSchema(rule: ObjectRule): JsonSchema {
  if (rule.type === 'any-of') return anyOf(rule.members)
  return { oneOf: rule.groups.map(anyOf) }
}

function anyOf(members: readonly string[]): JsonSchema {
  return { anyOf: members.map((name) => ({ required: [name] })) }
}
