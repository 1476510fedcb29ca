import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/storage/contract.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { eventually } from '../support/eventually.ts'
import { testClock } from '../support/registry.ts'
import { countingStore } from './counting-store.ts'
import { grant, group, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

const intervalMs = 300_000
const records = '/key-usage/of/'
const keyRecords = `/objects/${group}/ownedaccesskeys/`
const started: TestPlatform[] = []
const stores: Store[] = []
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-usage-'))
})

afterAll(async () => {
  for (const platform of started) await platform.stop()
  for (const store of stores) await store.close()
  await rm(directory, { recursive: true, force: true })
})

const openStore = async (name: string) => {
  const store = await openLmdbStore({ directory: join(directory, name) })
  stores.push(store)
  return countingStore(store)
}

/** Several may share one store: each has a separate memory. */
const startOn = async (store: Store, clock = testClock()) => {
  const platform = await startPlatform({ store, directory, clock })
  started.push(platform)
  return { ...platform, clock }
}

const usageOf = async (platform: TestPlatform, name: string) => {
  const body = { apiVersion: `${group}/v1`, kind: 'AccessKeyUsage' }
  return (await platform.must('POST', `${keysPath}/${name}/usage`, body)).status
}
const shown = (uses: readonly Readonly<Record<string, string>>[]) =>
  uses.map(({ verb, resource, name, path }) => [verb, resource, name, path].filter(Boolean).join(' '))

describe('the usage of a key', () => {
  it('is stored after a while, with one write for many uses, and survives a crash', async () => {
    const { store, writesTo } = await openStore('crash')
    const first = await startOn(store)
    await first.must('POST', `${management}/users`, userNamed('ann'))
    const token = await first.keyOf('ann')
    for (let count = 0; count < 50; count++) await first.ask('GET', keysPath, { token })
    first.clock.advance(1000)
    await first.ask('GET', '/version', { token })
    expect(shown((await usageOf(first, 'key-1-ann')).uses)).toEqual(['get /version', 'list ownedaccesskeys'])
    expect(writesTo(records)).toBe(0)
    first.clock.advance(intervalMs)
    await eventually(() => expect(writesTo(records)).toBe(1))
    await first.ask('GET', `${keysPath}/key-1-ann`, { token })

    const second = await startOn(store, first.clock)
    const { uses, usesComplete, usesSince, usesDelaySeconds } = await usageOf(second, 'key-1-ann')
    expect(shown(uses)).toEqual(['get /version', 'list ownedaccesskeys'])
    expect({ usesComplete, usesSince, usesDelaySeconds }).toEqual({
      usesComplete: true,
      usesSince: '2030-01-01T00:00:00Z',
      usesDelaySeconds: 0,
    })
  })

  it('is stored when the platform stops', async () => {
    const { store } = await openStore('stop')
    const first = await startPlatform({ store, directory })
    await first.must('POST', `${management}/users`, userNamed('ann'))
    await first.ask('GET', keysPath, { token: await first.keyOf('ann') })
    await first.stop()
    expect(shown((await usageOf(await startOn(store), 'key-1-ann')).uses)).toEqual(['list ownedaccesskeys'])
  })

  it('is written at most twice in a minute, together with other effects of the use', async () => {
    const { store, writesTo } = await openStore('writes')
    const platform = await startOn(store)
    await platform.must('POST', `${management}/users`, userNamed('ann'))
    const token = await platform.keyOf('ann')
    await platform.ask('GET', keysPath, { token })
    await eventually(() => expect(writesTo('/objects/core/events/')).toBe(2))
    const [minutes, before] = [6, writesTo('/')]
    for (let minute = 0; minute < minutes; minute++) {
      const earlier = writesTo(keyRecords)
      for (let count = 0; count < 10; count++) {
        await platform.ask('GET', keysPath, { token })
        platform.clock.advance(6_000)
      }
      await eventually(() => expect(writesTo(keyRecords)).toBeGreaterThan(earlier))
    }
    await eventually(() => expect(writesTo(records)).toBe(1))
    // At least a minute lies between two writes of the last use; the usage is written once.
    expect(writesTo('/') - before).toBeLessThanOrEqual(minutes + 1 + 1)
  })

  it('is folded above the limit, and reports it', async () => {
    const { store } = await openStore('folded')
    const platform = await startOn(store)
    await platform.must('POST', `${management}/users`, userNamed('ann'))
    await grant(platform, 'ann', [{ apiGroups: [group], resources: ['users'], verbs: ['get', 'list'] }])
    const token = await platform.keyOf('ann')
    await platform.ask('GET', `${management}/users`, { token })
    const asked = Array.from({ length: 150 }, (_, at) => platform.ask('GET', `${management}/users/u${at}`, { token }))
    await Promise.all(asked)
    const { uses, usesComplete } = await usageOf(platform, 'key-1-ann')
    expect(shown(uses).toSorted()).toEqual(['get users *', 'list users'])
    expect(usesComplete).toBe(false)
  })

  it('is deleted with the key, even while uses are pending', async () => {
    const { store } = await openStore('deleted')
    const platform = await startOn(store)
    await platform.must('POST', `${management}/users`, userNamed('ann'))
    const token = await platform.keyOf('ann')
    await platform.ask('GET', keysPath, { token })
    platform.clock.advance(intervalMs)
    const stored = async () => (await store.list(records)).items.length
    await eventually(async () => expect(await stored()).toBe(1))
    await platform.ask('GET', keysPath, { token })
    await platform.ask('DELETE', `${keysPath}/key-1-ann`, { token })
    await eventually(async () => expect(await stored()).toBe(0))
    platform.clock.advance(intervalMs)
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(await stored()).toBe(0)
  })

  it('is deleted with a key that was deleted while the platform was down, and kept for others', async () => {
    const { store } = await openStore('gone')
    const first = await startPlatform({ store, directory })
    await first.must('POST', `${management}/users`, userNamed('ann'))
    await first.ask('GET', keysPath, { token: await first.keyOf('ann') })
    const { uid } = (await first.must('GET', `${keysPath}/key-1-ann`)).metadata
    await first.stop()
    await store.create(`${records}gone`, Buffer.from('[["a"],[[0,0,0,0,0,0,0,1]]]'))
    const second = await startOn(store)
    second.clock.advance(intervalMs)
    await eventually(async () => {
      expect((await store.list(records)).items.map(({ key }) => key)).toEqual([records + uid])
    })
  })

  it('waits until the store is available again', async () => {
    const faulty = await openStore('faulty')
    const platform = await startOn(faulty.store)
    await platform.must('POST', `${management}/users`, userNamed('ann'))
    await platform.ask('GET', keysPath, { token: await platform.keyOf('ann') })
    faulty.failsAt = records
    platform.clock.advance(intervalMs)
    await eventually(() => expect(faulty.refused).toBeGreaterThan(0))
    expect(shown((await usageOf(platform, 'key-1-ann')).uses)).toEqual(['list ownedaccesskeys'])
    faulty.failsAt = undefined
    platform.clock.advance(intervalMs)
    await eventually(() => expect(faulty.writesTo(records)).toBe(1))
  })

  it('starts when recording began', async () => {
    const { store } = await openStore('older')
    const first = await startPlatform({ store, directory })
    await first.must('POST', `${management}/users`, userNamed('ann'))
    await first.keyOf('ann')
    await first.stop()
    const [beginning] = (await store.list('/key-usage/beginning')).items
    await store.delete('/key-usage/beginning', beginning?.revision ?? 0)
    const second = await startOn(store, testClock(Date.UTC(2031, 0, 1)))
    expect((await usageOf(second, 'key-1-ann')).usesSince).toBe('2031-01-01T00:00:00Z')
    const body = { apiVersion: `${group}/v1`, kind: 'AccessKeyHolders' }
    expect((await second.must('POST', `${keysPath}/key-1-ann/holders`, body)).status.complete).toBe(false)
  })
})

describe('the scope that is advised for a key', () => {
  it('allows exactly what it did', async () => {
    const { store } = await openStore('advised')
    const platform = await startOn(store)
    for (const name of ['ann', 'bob']) await platform.must('POST', `${management}/users`, userNamed(name))
    const resources = ['users', 'projects', 'teams']
    await grant(platform, 'ann', [{ apiGroups: [group], resources, verbs: ['*'] }])
    await grant(platform, 'ann', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }])
    await grant(platform, 'ann', [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }])
    const did = [
      `${management}/users/ann`,
      `${management}/projects`,
      `${keysPath}/key-1-ann`,
      '/api/v1/namespaces/default/configmaps',
      '/kubernetes/management/metrics',
      '/version',
    ]
    const others = [
      `${management}/users/bob`,
      `${management}/users`,
      `${management}/projects/default`,
      `${management}/teams`,
      '/api/v1/configmaps',
      '/api/v1/namespaces/other/configmaps',
      '/api/v1/namespaces/default/configmaps/kube-root-ca.crt',
    ]
    const token = await platform.keyOf('ann')
    const statuses = (paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => (await platform.ask('GET', path, { token })).status))
    expect(await statuses(did)).toEqual(did.map(() => 200))
    const body = { apiVersion: `${group}/v1`, kind: 'AccessKeyAdvice' }
    const { status } = await platform.must('POST', `${keysPath}/key-1-ann/advise`, body)
    expect(status).toMatchObject({ uncovered: [], uses: did.length, usesComplete: true })
    const spec = { scope: status.scope }
    await platform.ask('PATCH', `${keysPath}/key-1-ann`, { body: { spec }, type: 'application/merge-patch+json' })
    expect(await statuses(did)).toEqual(did.map(() => 200))
    expect(await statuses(others)).toEqual(others.map(() => 403))
    const created = await platform.ask('POST', `${management}/users`, { token, body: userNamed('eve') })
    expect(created.status).toBe(403)
  })
})
