import protobuf from 'protobufjs/minimal.js'
import { describe, expect, it } from 'vitest'
import { coreKinds } from '../../api/core/kinds.ts'
import { kindMessageSchema } from '../../api/facts/message-schema.ts'
import type { Kind } from '../../api/kind.ts'
import { managementKinds } from '../../api/management/kinds.ts'
import { documentPath } from './described.ts'
import { createOpenApi } from './open-api.ts'

const kinds = [...coreKinds(), ...managementKinds('example.com')]
const tokenRequest = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
  plural: 'token',
  namespaced: true,
  parent: 'serviceaccounts',
  schema: kindMessageSchema('k8s.io.api.authentication.v1.TokenRequest'),
}
const openApi = createOpenApi(() => kinds, [tokenRequest])

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly 'x-kubernetes-group-version-kind': unknown
}

interface Definition {
  readonly properties?: Readonly<Record<string, Definition>>
  readonly description?: string
  readonly 'x-kubernetes-group-version-kind'?: readonly unknown[]
  readonly [name: string]: unknown
}

interface V3Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Definition>> }
}

function v3(path: string): V3Document {
  const served = openApi.v3(path)
  if (served === undefined) throw new Error(`There is no document for ${path}.`)
  return JSON.parse(served.body.toString())
}

function v2(): { readonly definitions: Readonly<Record<string, Definition>>; readonly paths: object } {
  return JSON.parse(openApi.v2Json().body.toString())
}

const pathOf = (kind: Kind) => documentPath({ ...kind })

function everyRef(node: unknown): readonly string[] {
  return [...JSON.stringify(node).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '')
}

describe('the OpenAPI 3 documents', () => {
  it('are listed with a hash of their content', () => {
    const index: { paths: Record<string, { serverRelativeURL: string }> } = JSON.parse(
      openApi.v3Index().body.toString(),
    )
    expect(Object.keys(index.paths)).toEqual([...new Set(kinds.map(pathOf))].sort())
    for (const [path, { serverRelativeURL }] of Object.entries(index.paths)) {
      const { hash, etag } = openApi.v3(path) ?? { hash: '', etag: '' }
      expect(hash).toMatch(/^[0-9A-F]{128}$/)
      expect(etag).toBe(`"${hash}"`)
      expect(serverRelativeURL).toBe(`/openapi/v3/${path}?hash=${hash}`)
    }
  })

  it('exist only for what is served', () => {
    expect(openApi.v3('apis/absent.example.com/v1')).toBeUndefined()
  })

  it.each([...new Set(kinds.map(pathOf))])('%s refers to nothing that it does not define', (path) => {
    const document = v3(path)
    const defined = new Set(Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`))
    expect(everyRef(document).filter((ref) => !defined.has(ref))).toEqual([])
  })

  it.each(kinds)('let kubectl find how $kind is patched, validated and explained', (kind) => {
    const document = v3(pathOf(kind))
    const { group, version } = kind
    const gvk = { group, version, kind: kind.kind }
    const patches = Object.values(document.paths).flatMap(({ patch }) => (patch === undefined ? [] : [patch]))
    const patch = patches.find(
      (each) => JSON.stringify(sortedKeys(each['x-kubernetes-group-version-kind'])) === JSON.stringify(sortedKeys(gvk)),
    )
    expect(patch?.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['fieldValidation', 'dryRun', 'force', 'fieldManager']),
    )
    expect(Object.keys(patch?.requestBody?.content ?? {}).includes('application/strategic-merge-patch+json')).toBe(
      kind.flavor === 'builtin',
    )
    const definition = document.components.schemas[kind.schema.name ?? '']
    expect(definition?.['x-kubernetes-group-version-kind']).toEqual([gvk])
    expect(definition?.description).toBeTruthy()
    expect(Object.keys(definition?.properties ?? {})).toEqual(
      expect.arrayContaining(['apiVersion', 'kind', 'metadata']),
    )
    expect(document.components.schemas[`${kind.schema.name}List`]).toBeDefined()
  })

  it('carry what strategic merge and apply need', () => {
    const { schemas } = v3('api/v1').components
    expect(schemas['io.k8s.api.core.v1.ServiceSpec']?.properties?.ports).toMatchObject({
      type: 'array',
      items: { $ref: '#/components/schemas/io.k8s.api.core.v1.ServicePort' },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'port',
    })
    expect(schemas['io.k8s.api.core.v1.ServiceSpec']?.properties?.selector).toMatchObject({
      'x-kubernetes-map-type': 'atomic',
    })
    expect(schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toEqual({
      format: 'int-or-string',
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    })
  })

  it('tell which verbs a resource has', () => {
    const { paths } = v3('api/v1')
    expect(Object.keys(paths['/api/v1/namespaces'] ?? {})).toEqual(expect.arrayContaining(['get', 'post']))
    expect(paths['/api/v1/namespaces']).not.toHaveProperty('delete')
    expect(paths['/api/v1/namespaces/{namespace}/configmaps']).toHaveProperty('delete')
    expect(paths['/api/v1/namespaces/{name}/status']).toHaveProperty('patch')
    expect(paths['/api/v1/namespaces/{name}/finalize']).toHaveProperty('put')
    expect(paths['/api/v1/configmaps']).not.toHaveProperty('post')
    expect(paths['/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token']).toHaveProperty('post')
  })

  it('change their hash with the kinds, once they are reset', () => {
    let served = kinds.slice(0, 3)
    const changing = createOpenApi(() => served)
    const before = changing.v3('api/v1')
    expect(changing.v3('api/v1')).toBe(before)
    served = kinds.slice(0, 4)
    changing.reset()
    expect(changing.v3('api/v1')?.hash).not.toBe(before?.hash)
  })
})

describe('the OpenAPI 2 document', () => {
  it('refers to nothing that it does not define', () => {
    const defined = new Set(Object.keys(v2().definitions).map((name) => `#/definitions/${name}`))
    expect(everyRef(v2()).filter((ref) => !defined.has(ref))).toEqual([])
  })

  it('says the same in protobuf', () => {
    const names = { paths: [] as string[], definitions: [] as string[] }
    eachField(openApi.v2Protobuf().body, (number, value) => {
      if (number === 8) eachField(value, (_pair, pair) => names.paths.push(firstText(pair)))
      if (number === 9) eachField(value, (_pair, pair) => names.definitions.push(firstText(pair)))
    })
    expect(firstText(openApi.v2Protobuf().body)).toBe('2.0')
    expect(names.definitions).toEqual(Object.keys(v2().definitions))
    expect(names.paths).toEqual(Object.keys(v2().paths))
  })
})

function eachField(bytes: Uint8Array, take: (number: number, value: Uint8Array) => void): void {
  const reader = protobuf.Reader.create(bytes)
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if ((tag & 7) === 2) take(tag >>> 3, reader.bytes())
    else reader.skipType(tag & 7)
  }
}

function firstText(bytes: Uint8Array): string {
  const texts: string[] = []
  eachField(bytes, (number, value) => {
    if (number === 1) texts.push(Buffer.from(value).toString())
  })
  return texts[0] ?? ''
}

function sortedKeys(value: unknown): unknown {
  return Object.fromEntries(Object.entries(Object(value)).sort(([a], [b]) => (a < b ? -1 : 1)))
}
