import type { Kind } from '../../../src/api/kind.ts'
import { objectMetaSchema } from '../../../src/api/metadata/schema.ts'
import type { Schema } from '../../../src/api/schema.ts'

/** Small kinds with every type of field ownership, for tests. */

const text: Schema = { type: 'string' }
const number: Schema = { type: 'integer' }

export function example(
  kind: Partial<Kind> & Pick<Kind, 'group' | 'kind' | 'flavor'>,
  members: Schema['properties'],
): Kind {
  return {
    version: 'v1',
    plural: `${kind.kind.toLowerCase()}s`,
    singular: kind.kind.toLowerCase(),
    namespaced: false,
    nameRule: 'dns-subdomain',
    hasStatus: false,
    hasGeneration: false,
    allowsUnconditionalUpdate: true,
    allowsCreateOnUpdate: false,
    deleteAnswer: 'status',
    strategy: {},
    schema: { type: 'object', properties: { apiVersion: text, kind: text, metadata: objectMetaSchema, ...members } },
    ...kind,
  }
}

/** The custom resource of the recorded answers. */
export const accessKey = example(
  { group: 'management.example.com', kind: 'OwnedAccessKey', flavor: 'custom', hasStatus: true },
  {
    spec: {
      type: 'object',
      properties: {
        displayName: text,
        user: text,
        ttl: number,
        disabled: { type: 'boolean' },
        type: text,
        groups: { type: 'array', items: text },
        scope: {
          type: 'object',
          properties: {
            roles: {
              type: 'array',
              items: { type: 'object', properties: { role: text, projects: { type: 'array', items: text } } },
            },
          },
        },
      },
    },
    status: { type: 'object', properties: { lastActivity: { type: 'string', format: 'date-time' } } },
  },
)

export const configMap = example(
  {
    group: '',
    kind: 'ConfigMap',
    flavor: 'builtin',
    namespaced: true,
    protobufMessage: 'k8s.io.api.core.v1.ConfigMap',
  },
  {
    data: { type: 'object', additionalProperties: text },
    immutable: { type: 'boolean' },
  },
)

export const service = example(
  {
    group: '',
    kind: 'Service',
    flavor: 'builtin',
    namespaced: true,
    hasStatus: true,
    protobufMessage: 'k8s.io.api.core.v1.Service',
  },
  {
    spec: {
      type: 'object',
      properties: {
        ports: {
          type: 'array',
          listType: 'map',
          listMapKeys: ['port', 'protocol'],
          items: {
            type: 'object',
            properties: {
              name: text,
              port: number,
              protocol: { type: 'string', default: 'TCP' },
              targetPort: { type: 'string', format: 'int-or-string' },
            },
          },
        },
        selector: { type: 'object', additionalProperties: text, mapType: 'atomic' },
        externalIPs: { type: 'array', items: text, listType: 'atomic' },
        sessionAffinity: text,
        type: text,
      },
    },
    status: { type: 'object', properties: { phase: text } },
  },
)

/** Sets, maps of objects, and a part with arbitrary content. */
export const garden = example(
  { group: 'example.com', kind: 'Garden', flavor: 'custom' },
  {
    colors: { type: 'array', items: text, listType: 'set' },
    numbers: { type: 'array', items: number, listType: 'set' },
    beds: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { plant: text, rows: number } },
    },
    anything: { type: 'object', preserveUnknownFields: true },
  },
)
