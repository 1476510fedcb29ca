import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { coreKinds } from '../../src/api/core/kinds.ts'
import type { KubeObject } from '../../src/api/object.ts'
import { systemRandom } from '../../src/base/random.ts'
import type { Resource, WriteRequest } from '../../src/registry/contract.ts'
import {
  bodyOf,
  configMap,
  latest,
  namespaceNamed,
  startRegistry,
  type TestRegistry,
  writeRequest,
} from '../support/registry.ts'

let world: TestRegistry
let configMaps: Resource
const inDefault = { namespace: 'default' }

beforeEach(async () => {
  world = await startRegistry(coreKinds())
  configMaps = world.resource('configmaps')
  await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
})

afterEach(() => world.stop())

async function create(object: KubeObject, request: Partial<WriteRequest> = {}): Promise<KubeObject> {
  return (await configMaps.create(inDefault, bodyOf(object), writeRequest(request))).document.object
}

/** As a promise, even if the answer is available at once. */
async function read(target: { readonly namespace: string; readonly name: string }): Promise<unknown> {
  return configMaps.get(target, latest)
}

async function refusal(work: Promise<unknown>): Promise<{ code: number; reason: string; message: string }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  const { status } = error as { status: { code: number; reason: string; message: string } }
  return { code: status.code, reason: status.reason, message: status.message }
}

const at = (name: string) => ({ namespace: 'default', name })

describe('create', () => {
  it('returns the stored object, and a read returns the same', async () => {
    const created = await create(configMap('a', { color: 'blue' }))
    expect(created).toMatchObject({ kind: 'ConfigMap', data: { color: 'blue' }, metadata: { name: 'a' } })
    expect((await configMaps.get(at('a'), latest)).object).toEqual(created)
  })

  it('sets server fields, whatever the client sent', async () => {
    const { metadata } = await create(
      configMap('a', {}, { uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z', resourceVersion: '' }),
    )
    expect(metadata.uid).toMatch(/^[0-9a-f-]{36}$/)
    expect(metadata.creationTimestamp).toBe('2030-01-01T00:00:00Z')
    expect(metadata.generation).toBeUndefined()
  })

  it('keeps a given generation for a kind without one, as Kubernetes 1.32.4 does', async () => {
    const { metadata } = await create(configMap('a', {}, { generation: 7 }))
    expect(metadata.generation).toBe(7)
  })

  it('refuses a name that is taken', async () => {
    await create(configMap('a'))
    expect(await refusal(create(configMap('a')))).toEqual({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
    })
  })

  it('stores nothing on a dry run, and omits the resourceVersion', async () => {
    const { metadata } = await create(configMap('a'), { dryRun: true })
    expect(metadata.resourceVersion).toBeUndefined()
    expect(metadata.uid).toBeDefined()
    expect((await refusal(read(at('a')))).code).toBe(404)
  })

  it('keeps the resourceVersion on a dry run of an update that changes nothing', async () => {
    const { metadata } = await create(configMap('a', { color: 'blue' }))
    const request = writeRequest({ dryRun: true })
    const { document } = await configMaps.update(at('a'), bodyOf(configMap('a', { color: 'blue' })), request)
    expect(document.object.metadata.resourceVersion).toBe(metadata.resourceVersion)
  })

  it('refuses a missing namespace', async () => {
    const nowhere = configMaps.create({ namespace: 'nowhere' }, bodyOf({ metadata: { name: 'a' } }), writeRequest())
    expect(await refusal(nowhere)).toMatchObject({ code: 404, message: 'namespaces "nowhere" not found' })
  })

  it('generates a name', async () => {
    const { name: _, ...metadata } = configMap('').metadata
    const generated = await create({ ...configMap(''), metadata: { ...metadata, generateName: 'gen-' } })
    expect(generated.metadata.name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
  })

  it('gives up with a 409 when eight generated names in a row are taken', async () => {
    let asked = 0
    const bytes = (length: number): Uint8Array => {
      asked += 1
      return new Uint8Array(length)
    }
    const always = { ...systemRandom, bytes }
    const unlucky = await startRegistry(coreKinds(), { random: always })
    const object = { metadata: { generateName: 'gen-' } }
    const namespaces = unlucky.resource('namespaces')
    await namespaces.create({ namespace: '' }, bodyOf(object), writeRequest())
    asked = 0
    expect(await refusal(namespaces.create({ namespace: '' }, bodyOf(object), writeRequest()))).toEqual({
      code: 409,
      reason: 'AlreadyExists',
      message:
        'namespaces "gen-bbbbb" already exists, the server was not able to generate a unique name for the object',
    })
    expect(asked).toBe(8)
    await unlucky.stop()
  })

  it('requires the right to delete a blocking owner, or to change its finalizers', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'boss', uid: 'u', blockOwnerDeletion: true }
    const asked: string[] = []
    const createAllowed = (allowed: string) =>
      create(configMap('a', {}, { ownerReferences: [owner] }), {
        authorize: ({ verb, resource, subresource, name, namespace }) => {
          const question = `${verb} ${resource}/${subresource} ${name} in ${namespace}`
          asked.push(question)
          return { verdict: question === allowed ? 'allow' : 'no-opinion', reason: '' }
        },
      })
    expect(await refusal(createAllowed(''))).toMatchObject({ code: 422, reason: 'Invalid' })
    const questions = ['delete configmaps/ boss in default', 'update configmaps/finalizers boss in default']
    expect(asked).toEqual(questions)
    for (const question of questions) {
      expect(await createAllowed(question)).toMatchObject({ metadata: { name: 'a' } })
      await configMaps.delete(at('a'), { dryRun: false }, writeRequest())
    }
  })

  it('keeps members named like those of a prototype', async () => {
    const data = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}')
    await create(configMap('a', data))
    const read = (await configMaps.get(at('a'), latest)).object
    expect(JSON.stringify(read.data)).toBe('{"__proto__":"a","constructor":"b","toString":"c"}')
  })
})

describe('update', () => {
  const update = async (object: KubeObject, request: Partial<WriteRequest> = {}) =>
    (await configMaps.update(at(object.metadata.name ?? ''), bodyOf(object), writeRequest(request))).document.object

  it('accepts a write of the latest version, and refuses one of an earlier version', async () => {
    const first = await create(configMap('a', { n: '1' }))
    await update({ ...first, data: { n: '2' } })
    expect(await refusal(update({ ...first, data: { n: '3' } }))).toMatchObject({ code: 409, reason: 'Conflict' })
  })

  it('overwrites any version when no resourceVersion is sent', async () => {
    await create(configMap('a', { n: '1' }))
    expect(await update(configMap('a', { n: '2' }))).toMatchObject({ data: { n: '2' } })
  })

  it('writes nothing when nothing changes', async () => {
    const first = await create(configMap('a', { n: '1' }))
    world.clock.advance(5_000)
    expect((await update(configMap('a', { n: '1' }))).metadata.resourceVersion).toBe(first.metadata.resourceVersion)
  })

  it('keeps immutable fields', async () => {
    const created = await create({ ...configMap('a', { n: '1' }), immutable: true })
    expect(await refusal(update({ ...created, data: { n: '2' } }))).toMatchObject({ code: 422, reason: 'Invalid' })
  })

  it('refuses a body of another name', async () => {
    await create(configMap('a'))
    const other = configMaps.update(at('a'), bodyOf(configMap('b')), writeRequest())
    expect(await refusal(other)).toMatchObject({
      code: 400,
      message: 'the name of the object (b) does not match the name on the URL (a)',
    })
  })

  it('refuses a body of another namespace', async () => {
    const created = await create(configMap('a'))
    const moved = { ...created, metadata: { ...created.metadata, namespace: 'elsewhere' } }
    expect(await refusal(configMaps.update(at('a'), bodyOf(moved), writeRequest()))).toMatchObject({
      code: 400,
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    })
  })

  it('loses no update when a hundred writers race', async () => {
    await create(configMap('a', { count: '0' }))
    const increment = async (): Promise<void> => {
      for (;;) {
        const read = (await configMaps.get(at('a'), latest)).object
        const count = Number((read.data as Record<string, string>).count) + 1
        const done = await update({ ...read, data: { count: String(count) } }).then(
          () => true,
          () => false,
        )
        if (done) return
      }
    }
    await Promise.all(Array.from({ length: 100 }, increment))
    expect((await configMaps.get(at('a'), latest)).object.data).toEqual({ count: '100' })
  })
})

describe('patch', () => {
  const patch = async (type: 'json' | 'merge' | 'strategic', value: unknown) =>
    (await configMaps.patch(at('a'), { type, body: bodyOf(value) }, writeRequest())).document.object

  it.each([
    ['json', [{ op: 'add', path: '/data/b', value: '2' }]],
    ['merge', { data: { b: '2' } }],
    ['strategic', { data: { b: '2' } }],
  ] as const)('%s changes only what it names', async (type, value) => {
    await create(configMap('a', { a: '1' }))
    expect((await patch(type, value)).data).toEqual({ a: '1', b: '2' })
  })

  it('is retried when another client writes in between', async () => {
    await create(configMap('a'))
    const keys = Array.from({ length: 50 }, (_, index) => `k${index}`)
    await Promise.all(keys.map((key) => patch('merge', { data: { [key]: 'x' } })))
    const { data } = (await configMaps.get(at('a'), latest)).object
    expect(Object.keys(data as object).sort()).toEqual([...keys].sort())
  })

  it('is conditional when it carries a resourceVersion', async () => {
    await create(configMap('a'))
    expect(await refusal(patch('merge', { metadata: { resourceVersion: '1' } }))).toMatchObject({ code: 409 })
  })
})

describe('apply', () => {
  const apply = async (object: KubeObject, fieldManager: string, force = false) =>
    configMaps.patch(at('a'), { type: 'apply', body: bodyOf(object), force }, writeRequest({ fieldManager }))

  it('creates, then removes fields that the manager no longer applies', async () => {
    expect((await apply(configMap('a', { x: '1', y: '2' }), 'one')).created).toBe(true)
    expect((await apply(configMap('a', { x: '1' }), 'one')).document.object.data).toEqual({ x: '1' })
  })

  it.each([
    [[], 'array'],
    ['x', 'string'],
  ])('refuses %j, which is not an object, in the words of Kubernetes', async (value, type) => {
    const body = { value, duplicateFields: [], text: JSON.stringify(value) }
    const answer = configMaps.patch(
      at('a'),
      { type: 'apply', body, force: false },
      writeRequest({ fieldManager: 'one' }),
    )
    expect(await refusal(answer)).toMatchObject({
      code: 400,
      message: `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
    })
  })

  it('takes the name from the existing object, and refuses to create one without a name', async () => {
    const { apiVersion, kind, data } = configMap('a', { x: '1' })
    const nameless = { apiVersion, kind, metadata: {}, data }
    expect(await refusal(apply(nameless, 'one'))).toMatchObject({
      code: 400,
      message: 'the name of the object (a based on URL) was undeterminable: name must be provided',
    })
    await apply(configMap('a', {}), 'one')
    expect((await apply(nameless, 'one')).document.object).toMatchObject({ metadata: { name: 'a' }, data: { x: '1' } })
  })

  it('refuses to take over a field of another manager unless forced', async () => {
    await apply(configMap('a', { x: '1' }), 'one')
    expect(await refusal(apply(configMap('a', { x: '2' }), 'two'))).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "one": .data.x',
    })
    expect((await apply(configMap('a', { x: '2' }), 'two', true)).document.object.data).toEqual({ x: '2' })
  })

  it('changes nothing when it is repeated', async () => {
    const first = await apply(configMap('a', { x: '1' }), 'one')
    world.clock.advance(60_000)
    const second = await apply(configMap('a', { x: '1' }), 'one')
    expect(second.document.object).toEqual(first.document.object)
  })
})

describe('delete', () => {
  const remove = (name: string, options = {}) =>
    configMaps.delete(at(name), { dryRun: false, ...options }, writeRequest())

  it('removes an object without finalizers at once', async () => {
    await create(configMap('a'))
    expect(await remove('a')).toMatchObject({ code: 200, status: { status: 'Success', details: { name: 'a' } } })
    expect((await refusal(read(at('a')))).code).toBe(404)
  })

  it('keeps an object until its last finalizer is gone', async () => {
    await create(configMap('a', {}, { finalizers: ['example.com/hold'] }))
    await remove('a')
    const held = (await configMaps.get(at('a'), latest)).object
    expect(held.metadata).toMatchObject({ deletionTimestamp: '2030-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 })
    const body = bodyOf({ metadata: { finalizers: null } })
    await configMaps.patch(at('a'), { type: 'merge', body }, writeRequest())
    expect((await refusal(read(at('a')))).code).toBe(404)
  })

  it('accepts no new finalizers while deleting', async () => {
    await create(configMap('a', {}, { finalizers: ['example.com/hold'] }))
    await remove('a')
    const body = bodyOf({ metadata: { finalizers: ['example.com/hold', 'example.com/more'] } })
    expect(await refusal(configMaps.patch(at('a'), { type: 'merge', body }, writeRequest()))).toMatchObject({
      code: 422,
    })
  })

  it('honors preconditions', async () => {
    await create(configMap('a'))
    expect(await refusal(remove('a', { preconditions: { uid: 'other' } }))).toMatchObject({ code: 409 })
    expect((await configMaps.get(at('a'), latest)).name).toBe('a')
  })

  it('frees the name: the next object has another uid', async () => {
    const first = await create(configMap('a'))
    await remove('a')
    expect((await create(configMap('a'))).metadata.uid).not.toBe(first.metadata.uid)
  })
})
