import { kindMessageSchema, messageSchema } from '../../api/facts/message-schema.ts'
import type { Schema } from '../../api/schema.ts'
import { object, string } from '../../api/schema-builder.ts'
import type { Described } from './described.ts'
import { type Definitions, define, type JsonNode, reference, schemaUse } from './schema-json.ts'

const metaV1 = 'k8s.io.apimachinery.pkg.apis.meta.v1'
const published = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const gvkKey = 'x-kubernetes-group-version-kind'

const patchSchema: Schema = object(
  'A change to an object. The content type of the request specifies the patch format.',
  {},
  { name: `${published}.Patch` },
)

/** A reference to the whole object, whose definition names its kind. */
export function objectRef(described: Described, definitions: Definitions): JsonNode {
  const { group, kind, version, schema } = described
  const isOpen = definitions.dialect === 'v2' && schema.preserveUnknownFields === true
  return marked(isOpen ? withoutMembers(schema) : schema, [{ group, kind, version }], definitions)
}

/** Clients of OpenAPI 2 refuse all other members of a kind once it lists one. */
function withoutMembers({ name }: Schema): Schema {
  return { type: 'object', ...(name !== undefined && { name }) }
}

/** A reference to the list of such objects. */
export function listRef(described: Described, definitions: Definitions): JsonNode {
  const { group, kind, version, schema } = described
  const name = `${schema.name ?? kind}List`
  const hasZeros = definitions.dialect === 'v3' && name.startsWith('io.k8s.')
  define(name, definitions, () => ({
    description: `A list of ${kind} objects.`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: schemaUse(string('API version of this representation of the list.'), definitions),
      items: {
        description: 'The objects of the list.',
        type: 'array',
        items: itemRef(described, definitions, hasZeros),
      },
      kind: schemaUse(string('Kind of the list, in CamelCase.'), definitions),
      metadata: schemaUse(
        {
          ...messageSchema(`${metaV1}.ListMeta`),
          memberDescription: 'Metadata of the list.',
          ...(hasZeros ? { default: {} } : {}),
        },
        definitions,
      ),
    },
    [gvkKey]: [{ group, kind: `${kind}List`, version }],
  }))
  return reference(name, definitions)
}

function itemRef(described: Described, definitions: Definitions, hasZeros: boolean): JsonNode {
  const use = objectRef(described, definitions)
  return hasZeros ? { default: {}, allOf: [use] } : use
}

export function statusRef(definitions: Definitions): JsonNode {
  return marked(kindMessageSchema(`${metaV1}.Status`), [coreKind('Status')], definitions)
}

export function deleteOptionsRef(definitions: Definitions): JsonNode {
  return marked(kindMessageSchema(`${metaV1}.DeleteOptions`), [coreKind('DeleteOptions')], definitions)
}

export function watchEventRef(definitions: Definitions): JsonNode {
  return marked(messageSchema(`${metaV1}.WatchEvent`), [coreKind('WatchEvent')], definitions)
}

export function patchRef(definitions: Definitions): JsonNode {
  return schemaUse(patchSchema, definitions)
}

function coreKind(kind: string): JsonNode {
  return { group: '', kind, version: 'v1' }
}

/** The kinds are set on the definition, which another use of the same name may have created. */
function marked(schema: Schema, kinds: readonly JsonNode[], definitions: Definitions): JsonNode {
  const use = schemaUse(schema, definitions)
  const definition = definitions.byName.get(schema.name ?? '')
  if (definition !== undefined) definition[gvkKey] ??= kinds
  return use
}
