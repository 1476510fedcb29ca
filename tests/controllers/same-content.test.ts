import { afterEach, beforeEach, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import type { Kind } from '../../src/api/kind.ts'
import { ControllerWriter } from '../../src/controllers/run/writer.ts'
import { admissionHooks } from '../../src/registry/admission/admission-hooks.ts'
import type { AdmissionPlugin } from '../../src/registry/admission/contract.ts'
import { podPlugin } from '../../src/registry/admission/pods.ts'
import type { Hooks, ResourceContext } from '../../src/registry/context.ts'
import { startRegistry, type TestRegistry } from '../support/registry.ts'

let world: TestRegistry
let pods: ResourceContext
let writer: ControllerWriter
let asked = 0
let rules: readonly AdmissionPlugin[] = []

const wanted = new Set(['Pod', 'Namespace'])
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { generateName: 'web-', namespace: 'a', labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
}

/** An admission plugin that reads stored objects: it records the number of Pods. */
const counting = podPlugin({
  name: 'Counting',
  mutate: (given) => {
    asked += 1
    return { ...given, metadata: { ...given.metadata, annotations: { others: String(pods.cache.size) } } }
  },
})

function admitted(kind: Kind): NonNullable<Hooks['mutate']> {
  return admissionHooks(kind, rules, world.registry.engine).mutate ?? (async (object) => object)
}

beforeEach(async () => {
  asked = 0
  rules = []
  world = await startRegistry(
    builtinKinds().filter(({ group, kind }) => group === '' && wanted.has(kind)),
    { hooks: (kind) => ({ mutate: (...given) => admitted(kind)(...given) }) },
  )
  const { registry } = world
  const namespaces = registry.engine.find('', 'Namespace')
  pods = registry.engine.find('', 'Pod') ?? expect.fail('Pods are not served')
  writer = new ControllerWriter({ controller: 'c', signal: new AbortController().signal, mayWrite: () => true })
  if (namespaces === undefined) expect.fail('namespaces are not served')
  await writer.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } })
})

afterEach(() => world.stop())

const stored = (name: string) => pods.cache.get({ namespace: 'a', name })?.object ?? expect.fail(name)

it('objects with the same content get everything that each would get separately', async () => {
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

it('an object that is created later has its own creation time', async () => {
  const create = writer.creator(pods, pod)
  const first = stored(await create())
  world.clock.advance(1_000)
  const second = stored(await create())
  const timesOf = ({ metadata }: typeof first) => [metadata.creationTimestamp, metadata.managedFields?.[0]?.time]
  expect(timesOf(first)).toEqual(['2030-01-01T00:00:00Z', '2030-01-01T00:00:00Z'])
  expect(timesOf(second)).toEqual(['2030-01-01T00:00:01Z', '2030-01-01T00:00:01Z'])
})

it('admission runs once for objects created together, and again after a change', async () => {
  rules = [counting]
  const create = writer.creator(pods, pod)
  const othersAt = (name: string) => stored(name).metadata.annotations
  const together = await Promise.all([create(), create(), create()])
  expect(together.map(othersAt)).toEqual([{ others: '0' }, { others: '0' }, { others: '0' }])
  expect(asked).toBe(1)
  expect(othersAt(await create())).toEqual({ others: '3' })
})

it('an invalid object is refused, and so are its duplicates', async () => {
  const create = writer.creator(pods, { ...pod, spec: { containers: [{ name: 'C', image: 'i' }] } })
  const outcomes = await Promise.allSettled([create(), create(), create()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(pods.cache.size).toBe(0)
})
