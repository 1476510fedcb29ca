import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UserInfo } from '../../src/api/access.ts'
import { configMap as configMapKind } from '../../src/api/core/config-map.ts'
import { namespace } from '../../src/api/core/namespace.ts'
import type { Hooks } from '../../src/registry/context.ts'
import type { Resource } from '../../src/registry/contract.ts'
import {
  bodyOf,
  configMap,
  inWords,
  latest,
  listAll,
  namespaceNamed,
  startRegistry,
  startWatch,
  type TestRegistry,
  writeRequest,
} from '../support/registry.ts'

/** Users see only the objects that carry their name. */
const hooks: Hooks = {
  visibility: ({ name }) => ({ id: name, sees: ({ labels }) => labels?.owner === name }),
}

const ann: UserInfo = { name: 'ann', groups: [] }
const inDefault = { namespace: 'default' }
const target = { ...inDefault, name: 'bobs' }
let world: TestRegistry
let configMaps: Resource

beforeEach(async () => {
  world = await startRegistry([namespace, configMapKind], { hooks: (kind) => (kind === configMapKind ? hooks : {}) })
  configMaps = world.resource('configmaps')
  await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
  await create('anns', 'ann')
  await create('bobs', 'bob')
})

afterEach(() => world.stop())

const create = (name: string, owner: string) =>
  configMaps.create(inDefault, bodyOf(configMap(name, {}, { labels: { owner } })), writeRequest())
const notFound = { status: { code: 404, message: 'configmaps "bobs" not found' } }

describe('an object that is not visible to a user', () => {
  it('is not in the list', async () => {
    const answer = await configMaps.list(inDefault, { ...listAll, user: ann })
    expect(answer.documents.map(({ name }) => name)).toEqual(['anns'])
    expect(answer.isPersonal).toBe(true)
  })

  it('is not found by any verb', async () => {
    const request = writeRequest({ user: ann })
    const body = bodyOf(configMap('bobs', { x: '1' }))
    await expect(configMaps.get(target, { ...latest, user: ann })).rejects.toMatchObject(notFound)
    await expect(configMaps.update(target, body, request)).rejects.toMatchObject(notFound)
    await expect(configMaps.patch(target, { type: 'merge', body }, request)).rejects.toMatchObject(notFound)
    await expect(configMaps.delete(target, { dryRun: false }, request)).rejects.toMatchObject(notFound)
    const apply = { type: 'apply' as const, body, force: true }
    await expect(configMaps.patch(target, apply, request)).rejects.toMatchObject({ status: { code: 409 } })
  })

  it('is not deleted with a collection', async () => {
    const all = { ...listAll, user: ann }
    await configMaps.deleteCollection(inDefault, all, { dryRun: false }, writeRequest({ user: ann }))
    expect((await configMaps.get(target, { ...latest, user: { name: 'bob', groups: [] } })).name).toBe('bobs')
  })

  it('is not reported to a watcher, not even when it is deleted', async () => {
    const watch = startWatch(configMaps, 'default', { user: ann })
    await watch.events(1)
    await configMaps.delete(target, { dryRun: false }, writeRequest({ user: { name: 'bob', groups: [] } }))
    await create('anns-second', 'ann')
    expect(inWords(await watch.events(2))).toEqual(['ADDED anns', 'ADDED anns-second'])
    watch.stop()
  })
})
