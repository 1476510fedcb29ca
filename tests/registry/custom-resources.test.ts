import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { startTestServer, type TestServer } from '../support/api-server.ts'
import { eventually } from '../support/eventually.ts'

type Body = Readonly<Record<string, unknown>>

/** What the tests look at; the rest is there too. */
interface Shown {
  readonly metadata: { readonly uid: string; readonly finalizers?: readonly string[] }
  readonly spec: unknown
  readonly status: { readonly conditions: readonly unknown[] | null }
  readonly items: readonly unknown[]
  readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[]
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: { readonly spec: unknown } }>>
  }
}

interface Answer {
  readonly status: number
  readonly body: Shown
  readonly warning: string
}

let directory: string
let server: TestServer
let agent: Agent

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'custom-resources-'))
  await start()
})

afterAll(async () => {
  await stop()
  await rm(directory, { recursive: true, force: true })
})

async function start(): Promise<void> {
  server = await startTestServer({ kinds: builtinKinds(), directory })
  agent = new Agent({ connect: { ca: server.authority } })
}

async function stop(): Promise<void> {
  await agent.close()
  await server.stop()
}

async function ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const headers = { authorization: 'Bearer admin-token', 'content-type': contentType }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await request(`${server.url}${path}`, { method, headers, dispatcher: agent, ...sent })
  const text = await answer.body.text()
  const warning = String(answer.headers.warning ?? '')
  return { status: answer.statusCode, body: text.startsWith('{') ? JSON.parse(text) : {}, warning }
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

function definition(plural: string, kind: string, spec: Body, more: Body = {}): Body {
  const group = 'example.com'
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...more }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural, kind }, versions: [version] },
  }
}

async function define(body: Body): Promise<void> {
  expect((await ask('POST', definitions, body)).status).toBe(201)
  await established((body.metadata as { name: string }).name)
}

async function established(name: string): Promise<void> {
  await eventually(async () => {
    const { body } = await ask('GET', `${definitions}/${name}`)
    expect(body.status.conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }))
  })
}

function objects(plural: string, namespace = 'default', version = 'v1'): string {
  return `/apis/example.com/${version}/namespaces/${namespace}/${plural}`
}

function object(kind: string, name: string, spec: unknown, metadata: Body = {}): Body {
  return { apiVersion: 'example.com/v1', kind, metadata: { name, ...metadata }, spec }
}

const sized = { type: 'object', properties: { size: { type: 'integer' } } }

describe('a kind that a user defines', () => {
  it('is served as soon as its definition says that it is', async () => {
    await define(definition('apples', 'Apple', sized))
    const created = await ask('POST', objects('apples'), object('Apple', 'a', { size: 1 }))
    expect(created).toMatchObject({ status: 201, body: { spec: { size: 1 } } })
    expect((await ask('GET', '/apis/example.com/v1')).body.resources).toContainEqual(
      expect.objectContaining({ name: 'apples', kind: 'Apple', singularName: 'apple' }),
    )
    const { body } = await ask('GET', '/openapi/v3/apis/example.com/v1')
    expect(body.components.schemas['com.example.v1.Apple']?.properties.spec).toEqual(sized)
  })

  it('is still there after a restart, with its objects', async () => {
    await stop()
    await start()
    expect((await ask('GET', `${objects('apples')}/a`)).body.spec).toEqual({ size: 1 })
  })

  it('shows its objects as a changed schema has them', async () => {
    await ask('PATCH', `${definitions}/apples.example.com`, {
      spec: {
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { spec: { type: 'object', properties: { color: { type: 'string', default: 'red' } } } },
              },
            },
          },
        ],
      },
    })
    await eventually(async () => {
      expect((await ask('GET', `${objects('apples')}/a`)).body.spec).toEqual({ color: 'red' })
    })
  })

  it('belongs to what namespaces and garbage collection look after, also once it was changed', async () => {
    await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'orchard' } })
    const owner = await ask('POST', objects('apples', 'orchard'), object('Apple', 'owner', {}))
    const { uid } = owner.body.metadata
    const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Apple', name: 'owner', uid }]
    await ask('POST', objects('apples', 'orchard'), object('Apple', 'owned', {}, { ownerReferences }))
    await ask('DELETE', `${objects('apples', 'orchard')}/owner`)
    await eventually(async () => {
      expect((await ask('GET', `${objects('apples', 'orchard')}/owned`)).status).toBe(404)
    })
    await ask('POST', objects('apples', 'orchard'), object('Apple', 'left', {}))
    await ask('DELETE', '/api/v1/namespaces/orchard')
    await eventually(async () => expect((await ask('GET', '/api/v1/namespaces/orchard')).status).toBe(404))
  })

  it('takes nothing new while its definition goes, and waits for finalizers', async () => {
    await define(definition('quinces', 'Quince', sized))
    const held = object('Quince', 'held', {}, { finalizers: ['example.com/hold'] })
    await ask('POST', objects('quinces'), held)
    await ask('DELETE', `${definitions}/quinces.example.com`)
    expect((await ask('POST', objects('quinces'), object('Quince', 'late', {}))).status).toBe(405)
    await eventually(async () => {
      const { body } = await ask('GET', `${definitions}/quinces.example.com`)
      expect(body.status.conditions).toContainEqual(
        expect.objectContaining({ type: 'Terminating', reason: 'InstanceDeletionInProgress' }),
      )
    })
    await ask('PATCH', `${objects('quinces')}/held`, { metadata: { finalizers: null } })
    await eventually(async () => expect((await ask('GET', `${definitions}/quinces.example.com`)).status).toBe(404))
  })

  it('goes with its definition, and its objects with it', async () => {
    const gone = await ask('DELETE', `${definitions}/apples.example.com`)
    expect(gone.body.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io'])
    await eventually(async () => {
      expect((await ask('GET', `${definitions}/apples.example.com`)).status).toBe(404)
      expect((await ask('GET', objects('apples'))).status).toBe(404)
    })
    await define(definition('apples', 'Apple', sized))
    expect((await ask('GET', objects('apples'))).body.items).toEqual([])
  })
})

describe('watches', () => {
  it('of other kinds notice nothing of kinds that come and go', async () => {
    const events: string[] = []
    const path = '/api/v1/namespaces/default/configmaps?watch=true'
    const headers = { authorization: 'Bearer admin-token' }
    const watch = await request(`${server.url}${path}`, { headers, dispatcher: agent })
    watch.body.on('data', (chunk: Buffer) => events.push(chunk.toString()))
    let isEnded = false
    watch.body.on('close', () => {
      isEnded = true
    })
    await define(definition('pears', 'Pear', sized))
    await ask('DELETE', `${definitions}/pears.example.com`)
    await eventually(async () => expect((await ask('GET', objects('pears'))).status).toBe(404))
    await ask('POST', '/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'last' },
    })
    await eventually(() => expect(events.join('')).toContain('"name":"last"'))
    expect(isEnded).toBe(false)
    watch.body.destroy()
  })
})

describe('names', () => {
  it('of kinds that the server has are not given away', async () => {
    const body = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {
        name: 'ingresses.networking.k8s.io',
        annotations: { 'api-approved.kubernetes.io': 'https://example.com' },
      },
      spec: {
        group: 'networking.k8s.io',
        scope: 'Namespaced',
        names: { plural: 'ingresses', kind: 'Ingress' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    }
    expect((await ask('POST', definitions, body)).status).toBe(201)
    await eventually(async () => {
      const { status } = (await ask('GET', `${definitions}/ingresses.networking.k8s.io`)).body
      expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'NamesAccepted', status: 'False' }))
    })
    const { body: list } = await ask('GET', '/apis/networking.k8s.io/v1')
    expect(list.resources.find(({ name }) => name === 'ingresses')?.verbs[0]).toBe('create')
  })
})

describe('what is not enforced', () => {
  it('is told to who asks for it', async () => {
    const spec = { ...sized, 'x-kubernetes-validations': [{ rule: 'self.size > 1' }] }
    const { status, warning } = await ask('POST', definitions, definition('plums', 'Plum', spec))
    expect(status).toBe(201)
    expect(warning).toContain('x-kubernetes-validations are kept, but not enforced')
  })
})
