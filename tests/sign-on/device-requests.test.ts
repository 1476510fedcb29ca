import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemRandom } from '../../src/base/random.ts'
import { DeviceRequests } from '../../src/sign-on/device/device-requests.ts'
import type { Store } from '../../src/storage/contract.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { testClock } from '../support/registry.ts'

const clock = testClock()
let directory: string
let store: Store
let devices: DeviceRequests

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-devices-'))
  store = await openLmdbStore({ directory })
  devices = new DeviceRequests({ store, clock, random: systemRandom })
})
afterAll(async () => {
  await store.close()
  await rm(directory, { recursive: true })
})

const begin = (address: string) => devices.begin({ challenge: 'c', machine: 'm', address })

it('a network that requests all codes does not block others', async () => {
  const first = await begin('192.0.2.1')
  clock.advance(1_000)
  const oldest = await begin('2001:db8:1::1')
  clock.advance(1_000)
  await Promise.all(Array.from({ length: 498 }, (_, index) => begin(`2001:db8:1:${index.toString(16)}::2`)))
  clock.advance(1_000)
  const newest = await begin('2001:db8:1:ffff::1')
  expect(await devices.find(oldest)).toBeUndefined()
  const other = await begin('198.51.100.1')
  for (const code of [first, newest, other]) expect(await devices.find(code)).toBeDefined()
  const { items } = await store.list('', { limit: 10_000 })
  expect(items.length).toBeLessThanOrEqual(500)
}, 240_000)

it('concurrent device requests read the pending ones once, and never exceed the limit', async () => {
  let looks = 0
  const counted: Store = {
    ...store,
    list: (prefix, options) => {
      looks += 1
      return store.list(prefix, options)
    },
    get: (key) => store.get(key),
    create: (key, value) => store.create(key, value),
    delete: (key, revision) => store.delete(key, revision),
  }
  const together = new DeviceRequests({ store: counted, clock, random: systemRandom })
  const codes = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      together.begin({ challenge: 'c', machine: 'm', address: `198.51.100.${index}` }),
    ),
  )
  expect(new Set(codes).size).toBe(100)
  expect(looks).toBeLessThan(10)
  const { items } = await store.list('', { limit: 10_000 })
  expect(items.length).toBeLessThanOrEqual(500)
})

it('a code expires after exactly ten minutes', async () => {
  const code = await begin('192.0.2.1')
  clock.advance(10 * 60_000 - 1)
  expect(await devices.find(code)).toBeDefined()
  clock.advance(1)
  expect(await devices.find(code)).toBeUndefined()
  expect(await devices.approve(code, 'c', entered)).toBe(false)
})

const entered = {
  user: 'ada',
  signedOn: { connector: 'corp', userId: 'a', username: 'ada', emailVerified: false, groups: [], extraClaims: {} },
}
