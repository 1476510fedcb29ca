import { configMap } from '../config-map.ts'
import { deployment, namespace } from './deployment.ts'

/** A custom kind that looks like a builtin one, so that both can get the same requests. */
export interface CustomTwin {
  readonly builtin: string
  readonly builtinPath: string
  readonly builtinBody: (name: string) => string
  readonly group: string
  readonly plural: string
  readonly definition: unknown
  readonly customPath: string
  readonly customBody: (name: string) => string
}

const group = 'bench.example.com'

/** The schema is derived from the object itself: all of its members, each with its type. */
function twinOf(
  builtin: string,
  plural: string,
  builtinPath: string,
  builtinBody: (name: string) => string,
): CustomTwin {
  const kind = `Custom${builtin}`
  const shown = JSON.parse(builtinBody('example'))
  return {
    builtin,
    builtinPath,
    builtinBody,
    group,
    plural,
    definition: definitionOf(kind, plural, schemaOf(shown)),
    customPath: `/apis/${group}/v1/namespaces/${namespace}/${plural}`,
    customBody: (name) => JSON.stringify({ ...JSON.parse(builtinBody(name)), apiVersion: `${group}/v1`, kind }),
  }
}

function definitionOf(kind: string, plural: string, schema: Schema): unknown {
  const { apiVersion, kind: kindOf, metadata: _, ...properties } = schema.properties ?? {}
  const openAPIV3Schema = { type: 'object', properties: { apiVersion, kind: kindOf, ...properties } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  }
}

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema
  readonly items?: Schema
  readonly 'x-kubernetes-int-or-string'?: true
}

/** Members whose keys users choose. */
const maps: ReadonlySet<string> = new Set(['labels', 'annotations', 'matchLabels', 'data', 'requests', 'limits'])
const numberOrText: ReadonlySet<string> = new Set(['maxSurge', 'maxUnavailable'])

function schemaOf(value: unknown, name = ''): Schema {
  if (numberOrText.has(name)) return { 'x-kubernetes-int-or-string': true }
  if (Array.isArray(value)) return { type: 'array', items: value.map((item) => schemaOf(item)).reduce(both) }
  if (typeof value !== 'object' || value === null) return { type: typeof value === 'number' ? 'integer' : typeof value }
  if (maps.has(name)) return { type: 'object', additionalProperties: { type: 'string' } }
  const members = Object.entries(value).map(([member, inner]) => [member, schemaOf(inner, member)])
  return { type: 'object', properties: Object.fromEntries(members) }
}

/** Items of a list may have different members. */
function both(left: Schema, right: Schema): Schema {
  if (left.items !== undefined && right.items !== undefined) return { ...left, items: both(left.items, right.items) }
  if (left.properties === undefined || right.properties === undefined) return left
  const properties: Record<string, Schema> = { ...left.properties }
  for (const [name, schema] of Object.entries(right.properties)) {
    const known = properties[name]
    properties[name] = known === undefined ? schema : both(known, schema)
  }
  return { type: 'object', properties }
}

const inNamespace = (name: string) => configMap(name).replaceAll('"namespace":"bench"', `"namespace":"${namespace}"`)

/** One that is small and needs hardly any checks, and one that is large and needs many. */
export const twins: readonly CustomTwin[] = [
  twinOf('ConfigMap', 'customconfigmaps', `/api/v1/namespaces/${namespace}/configmaps`, inNamespace),
  twinOf('Deployment', 'customdeployments', `/apis/apps/v1/namespaces/${namespace}/deployments`, deployment),
]
