import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import {
  type Body,
  DefinitionsWorld,
  definition,
  definitionIn,
  definitions,
  object,
  objects,
  sized,
  versionNamed,
} from './definitions-world.ts'

let world: DefinitionsWorld

beforeAll(async () => {
  world = await DefinitionsWorld.start()
})

afterAll(() => world.remove())

it('fields that the storage version prunes are in no version', async () => {
  const schemaOf = (properties: Body) => ({
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
  })
  const text = { type: 'string' }
  const versions = [
    versionNamed('v1', { schema: schemaOf({ a: text }) }),
    versionNamed('v2', { storage: false, schema: schemaOf({ a: text, c: { ...text, default: '3' } }) }),
  ]
  await world.define(definitionIn('example.com', 'medlars', 'Medlar', versions))
  const path = objects('medlars', 'default', 'v2')
  const sent = { ...object('Medlar', 'm', { a: 'x', c: 'y' }), apiVersion: 'example.com/v2' }
  const created = await world.ask('POST', path, sent)
  expect(created).toMatchObject({ status: 201 })
  expect(created.body.spec).toEqual({ a: 'x' })
  expect((await world.ask('GET', `${path}/m`)).body.spec).toEqual({ a: 'x' })
})

describe('a kind that a user defines', () => {
  it('is served as soon as its definition is Established', async () => {
    await world.define(definition('apples', 'Apple', sized))
    const created = await world.ask('POST', objects('apples'), object('Apple', 'a', { size: 1 }))
    expect(created).toMatchObject({ status: 201, body: { spec: { size: 1 } } })
    expect((await world.ask('GET', '/apis/example.com/v1')).body.resources).toContainEqual(
      expect.objectContaining({ name: 'apples', kind: 'Apple', singularName: 'apple' }),
    )
    const { body } = await world.ask('GET', '/openapi/v3/apis/example.com/v1')
    expect(body.components.schemas['com.example.v1.Apple']?.properties.spec).toEqual(sized)
  })

  it('survives a restart with its objects', async () => {
    await world.restart()
    expect((await world.ask('GET', `${objects('apples')}/a`)).body.spec).toEqual({ size: 1 })
  })

  it('shows its objects with a changed schema', async () => {
    await world.ask('PATCH', `${definitions}/apples.example.com`, {
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
      expect((await world.ask('GET', `${objects('apples')}/a`)).body.spec).toEqual({ color: 'red' })
    })
  })

  it('takes part in namespace deletion and garbage collection, even after a change', async () => {
    await world.ask('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'orchard' },
    })
    const owner = await world.ask('POST', objects('apples', 'orchard'), object('Apple', 'owner', {}))
    const { uid } = owner.body.metadata
    const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Apple', name: 'owner', uid }]
    await world.ask('POST', objects('apples', 'orchard'), object('Apple', 'owned', {}, { ownerReferences }))
    await world.ask('DELETE', `${objects('apples', 'orchard')}/owner`)
    await eventually(async () => {
      expect((await world.ask('GET', `${objects('apples', 'orchard')}/owned`)).status).toBe(404)
    })
    await world.ask('POST', objects('apples', 'orchard'), object('Apple', 'left', {}))
    await world.ask('DELETE', '/api/v1/namespaces/orchard')
    await eventually(async () => expect((await world.ask('GET', '/api/v1/namespaces/orchard')).status).toBe(404))
  })

  it('accepts no objects while its definition is being deleted, and waits for finalizers', async () => {
    await world.define(definition('quinces', 'Quince', sized))
    const held = object('Quince', 'held', {}, { finalizers: ['example.com/hold'] })
    await world.ask('POST', objects('quinces'), held)
    await world.ask('DELETE', `${definitions}/quinces.example.com`)
    expect((await world.ask('POST', objects('quinces'), object('Quince', 'late', {}))).status).toBe(405)
    await eventually(async () => {
      const { body } = await world.ask('GET', `${definitions}/quinces.example.com`)
      expect(body.status.conditions).toContainEqual(
        expect.objectContaining({ type: 'Terminating', reason: 'InstanceDeletionInProgress' }),
      )
    })
    await world.ask('PATCH', `${objects('quinces')}/held`, { metadata: { finalizers: null } })
    await eventually(async () =>
      expect((await world.ask('GET', `${definitions}/quinces.example.com`)).status).toBe(404),
    )
  })

  it('is reported as empty by a definition with another finalizer', async () => {
    await world.define(definition('figs', 'Fig', sized))
    await world.ask('POST', objects('figs'), object('Fig', 'one', {}))
    const path = `${definitions}/figs.example.com`
    await world.ask('PATCH', path, { metadata: { finalizers: ['example.com/keep'] } })
    await world.ask('DELETE', path)
    await eventually(async () => {
      const { body } = await world.ask('GET', path)
      expect(body.metadata.finalizers).toEqual(['example.com/keep'])
      expect(body.status.conditions).toContainEqual(
        expect.objectContaining({ type: 'Terminating', status: 'False', reason: 'InstanceDeletionCompleted' }),
      )
    })
    await world.ask('PATCH', path, { metadata: { finalizers: null } })
  })

  it('is deleted with its definition, together with its objects', async () => {
    const gone = await world.ask('DELETE', `${definitions}/apples.example.com`)
    expect(gone.body.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io'])
    await eventually(async () => {
      expect((await world.ask('GET', `${definitions}/apples.example.com`)).status).toBe(404)
      expect((await world.ask('GET', objects('apples'))).status).toBe(404)
    })
    await world.define(definition('apples', 'Apple', sized))
    expect((await world.ask('GET', objects('apples'))).body.items).toEqual([])
  })
})

describe('watches', () => {
  it('of other kinds are not affected by added and removed kinds', async () => {
    const events: string[] = []
    const path = '/api/v1/namespaces/default/configmaps?watch=true'
    const headers = { authorization: 'Bearer admin-token' }
    const watch = await request(`${world.server.url}${path}`, { headers, dispatcher: world.agent })
    watch.body.on('data', (chunk: Buffer) => events.push(chunk.toString()))
    let isEnded = false
    watch.body.on('close', () => {
      isEnded = true
    })
    await world.define(definition('pears', 'Pear', sized))
    await world.ask('DELETE', `${definitions}/pears.example.com`)
    await eventually(async () => expect((await world.ask('GET', objects('pears'))).status).toBe(404))
    await world.ask('POST', '/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'last' },
    })
    await eventually(() => expect(events.join('')).toContain('"name":"last"'))
    expect(isEnded).toBe(false)
    watch.body.destroy()
  })
})

describe('columns', () => {
  const conditions = { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const status = { type: 'object', properties: { conditions } }
  const schema = { openAPIV3Schema: { type: 'object', properties: { status } } }
  const column = (jsonPath: string) => ({ name: 'Ready', type: 'string', jsonPath })
  const ready = column('.status.conditions[?(@.type=="Ready")].status')

  it('show the condition that a filter selects, like most operators', async () => {
    await world.define(definition('dates', 'Date', sized, { schema, additionalPrinterColumns: [ready] }))
    const found = [
      { type: 'Synced', status: 'True' },
      { type: 'Ready', status: 'Unknown' },
    ]
    await world.ask('POST', objects('dates'), { ...object('Date', 'a', {}), status: { conditions: found } })
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    const { body } = await world.ask('GET', objects('dates'), undefined, { accept })
    expect(body.rows.map(({ cells }) => cells)).toEqual([['a', 'Unknown']])
  })

  it('do not block a definition: an invalid column stays empty, with a warning', async () => {
    const odd = column('.status.conditions[?(@.type=~"R.*")].status')
    const body = definition('figs', 'Fig', sized, { schema, additionalPrinterColumns: [ready, odd] })
    const { status, warning } = await world.ask('POST', definitions, body)
    expect(status).toBe(201)
    expect(warning).toContain('spec.versions[0].additionalPrinterColumns[1].jsonPath: cannot be read by this server')
  })
})

describe('names', () => {
  it('of builtin kinds cannot be taken', async () => {
    const body = definitionIn('networking.k8s.io', 'ingresses', 'Ingress')
    expect((await world.ask('POST', definitions, body)).status).toBe(201)
    await eventually(async () => {
      const { status } = (await world.ask('GET', `${definitions}/ingresses.networking.k8s.io`)).body
      expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'NamesAccepted', status: 'False' }))
    })
    const { body: list } = await world.ask('GET', '/apis/networking.k8s.io/v1')
    expect(list.resources.find(({ name }) => name === 'ingresses')?.verbs[0]).toBe('create')
  })
})
