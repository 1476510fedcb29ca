import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configMap } from '../../../src/api/core/config-map.ts'
import type { KubeObject } from '../../../src/api/object.ts'
import { bodyOf, listAll, startRegistry, type TestRegistry, writeRequest } from '../../support/registry.ts'

let registry: TestRegistry
const key = { isRevoked: false }
let whileAdmitted = () => {}
let whenRemoved = async (_object: KubeObject) => {}

beforeEach(async () => {
  key.isRevoked = false
  whileAdmitted = () => {}
  whenRemoved = async () => {}
  // Like a hook that asks another server.
  const admit = async <T>(object: T) => {
    whileAdmitted()
    return object
  }
  registry = await startRegistry([configMap], {
    hooks: () => ({
      mutate: admit,
      admitDelete: async () => whileAdmitted(),
      removed: (object) => whenRemoved(object),
    }),
  })
})

afterEach(() => registry.stop())

function thief() {
  const credential = { keyName: 'own-key', keyUid: 'u', keyId: 'i', revoked: new AbortController().signal }
  const live = Object.defineProperty({ ...credential, isRevoked: false }, 'isRevoked', { get: () => key.isRevoked })
  return writeRequest({ user: { name: 'thief', groups: [], credential: live } })
}

const input = (data: object, name = 'a') =>
  bodyOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data })

const left = async () => (await registry.resource('configmaps').list({ namespace: 'default' }, listAll)).documents

test.each(['create', 'update'] as const)(
  'nothing is stored for a key that was revoked during admission: %s',
  async (verb) => {
    const configMaps = registry.resource('configmaps')
    const target = { namespace: 'default', name: 'a' }
    if (verb === 'update') await configMaps.create(target, input({ by: 'owner' }), thief())
    whileAdmitted = () => {
      key.isRevoked = true
    }
    const write = configMaps[verb](target, input({ by: 'thief' }), thief())
    await expect(write).rejects.toMatchObject({ code: 401 })
    const { documents } = await configMaps.list({ namespace: 'default' }, listAll)
    expect(documents.map(({ object }) => object.data)).toEqual(verb === 'update' ? [{ by: 'owner' }] : [])
  },
)

test('nothing is deleted for a key that was revoked during admission', async () => {
  const configMaps = registry.resource('configmaps')
  await configMaps.create({ namespace: 'default' }, input({}), thief())
  whileAdmitted = () => {
    key.isRevoked = true
  }
  const deletion = configMaps.delete({ namespace: 'default', name: 'a' }, { dryRun: false }, thief())
  await expect(deletion).rejects.toMatchObject({ code: 401 })
  expect(await left()).toHaveLength(1)
})

describe('the deletion of a collection', () => {
  beforeEach(async () => {
    for (let index = 0; index < 60; index += 1) {
      await registry.resource('configmaps').create({ namespace: 'default' }, input({}, `a${index}`), thief())
    }
  })

  const deleted = () =>
    registry.resource('configmaps').deleteCollection({ namespace: 'default' }, listAll, { dryRun: false }, thief())

  test('ends when its key is revoked', async () => {
    whenRemoved = async () => {
      key.isRevoked = true
    }
    await expect(deleted()).rejects.toMatchObject({ code: 401 })
    expect((await left()).length).toBeGreaterThan(20)
  })

  test('deletes the key itself last', async () => {
    await registry.resource('configmaps').create({ namespace: 'default' }, input({}, 'own-key'), thief())
    whenRemoved = async ({ metadata }) => {
      if (metadata.name === 'own-key') key.isRevoked = true
    }
    await deleted()
    expect(await left()).toEqual([])
  })
})
