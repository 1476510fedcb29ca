import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { group, keysPath, management, startPlatform, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { type Replicas, startReplicas } from '../../support/clusters/replicas.ts'
import { missingEtcd } from '../../support/stores/etcd.ts'
import { startStore, stores, type TestStore } from '../support/stores.ts'
import { floodOver } from './support/flood.ts'

const newKey = {
  apiVersion: `${group}/v1`,
  kind: 'OwnedAccessKey',
  metadata: { generateName: 'flood-' },
  spec: {},
}

/**
 * Creates keys, a hundred at a time on every connection, until the platform refuses. Returns how many creations were
 * answered; a client with too many refusals loses its connection, and with it answers.
 */
async function flood(platforms: readonly TestPlatform[], token: string): Promise<number> {
  let made = 0
  for (;;) {
    const floods = platforms.map(({ server }) => floodOver('HTTP/2', server.port))
    const asked = { method: 'POST', path: keysPath, token, body: JSON.stringify(newKey) }
    const answers = await Promise.all(floods.flatMap((each) => each.send(200, asked)).map(({ status }) => status))
    for (const each of floods) each.close()
    made += answers.filter((status) => status === 201).length
    if (answers.includes(403) && !answers.includes(201)) return made
  }
}

const keysOf = async (platform: TestPlatform, token: string): Promise<number> =>
  (await platform.ask('GET', keysPath, { token })).body.items.length

describe.each(stores)('one user who creates keys endlessly, on the %s store', (storeName) => {
  let store: TestStore
  let platform: TestPlatform
  let mallory = ''
  beforeAll(async () => {
    store = await startStore(storeName)
    platform = await startPlatform(store.options)
    await platform.must('POST', `${management}/users`, userNamed('mallory'))
    mallory = await platform.keyOf('mallory')
  }, 240_000)
  afterAll(async () => {
    await platform.stop()
    await store.remove()
  })

  test('has 500 keys in the end, and no more', { timeout: 240_000 }, async () => {
    expect(await flood([platform], mallory)).toBeLessThanOrEqual(499)
    expect(await keysOf(platform, mallory)).toBe(500)
  })

  test('does not keep other users from creating a key', async () => {
    await platform.must('POST', `${management}/users`, userNamed('bob'))
    const bob = await platform.keyOf('bob')
    expect((await platform.ask('POST', keysPath, { token: bob, body: newKey })).status).toBe(201)
  })
})

const withoutEtcd = missingEtcd()

describe.skipIf(withoutEtcd)('the same with two replicas', () => {
  let replicas: Replicas
  beforeAll(async () => {
    replicas = await startReplicas()
  }, 240_000)
  afterAll(() => replicas.remove())

  test('stops at the limit, except for requests already in progress', { timeout: 240_000 }, async () => {
    const quotas = { keysPerOwner: 100 }
    const options = { platform: { domain: 'platform.internal', quotas } }
    const [first, second] = [await replicas.start(options), await replicas.start(options)]
    await first.must('POST', `${management}/users`, userNamed('mallory'))
    const token = await first.keyOf('mallory')
    await expect.poll(async () => (await second.ask('GET', keysPath, { token })).status).toBe(200)
    await flood([first, second], token)
    const there = await keysOf(first, token)
    expect(there).toBeGreaterThanOrEqual(100)
    expect(there, 'each replica knows its own').toBeLessThanOrEqual(199)
    // The other replica knows of all of them once it has answered.
    expect(await keysOf(second, token)).toBeGreaterThanOrEqual(there)
    expect(await flood([first, second], token)).toBe(0)
  })
})
