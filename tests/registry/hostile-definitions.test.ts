import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Capacity } from '../../src/registry/quota/capacity.ts'
import { eventually } from '../support/eventually.ts'
import { bodyOf, writeRequest } from '../support/registry.ts'
import {
  DefinitionsWorld,
  definition,
  definitionIn,
  definitions,
  object,
  objects,
  sized,
  versionNamed,
} from './definitions-world.ts'

/** Room for three objects of a megabyte, and the initial objects of a cluster. */
const capacityBytes = 3_700_000

let world: DefinitionsWorld

beforeAll(async () => {
  world = await DefinitionsWorld.start({
    capacity: new Capacity({ objects: 10_000, bytes: capacityBytes }, 'delete something'),
  })
})

afterAll(() => world.remove())

async function forgeNames(name: string, acceptedNames: object): Promise<void> {
  expect((await world.ask('PATCH', `${definitions}/${name}/status`, { status: { acceptedNames } })).status).toBe(200)
}

/** Waits until the controller has reconciled it. */
async function named(name: string, expected: object): Promise<void> {
  await eventually(async () => {
    const { body } = await world.ask('GET', `${definitions}/${name}`)
    expect(body.status.acceptedNames).toMatchObject(expected)
  })
}

/** Whether a custom kind ever replaced one of the server's own. */
function watchKind(group: string, kind: string): () => boolean {
  const { registry } = world.server.engine
  let isDisplaced = false
  const stop = registry.onChange(() => {
    isDisplaced ||= registry.engine.find(group, kind)?.kind.structure !== undefined
  })
  return () => {
    stop()
    return isDisplaced
  }
}

const ingress = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'kept' },
  spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
}
const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses'

describe('a forged status', () => {
  it('does not replace a builtin kind by a kind of a user', async () => {
    await world.define(definitionIn('networking.k8s.io', 'foos', 'Foo'))
    await forgeNames('foos.networking.k8s.io', { plural: 'ingresses' })
    await named('foos.networking.k8s.io', { plural: 'foos' })
    await eventually(async () => {
      expect((await world.ask('GET', '/apis/networking.k8s.io/v1/namespaces/default/foos')).status).toBe(200)
    })
    expect((await world.ask('POST', ingresses, { ...ingress, spec: { rules: 5 } })).status).toBe(400)
    expect((await world.ask('POST', ingresses, ingress)).status).toBe(201)
  })

  it('does not make internal lookups of a builtin kind find a kind of a user', async () => {
    const group = 'rbac.authorization.k8s.io'
    await world.define(definitionIn(group, 'foos', 'Foo'))
    const isDisplaced = watchKind(group, 'ClusterRole')
    await forgeNames(`foos.${group}`, { kind: 'ClusterRole' })
    await named(`foos.${group}`, { kind: 'Foo' })
    await eventually(async () =>
      expect((await world.ask('GET', `/apis/${group}/v1/namespaces/default/foos`)).status).toBe(200),
    )
    expect(isDisplaced()).toBe(false)
  })

  it("keeps the server's own objects when a definition is deleted", async () => {
    const name = 'ingresses.networking.k8s.io'
    await world.ask('POST', definitions, definitionIn('networking.k8s.io', 'ingresses', 'Ingress'))
    await world.condition(name, { type: 'NamesAccepted', status: 'False' })
    await forgeNames(name, { plural: 'x', kind: 'X' })
    await world.ask('DELETE', `${definitions}/${name}`)
    await world.gone(`${definitions}/${name}`)
    expect((await world.ask('GET', `${ingresses}/kept`)).status).toBe(200)
  })
})

describe('a review', () => {
  it('is answered by the server, whatever kinds users define', async () => {
    const name = 'tokenreviews.authentication.k8s.io'
    await world.ask('POST', definitions, definitionIn('authentication.k8s.io', 'tokenreviews', 'TokenReview'))
    await world.condition(name, { type: 'NamesAccepted', status: 'False' })
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'admin-token' } }
    const { status, body } = await world.ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review)
    expect({ status, answer: body.status }).toMatchObject({ status: 201, answer: { authenticated: true } })
    expect((await world.ask('GET', '/apis/authentication.k8s.io/v1/tokenreviews')).status).toBe(405)
  })
})

const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const unserved = { spec: { versions: [versionNamed('v1', { served: false })] } }

describe('objects without a served version', () => {
  it('are deleted with their definition, after their finalizers', async () => {
    await world.define(definition('quinces', 'Quince', sized))
    await world.ask('POST', objects('quinces'), object('Quince', 'held', {}, { finalizers: ['example.com/hold'] }))
    const path = `${definitions}/quinces.example.com`
    expect((await world.ask('PATCH', path, unserved)).status).toBe(200)
    await world.gone(objects('quinces'))
    await world.ask('DELETE', path)
    await world.condition('quinces.example.com', { type: 'Terminating', reason: 'InstanceDeletionInProgress' })
    await world.ask('PATCH', path, { spec: { versions: [versionNamed('v1')] } })
    await eventually(async () => expect((await world.ask('GET', `${objects('quinces')}/held`)).status).toBe(200))
    await world.ask('PATCH', `${objects('quinces')}/held`, { metadata: { finalizers: null } })
    await world.gone(path)
  })

  it('are deleted with a definition whose finalizer was removed', async () => {
    const path = `${definitions}/medlars.example.com`
    await world.define(definition('medlars', 'Medlar', sized))
    await world.ask('POST', objects('medlars'), object('Medlar', 'held', {}, { finalizers: ['example.com/hold'] }))
    await world.ask('DELETE', path)
    await world.ask('PATCH', path, { metadata: { finalizers: null } })
    await world.gone(path)
    await world.define(definition('medlars', 'Medlar', sized))
    expect((await world.ask('GET', objects('medlars'))).body.items).toEqual([])
  })

  it('are not created by a request that started before the definition was deleted', async () => {
    await world.define(definition('sloes', 'Sloe', sized))
    const { registry } = world.server.engine
    const before = registry.resource('example.com', 'v1', 'sloes')
    await world.ask('DELETE', `${definitions}/sloes.example.com`)
    await world.gone(`${definitions}/sloes.example.com`)
    const value = object('Sloe', 'late', {}, { namespace: 'default' })
    const late = before?.create({ namespace: 'default' }, bodyOf(value), writeRequest())
    await expect(late).rejects.toMatchObject({ status: { code: 405 } })
  })

  it('still count against the capacity of the server', async () => {
    await world.define(definition('melons', 'Melon', free))
    const large = { text: 'x'.repeat(1_000_000) }
    for (const name of ['a', 'b', 'c']) {
      expect((await world.ask('POST', objects('melons'), object('Melon', name, large))).status).toBe(201)
    }
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large' }, data: large }
    expect((await world.ask('PATCH', `${definitions}/melons.example.com`, unserved)).status).toBe(200)
    await world.gone(objects('melons'))
    const refused = await world.ask('POST', '/api/v1/namespaces/default/configmaps', configMap)
    expect(refused.status).toBe(403)
    expect(refused.body.message).toContain('exceeded quota')
    await world.ask('DELETE', `${definitions}/melons.example.com`)
    await world.gone(`${definitions}/melons.example.com`)
    expect((await world.ask('POST', '/api/v1/namespaces/default/configmaps', configMap)).status).toBe(201)
  })
})

describe('defaults that come later', () => {
  const path = `${definitions}/cherries.example.com`

  async function withDefault(text: string): Promise<void> {
    const properties = { spec: { type: 'object', properties: { text: { type: 'string', default: text } } } }
    const schema = { openAPIV3Schema: { type: 'object', properties } }
    expect((await world.ask('PATCH', path, { spec: { versions: [versionNamed('v1', { schema })] } })).status).toBe(200)
  }

  it('appear in stored objects, unless they would make them many times as large', async () => {
    await world.define(definition('cherries', 'Cherry', { type: 'object' }))
    await world.ask('POST', objects('cherries'), object('Cherry', 'a', {}))
    await withDefault('short')
    await eventually(async () => {
      expect((await world.ask('GET', `${objects('cherries')}/a`)).body.spec).toEqual({ text: 'short' })
    })
    await withDefault('x'.repeat(100_000))
    await eventually(async () => expect((await world.ask('GET', `${objects('cherries')}/a`)).body.spec).toEqual({}))
  })
})
