import protobuf from 'protobufjs/minimal.js'
import { describe, expect, it } from 'vitest'
import { builtinKinds } from '../../api/builtin-kinds.ts'
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
  readonly operationId?: string
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

async function v3(path: string): Promise<V3Document> {
  const served = await openApi.v3(path)
  if (served === undefined) throw new Error(`There is no document for ${path}.`)
  return JSON.parse(served.body.toString())
}

interface V2Document {
  readonly definitions: Readonly<Record<string, Definition>>
  readonly paths: object
}

async function v2(): Promise<V2Document> {
  return JSON.parse((await openApi.v2Json()).body.toString())
}

const pathOf = (kind: Kind) => documentPath({ ...kind })

function everyRef(node: unknown): readonly string[] {
  return [...JSON.stringify(node).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '')
}

describe('the OpenAPI 3 documents', () => {
  it('are listed with a hash of their content', async () => {
    const index: { paths: Record<string, { serverRelativeURL: string }> } = JSON.parse(
      (await openApi.v3Index()).body.toString(),
    )
    expect(Object.keys(index.paths)).toEqual([...new Set(kinds.map(pathOf))].sort())
    for (const [path, { serverRelativeURL }] of Object.entries(index.paths)) {
      const { hash, etag } = (await openApi.v3(path)) ?? { hash: '', etag: '' }
      expect(hash).toMatch(/^[0-9A-F]{128}$/)
      expect(etag).toBe(`"${hash}"`)
      expect(serverRelativeURL).toBe(`/openapi/v3/${path}?hash=${hash}`)
    }
  })

  it('name operations as clients generated from Kubernetes 1.32 call them', async () => {
    const { paths } = await v3('api/v1')
    const idsAt = (path: string) =>
      Object.entries(paths[path] ?? {}).map(([method, { operationId }]) => `${method} ${operationId}`)
    expect(idsAt('/api/v1/namespaces/{namespace}/configmaps')).toEqual(
      expect.arrayContaining([
        'get listCoreV1NamespacedConfigMap',
        'post createCoreV1NamespacedConfigMap',
        'delete deleteCoreV1CollectionNamespacedConfigMap',
      ]),
    )
    expect(idsAt('/api/v1/namespaces/{namespace}/configmaps/{name}')).toEqual(
      expect.arrayContaining(['delete deleteCoreV1NamespacedConfigMap']),
    )
    expect(idsAt('/api/v1/nodes')).toEqual(expect.arrayContaining(['delete deleteCoreV1CollectionNode']))
  })

  it('describe the scale of what has one', async () => {
    const served = createOpenApi(() => builtinKinds(), [])
    const document = await served.v3('apis/apps/v1')
    const { paths, components }: V3Document = JSON.parse(document?.body.toString() ?? '')
    const { get, patch } = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale'] ?? {}
    expect(get).toMatchObject({
      operationId: 'readAppsV1NamespacedDeploymentScale',
      tags: ['apps_v1'],
      'x-kubernetes-group-version-kind': { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    })
    expect(patch?.operationId).toBe('patchAppsV1NamespacedDeploymentScale')
    expect(components.schemas['io.k8s.api.autoscaling.v1.Scale']?.['x-kubernetes-group-version-kind']).toEqual([
      { group: 'autoscaling', kind: 'Scale', version: 'v1' },
    ])
  })

  it('exist only for served versions', async () => {
    expect(await openApi.v3('apis/absent.example.com/v1')).toBeUndefined()
  })

  it.each([...new Set(kinds.map(pathOf))])('%s refers to nothing that it does not define', async (path) => {
    const document = await v3(path)
    const defined = new Set(Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`))
    expect(everyRef(document).filter((ref) => !defined.has(ref))).toEqual([])
  })

  it.each(kinds)('let kubectl find how $kind is patched, validated and explained', async (kind) => {
    const document = await v3(pathOf(kind))
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

  it('have no list of properties that is empty', async () => {
    const { schemas } = (await v3('api/v1')).components
    const isEmpty = ({ properties }: Definition) => properties !== undefined && Object.keys(properties).length === 0
    expect(Object.keys(schemas).filter((name) => isEmpty(schemas[name] ?? {}))).toEqual([])
  })

  it('name the values, the required members and the patches of types as Kubernetes 1.32.4 does', async () => {
    const all = createOpenApi(() => builtinKinds(), [tokenRequest])
    const at = async (path: string): Promise<V3Document['components']['schemas']> =>
      JSON.parse((await all.v3(path))?.body.toString() ?? '').components.schemas
    const { 'io.k8s.api.apps.v1.DaemonSetUpdateStrategy': update, ...apps } = await at('apis/apps/v1')
    const { 'io.k8s.api.core.v1.ServiceSpec': service } = await at('api/v1')
    const admission = await at('apis/admissionregistration.k8s.io/v1')
    const definitions = await at('apis/apiextensions.k8s.io/v1')
    const defined = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'
    expect(update?.properties?.type?.enum).toEqual(['OnDelete', 'RollingUpdate'])
    expect(service?.properties?.type?.enum).toEqual(['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'])
    expect(
      admission['io.k8s.api.admissionregistration.v1.RuleWithOperations']?.properties?.operations?.items,
    ).toMatchObject({ enum: ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'] })
    expect(definitions[`${defined}.CustomResourceDefinitionSpec`]?.required).toEqual([
      'group',
      'names',
      'scope',
      'versions',
    ])
    expect(apps['io.k8s.api.apps.v1.DeploymentStrategy']).not.toHaveProperty('x-kubernetes-patch-strategy')
    expect(apps['io.k8s.api.apps.v1.DeploymentSpec']?.properties?.strategy).toMatchObject({
      'x-kubernetes-patch-strategy': 'retainKeys',
    })
  })

  it('carry what strategic merge and apply need', async () => {
    const { schemas } = (await v3('api/v1')).components
    expect(schemas['io.k8s.api.core.v1.ServiceSpec']?.properties?.ports).toMatchObject({
      type: 'array',
      items: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.ServicePort' }], default: {} },
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

  it('state the zero value as the default', async () => {
    const { schemas } = (await v3('api/v1')).components
    const members = (name: string) => schemas[`io.k8s.api.core.v1.${name}`]?.properties ?? {}
    expect(members('Service').spec).toMatchObject({ default: {} })
    expect(members('Service').metadata).toMatchObject({ default: {} })
    expect(members('ServiceList').items).toMatchObject({ items: { default: {} } })
    expect(members('ServicePort').port).toMatchObject({ default: 0 })
    expect(members('ServiceSpec').externalIPs).toMatchObject({ items: { default: '' } })
    expect(members('ServiceSpec').selector).toMatchObject({ additionalProperties: { default: '' } })
    expect(members('ServiceSpec').sessionAffinityConfig).not.toHaveProperty('default')
    expect(members('ServicePort').targetPort).not.toHaveProperty('default')
  })

  it('list the verbs of a resource', async () => {
    const { paths } = await v3('api/v1')
    expect(Object.keys(paths['/api/v1/namespaces'] ?? {})).toEqual(expect.arrayContaining(['get', 'post']))
    expect(paths['/api/v1/namespaces']).not.toHaveProperty('delete')
    expect(paths['/api/v1/namespaces/{namespace}/configmaps']).toHaveProperty('delete')
    expect(paths['/api/v1/namespaces/{name}/status']).toHaveProperty('patch')
    expect(paths['/api/v1/namespaces/{name}/finalize']).toHaveProperty('put')
    expect(paths['/api/v1/configmaps']).not.toHaveProperty('post')
    expect(paths['/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token']).toHaveProperty('post')
  })

  it('are built again when their own kinds have changed, and no others', async () => {
    let served = [...coreKinds(), ...managementKinds('example.com')]
    const changing = createOpenApi(() => served)
    const [other = ''] = managementKinds('example.com').map(pathOf)
    const before = [await changing.v3('api/v1'), await changing.v3(other)]
    expect(await changing.v3('api/v1')).toBe(before[0])
    served = served.filter((kind) => kind.kind !== 'ConfigMap')
    expect((await changing.v3('api/v1'))?.hash).not.toBe(before[0]?.hash)
    expect(await changing.v3(other)).toBe(before[1])
    served = []
    expect(await changing.v3('api/v1')).toBeUndefined()
  })

  it('parse no schema of a kind that is in another document', async () => {
    const brought: Kind = Object.defineProperty(
      { ...(coreKinds()[0] as Kind), group: 'example.com', version: 'v9' },
      'schema',
      {
        get: () => {
          throw new Error('The schema was read.')
        },
      },
    )
    const all = createOpenApi(() => [...kinds, brought])
    expect(await all.v3('api/v1')).toBeDefined()
    await expect(all.v3('apis/example.com/v9')).rejects.toThrow('The schema was read.')
    await expect(all.v2Json()).rejects.toThrow('The schema was read.')
  })

  it('are built in steps, and once for concurrent requests', async () => {
    let isOver = false
    let turns = 0
    const count = (): void => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const asked = createOpenApi(() => builtinKinds())
    const [first, second] = await Promise.all([asked.v2Json(), asked.v2Json()])
    isOver = true
    expect(second).toBe(first)
    expect(turns).toBeGreaterThan(20)
  })
})

describe('the OpenAPI 2 document', () => {
  it('prints again only what has changed', async () => {
    const read: string[] = []
    const broughtKind = (name: string): Kind =>
      Object.defineProperty({ ...(coreKinds()[0] as Kind), group: name, kind: 'Brought', flavor: 'custom' }, 'schema', {
        get: () => {
          read.push(name)
          return { type: 'object', name: `${name}.Brought`, description: 'd', properties: {} }
        },
      })
    const [one, two] = [broughtKind('one.example.com'), broughtKind('two.example.com')]
    let brought = [one]
    const changing = createOpenApi(() => [...kinds, ...brought])
    const first = await changing.v2Json()
    brought = [one, two]
    read.length = 0
    const second = JSON.parse((await changing.v2Json()).body.toString())
    expect(new Set(read)).toEqual(new Set(['two.example.com']))
    expect(Object.keys(second.definitions)).toEqual(
      expect.arrayContaining(['one.example.com.Brought', 'two.example.com.Brought', 'io.k8s.api.core.v1.ConfigMap']),
    )
    brought = [one]
    expect((await changing.v2Json()).hash).toBe(first.hash)
  })

  it('lists no member of a kind that keeps unknown ones, because clients would refuse all others', async () => {
    const schema = {
      type: 'object',
      name: 'Open',
      description: 'd',
      properties: {},
      preserveUnknownFields: true,
    } as const
    const open: Kind = { ...(coreKinds()[0] as Kind), group: 'example.com', kind: 'Open', flavor: 'custom', schema }
    const served = createOpenApi(() => [...kinds, open])
    expect(JSON.parse((await served.v2Json()).body.toString()).definitions.Open).toEqual({
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Open', version: 'v1' }],
    })
  })

  it('contains the documents of upstream servers, and keeps its own', async () => {
    const v2 = {
      paths: { '/apis/a.io/v1/foos': { get: {} } },
      definitions: { 'io.k8s.api.core.v1.ConfigMap': { description: 'theirs' }, Foo: { description: 'a foo' } },
      size: 0,
    }
    let isAvailable = true
    const behind = createOpenApi(() => kinds, [], { foreign: () => [{ isAvailable, v2 }] })
    const document: V2Document = JSON.parse((await behind.v2Json()).body.toString())
    expect(document.paths).toHaveProperty('/apis/a.io/v1/foos')
    expect(document.definitions.Foo).toEqual({ description: 'a foo' })
    expect(document.definitions['io.k8s.api.core.v1.ConfigMap']?.description).not.toBe('theirs')
    isAvailable = false
    expect((await behind.v2Json()).body.toString()).not.toContain('a foo')
  })

  it('refers to nothing that it does not define', async () => {
    const document = await v2()
    const defined = new Set(Object.keys(document.definitions).map((name) => `#/definitions/${name}`))
    expect(everyRef(document).filter((ref) => !defined.has(ref))).toEqual([])
  })

  it('is the same in protobuf', async () => {
    const names = { paths: [] as string[], definitions: [] as string[] }
    const { body } = await openApi.v2Protobuf()
    const document = await v2()
    eachField(body, (number, value) => {
      if (number === 8) eachField(value, (_pair, pair) => names.paths.push(firstText(pair)))
      if (number === 9) eachField(value, (_pair, pair) => names.definitions.push(firstText(pair)))
    })
    expect(firstText(body)).toBe('2.0')
    expect(names.definitions).toEqual(Object.keys(document.definitions))
    expect(names.paths).toEqual(Object.keys(document.paths))
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
