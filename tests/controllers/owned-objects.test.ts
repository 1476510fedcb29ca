import { afterAll, beforeAll, expect, it } from 'vitest'
import { configMap as configMaps } from '../../src/api/core/config-map.ts'
import { namespace } from '../../src/api/core/namespace.ts'
import { ownedFrom } from '../../src/controllers/ownership/owned.ts'
import { OwnedObjects } from '../../src/controllers/ownership/owned-objects.ts'
import type { ResourceContext } from '../../src/registry/context.ts'
import {
  bodyOf,
  configMap,
  namespaceNamed,
  startRegistry,
  type TestRegistry,
  writeRequest,
} from '../support/registry.ts'

let world: TestRegistry

beforeAll(async () => {
  world = await startRegistry([namespace, configMaps])
  await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
  await Promise.all(Array.from({ length: 250 }, (_, index) => create(`c${index}`)))
})

afterAll(() => world.stop())

function create(name: string) {
  return world.resource('configmaps').create({ namespace: 'default' }, bodyOf(configMap(name)), writeRequest())
}

function remove(name: string) {
  const options = { dryRun: false }
  return world.resource('configmaps').delete({ namespace: 'default', name }, options, writeRequest())
}

function known() {
  const context = world.registry.engine.find('', 'ConfigMap') as ResourceContext
  return new OwnedObjects({ context, read: ownedFrom, unreadable: () => {} })
}

it('existing objects are read in steps that yield to other work', async () => {
  const objects = known()
  const count = () => [...objects.all()].length
  const otherWork = new Promise<number>((resolve) => setImmediate(() => resolve(count())))
  await objects.loaded
  expect(count()).toBe(250)
  expect(await otherWork).toBeLessThan(250)
  objects.stop()
})

it('objects that change during the initial read are known in their latest state', async () => {
  const objects = known()
  const changes = [remove('c249'), remove('c0'), create('new')]
  await Promise.all([...changes, objects.loaded])
  const names = [...objects.all()].map(({ name }) => name)
  expect(names.toSorted()).toEqual(current())
  objects.stop()
})

function current(): readonly string[] {
  const { cache } = world.registry.engine.find('', 'ConfigMap') as ResourceContext
  return [...cache.current().values()].map(({ name }) => name).toSorted()
}
