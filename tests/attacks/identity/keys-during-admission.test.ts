import { afterEach, beforeEach, expect, test } from 'vitest'
import { configMap } from '../../../src/api/core/config-map.ts'
import { bodyOf, listAll, startRegistry, type TestRegistry, writeRequest } from '../../support/registry.ts'

let registry: TestRegistry
const key = { isRevoked: false }
let whileAdmitted = () => {}

beforeEach(async () => {
  key.isRevoked = false
  whileAdmitted = () => {}
  // Like a hook that asks another server.
  const admit = async <T>(object: T) => {
    whileAdmitted()
    return object
  }
  registry = await startRegistry([configMap], { hooks: () => ({ mutate: admit }) })
})

afterEach(() => registry.stop())

function thief() {
  const credential = { keyName: 'k', keyUid: 'u', keyId: 'i', revoked: new AbortController().signal }
  const live = Object.defineProperty({ ...credential, isRevoked: false }, 'isRevoked', { get: () => key.isRevoked })
  return writeRequest({ user: { name: 'thief', groups: [], credential: live } })
}

const input = (data: object) =>
  bodyOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data })

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
