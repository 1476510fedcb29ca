import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DefinitionsWorld } from './definitions-world.ts'

const counters = '/apis/e.com/v1/namespaces/default/counters'
const configMaps = '/api/v1/namespaces/default/configmaps'
const jsonPatch = { 'content-type': 'application/json-patch+json' }

let world: DefinitionsWorld

beforeAll(async () => {
  world = await DefinitionsWorld.start()
  const count = { type: 'object', properties: { n: { type: 'integer', minimum: 0, maximum: 10 } } }
  const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' }
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: count, status: count } } },
    subresources: { status: {}, scale },
  }
  await world.define({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'counters.e.com' },
    spec: {
      group: 'e.com',
      scope: 'Namespaced',
      names: { plural: 'counters', kind: 'Counter' },
      versions: [version],
    },
  })
  await world.ask('POST', counters, { apiVersion: 'e.com/v1', kind: 'Counter', metadata: { name: 'unset' } })
  await world.ask('POST', counters, {
    apiVersion: 'e.com/v1',
    kind: 'Counter',
    metadata: { name: 'set' },
    spec: { n: 2 },
  })
  for (const name of ['a', 'b', 'c', 'd']) {
    await world.ask('POST', configMaps, { metadata: { name, labels: { listed: 'yes' } } })
  }
})
afterAll(() => world.remove())

const below = 'spec.n: Invalid value: -1: spec.n in body should be greater than or equal to 0'
const negative = '.spec.n: Invalid value: -1: should be a non-negative integer'
const above = 'spec.n: Invalid value: 99: spec.n in body should be less than or equal to 10'

/** The answers of kube-apiserver 1.32.4. */
describe('the scale of a custom object without a number of replicas', () => {
  it('cannot be read', async () => {
    const { status, body } = await world.ask('GET', `${counters}/unset/scale`)
    expect([status, body.message]).toEqual([
      500,
      'Internal error occurred: the spec replicas field ".spec.n" does not exist',
    ])
  })

  it.each([
    ['a merge patch', { spec: { replicas: 4 } }, {}],
    ['a JSON patch that replaces it', [{ op: 'replace', path: '/spec/replicas', value: 4 }], jsonPatch],
    ['a JSON patch that adds it', [{ op: 'add', path: '/spec/replicas', value: 4 }], jsonPatch],
  ])('is set by %s', async (_, patch, headers) => {
    const { status, body } = await world.ask('PATCH', `${counters}/unset/scale?dryRun=All`, patch, headers)
    expect([status, body.spec]).toEqual([200, { replicas: 4 }])
  })

  it.each([
    ['unset', { spec: { replicas: -1 } }, 422, `Counter.e.com "unset" is invalid: [${below}, ${negative}]`],
    ['unset', { spec: { replicas: 99 } }, 422, `Counter.e.com "unset" is invalid: ${above}`],
    [
      'unset',
      { metadata: { name: 'x' } },
      400,
      'the name of the object (x) does not match the name on the URL (unset)',
    ],
    ['unset', {}, 400, 'the spec replicas field ".spec.n" cannot be empty'],
    ['set', { spec: { replicas: -1 } }, 422, `Counter.e.com "set" is invalid: [${below}, ${negative}]`],
  ])('of %s cannot be patched with %j', async (name, patch, code, message) => {
    const { status, body } = await world.ask('PATCH', `${counters}/${name}/scale`, patch)
    expect([status, body.message]).toEqual([code, message])
  })
})

describe('a list with a limit', () => {
  it.each([
    ['', 2],
    ['&resourceVersion=0', 4],
    ['&resourceVersion=0&resourceVersionMatch=NotOlderThan', 4],
    ['&resourceVersion=1&resourceVersionMatch=NotOlderThan', 2],
  ])('and %s has %s of 4 objects, whatever was requested before', async (more, count) => {
    await world.ask('GET', `${configMaps}?labelSelector=listed&limit=2`)
    const { body } = await world.ask('GET', `${configMaps}?labelSelector=listed&limit=2${more}`)
    expect(body.items).toHaveLength(count)
  })

  it('continues page by page, even from any state', async () => {
    const first = await world.ask('GET', `${configMaps}?labelSelector=listed&limit=1`)
    const token = encodeURIComponent(String(Reflect.get(first.body.metadata, 'continue')))
    const next = `${configMaps}?labelSelector=listed&limit=1&resourceVersion=0&continue=${token}`
    expect((await world.ask('GET', next)).body.items).toHaveLength(1)
  })
})
