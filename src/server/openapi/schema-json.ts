import type { Schema } from '../../api/schema.ts'
import type { DefinitionTexts, FieldTexts } from './field-texts.ts'
import { writtenForV2 } from './written-v2.ts'
import { withZeroDefaults } from './zero-defaults.ts'

export type JsonNode = Record<string, unknown>

/** The definitions of one document, created while references to them are printed. */
export interface Definitions {
  readonly dialect: 'v2' | 'v3'
  readonly byName: Map<string, JsonNode>
  /** Texts for schemas without a description. */
  readonly texts: FieldTexts
}

export function emptyDefinitions(dialect: Definitions['dialect'], texts: FieldTexts): Definitions {
  return { dialect, byName: new Map(), texts }
}

const metaV1 = 'io.k8s.apimachinery.pkg.apis.meta.v1'

const rawExtension = 'io.k8s.apimachinery.pkg.runtime.RawExtension'

/** Scalars that clients know by a definition name. */
const namedFormats: ReadonlyMap<Schema['format'], string> = new Map<Schema['format'], string>([
  ['date-time', `${metaV1}.Time`],
  ['micro-time', `${metaV1}.MicroTime`],
  ['quantity', 'io.k8s.apimachinery.pkg.api.resource.Quantity'],
  ['int-or-string', 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'],
])

/** A schema at its point of use: a reference if it has a name, in which case its definition is added. */
export function schemaUse(schema: Schema, definitions: Definitions): JsonNode {
  if (schema.openApi !== undefined) {
    return { ...(definitions.dialect === 'v3' ? schema.openApi : writtenForV2(schema.openApi)) }
  }
  const name = schema.name ?? (schema.type === 'string' ? namedFormats.get(schema.format) : undefined)
  if (name === undefined)
    return { ...described(schema.memberDescription ?? schema.description), ...body(schema, definitions) }
  // How a member is patched belongs to the member, not to its type.
  const { default: fallback, patchStrategy, patchMergeKey, ...type } = schema
  define(name, definitions, () => ({ ...described(nameText(schema, definitions)), ...body(type, definitions) }))
  const text = schema.memberDescription ?? (schema.name === undefined ? schema.description : undefined)
  const extras = {
    ...described(text),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...patchMarkers({ patchStrategy, patchMergeKey }),
  }
  return reference(name, definitions, extras)
}

/** Formats are defined separately: a description beside them is about the member, not the format. */
function nameText({ name, description }: Schema, { texts }: Definitions): string | undefined {
  return name === undefined ? undefined : (description ?? texts.get(name)?.text)
}

/** OpenAPI 3 allows nothing beside a reference, so extras are wrapped. */
export function reference(name: string, { dialect }: Definitions, extras: JsonNode = {}): JsonNode {
  if (dialect === 'v2') return { ...extras, $ref: `#/definitions/${name}` }
  const link = { $ref: `#/components/schemas/${name}` }
  return Object.keys(extras).length === 0 ? link : { ...extras, allOf: [link] }
}

/** The name is reserved before the definition is built, so that schemas may contain themselves. */
export function define(name: string, { byName }: Definitions, make: () => JsonNode): void {
  if (byName.has(name)) return
  byName.set(name, {})
  byName.set(name, make())
}

function described(text: string | undefined): JsonNode {
  return text === undefined || text === '' ? {} : { description: text }
}

function body(schema: Schema, definitions: Definitions): JsonNode {
  return {
    ...typeOf(schema, definitions.dialect),
    ...contents(schema, definitions),
    ...limits(schema),
    ...markers(schema, definitions),
  }
}

function typeOf(schema: Schema, dialect: Definitions['dialect']): JsonNode {
  switch (schema.format) {
    case 'int-or-string':
      return dialect === 'v2'
        ? { type: 'string', format: 'int-or-string' }
        : { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] }
    case 'quantity':
      return dialect === 'v2' ? { type: 'string' } : { oneOf: [{ type: 'string' }, { type: 'number' }] }
    case 'micro-time':
      return { type: 'string', format: 'date-time' }
    case 'fields-v1':
      return { type: 'object' }
    default:
      if (schema.type === 'any') return schema.name === rawExtension ? { type: 'object' } : {}
      return schema.format === undefined ? { type: schema.type } : { type: schema.type, format: schema.format }
  }
}

function contents(schema: Schema, definitions: Definitions): JsonNode {
  const { name, additionalProperties, items, required = [] } = schema
  const properties = definitions.dialect === 'v3' && schema.properties ? withZeroDefaults(schema) : schema.properties
  const texts = name === undefined ? undefined : definitions.texts.get(name)
  // Clients of OpenAPI 2 refuse members that are not listed.
  const isOpen = definitions.dialect === 'v2' && schema.preserveUnknownFields === true
  return {
    ...(isOpen || properties === undefined || Object.keys(properties).length === 0
      ? {}
      : { properties: eachMember(properties, texts, definitions) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: schemaUse(additionalProperties, definitions) }),
    ...(items === undefined ? {} : { items: schemaUse(items, definitions) }),
    ...(required.length === 0 ? {} : { required: [...required] }),
  }
}

function eachMember(
  properties: Readonly<Record<string, Schema>>,
  texts: DefinitionTexts | undefined,
  definitions: Definitions,
): JsonNode {
  const members = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    members.map(([name, member]) => {
      const text = memberText(texts, name)
      return [name, schemaUse(asMember(member, text, definitions), definitions)]
    }),
  )
}

/** Users choose the names of members, and every object has a `constructor`. */
function memberText(texts: DefinitionTexts | undefined, name: string): string | undefined {
  return texts !== undefined && Object.hasOwn(texts.members, name) ? texts.members[name] : undefined
}

/** A member without a description of its own gets the text for the member, else that of its definition. */
function asMember(schema: Schema, text: string | undefined, definitions: Definitions): Schema {
  const own = schema.memberDescription ?? (schema.name === undefined ? schema.description : undefined)
  const memberDescription = own ?? text ?? nameText(schema, definitions)
  return memberDescription === undefined ? schema : { ...schema, memberDescription }
}

function limits(schema: Schema): JsonNode {
  const kept = ['enum', 'default', 'minimum', 'maximum', 'minLength', 'maxLength'] as const
  return Object.fromEntries(kept.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])))
}

/** Extensions that Kubernetes' own tools read. */
function markers(schema: Schema, { dialect }: Definitions): JsonNode {
  const isBuiltin = schema.format === 'fields-v1' || (schema.type === 'any' && schema.name !== undefined)
  const opaque = schema.preserveUnknownFields === true && !isBuiltin
  return {
    ...(schema.nullable === true && dialect === 'v3' ? { nullable: true } : {}),
    ...(schema.listType === undefined ? {} : { 'x-kubernetes-list-type': schema.listType }),
    ...(schema.listMapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': schema.listMapKeys }),
    ...(schema.mapType === undefined || schema.type === 'any' ? {} : { 'x-kubernetes-map-type': schema.mapType }),
    ...patchMarkers(schema),
    ...(opaque ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
  }
}

type PatchMarkers = { readonly [Name in 'patchStrategy' | 'patchMergeKey']?: Schema[Name] | undefined }

function patchMarkers({ patchStrategy, patchMergeKey }: PatchMarkers): JsonNode {
  return {
    ...(patchStrategy === undefined ? {} : { 'x-kubernetes-patch-strategy': patchStrategy }),
    ...(patchMergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': patchMergeKey }),
  }
}
