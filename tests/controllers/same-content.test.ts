import { afterEach, beforeEach, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { ControllerWriter } from '../../src/controllers/run/writer.ts'
import type { ResourceContext } from '../../src/registry/context.ts'
import { startRegistry, type TestRegistry } from '../support/registry.ts'

let world: TestRegistry
let pods: ResourceContext
let writer: ControllerWriter

const wanted = new Set(['Pod', 'Namespace'])
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { generateName: 'web-', namespace: 'a', labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
}

beforeEach(async () => {
  world = await startRegistry(builtinKinds().filter(({ group, kind }) => group === '' && wanted.has(kind)))
  const { registry } = world
  const namespaces = registry.engine.find('', 'Namespace')
  pods = registry.engine.find('', 'Pod') ?? expect.fail('Pods are not served')
  writer = new ControllerWriter({ controller: 'c', signal: new AbortController().signal, mayWrite: () => true })
  if (namespaces === undefined) expect.fail('namespaces are not served')
  await writer.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } })
})

afterEach(() => world.stop())

const stored = (name: string) => pods.cache.get({ namespace: 'a', name })?.object ?? expect.fail(name)

it('objects of one content have all that each would have by itself', async () => {
  const create = writer.creator(pods, pod)
  const names = await Promise.all([create(), create(), create()])
  expect(new Set(names).size).toBe(3)
  const alone = stored(await writer.create(pods, pod))
  const uids = new Set<unknown>([alone.metadata.uid])
  for (const each of names.map(stored)) {
    const { name, uid, resourceVersion } = alone.metadata
    expect({ ...each, metadata: { ...each.metadata, name, uid, resourceVersion } }).toEqual(alone)
    uids.add(each.metadata.uid)
  }
  expect(uids.size).toBe(4)
})

it('an object that is made later has the time at which it was made', async () => {
  const create = writer.creator(pods, pod)
  const first = stored(await create())
  world.clock.advance(1_000)
  const second = stored(await create())
  const timesOf = ({ metadata }: typeof first) => [metadata.creationTimestamp, metadata.managedFields?.[0]?.time]
  expect(timesOf(first)).toEqual(['2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z'])
  expect(timesOf(second)).toEqual(['2030-01-01T00:00:01Z', '2030-01-01T00:00:01Z'])
})
