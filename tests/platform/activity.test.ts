import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { eventually } from '../support/eventually.ts'
import { faultyStore } from './faulty-store.ts'
import { group, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }

const storedKey = ({ server }: TestPlatform, name: string) =>
  server.engine.registry.engine.find(group, 'OwnedAccessKey')?.cache.get({ namespace: '', name })?.object

describe('the last use of a key', () => {
  let platform: TestPlatform

  beforeAll(async () => {
    platform = await startPlatform()
    await platform.must('POST', `${management}/users`, userNamed('ann'))
  })

  afterAll(() => platform.stop())

  const make = async (name: string, spec: object = {}) => {
    const { body } = await platform.ask('POST', keysPath, {
      body: { metadata: { name }, spec: { user: 'ann', ...spec } },
    })
    return body.spec.key as string
  }
  const use = (token: string) => platform.ask('GET', `${management}/users/ann`, { token })
  const nowText = () => new Date(Math.floor(platform.clock.now() / 1000) * 1000).toISOString().replace('.000', '')
  const itemOf = (text: string, name: string) =>
    JSON.parse(text).items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === name)

  it('is exact wherever a key is read, long before it is stored', async () => {
    const token = await make('exact', { ttl: 3600, ttlAfterLastActivity: true })
    await use(token)
    await eventually(async () => expect(storedKey(platform, 'exact')?.status).toHaveProperty('lastActivity'))
    const stored = (await platform.must('GET', `${keysPath}/exact`)).metadata.resourceVersion
    platform.clock.advance(20_000)
    await use(token)
    const now = nowText()
    const status = { lastActivity: now, lastUsedFrom: '127.0.0.1', expiresAt: expect.any(String) }

    const got = await platform.must('GET', `${keysPath}/exact`)
    expect(got).toMatchObject({ metadata: { resourceVersion: stored }, status })
    expect(Date.parse(got.status.expiresAt)).toBe(Date.parse(now) + 3_600_000)
    for (let round = 0; round < 2; round++) {
      expect(itemOf((await platform.ask('GET', keysPath)).text, 'exact')).toMatchObject({ status })
    }
    const rows = (await platform.ask('GET', keysPath, { headers: table })).body.rows
    const row = rows.find(({ object }: { object: { metadata: { name: string } } }) => object.metadata.name === 'exact')
    expect(row.cells).toContain('0s ago')
    const watch = await platform.watch(`${keysPath}?watch=true`, 'admin-token')
    await expect.poll(watch.text).toContain(`"lastActivity":"${now}"`)
    watch.stop()
  })

  it('does not conflict with a change that is based on an earlier read', async () => {
    const token = await make('changed')
    await use(token)
    const read = await platform.must('GET', `${keysPath}/changed`)
    expect(read.status.lastActivity).toBeDefined()
    const put = await platform.ask('PUT', `${keysPath}/changed`, {
      body: { ...read, spec: { ...read.spec, displayName: 'new' } },
    })
    if (put.status !== 409) expect(put.status).toBe(200)
    const again = await platform.ask('PATCH', `${keysPath}/changed`, {
      body: { spec: { displayName: 'newer' } },
      type: 'application/merge-patch+json',
    })
    expect(again.body.spec.displayName).toBe('newer')
  })

  it('of another key that was never used is absent', async () => {
    await make('unused')
    expect((await platform.must('GET', `${keysPath}/unused`)).status.lastActivity).toBeUndefined()
  })
})

describe('a key whose life counts from its last use', () => {
  let directory: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-activity-'))
  })

  afterAll(() => rm(directory, { recursive: true, force: true }))

  it('never ends early because the server stopped before its use was stored', async () => {
    const inner = await openLmdbStore({ directory: join(directory, 'store') })
    const faulty = faultyStore(inner)
    const first = await startPlatform({ directory, store: faulty.store })
    await first.must('POST', `${management}/users`, userNamed('ann'))
    const token = await first.keyOf('ann', { ttl: 1000, ttlAfterLastActivity: true })
    const use = (platform: TestPlatform) => platform.ask('GET', keysPath, { token })
    await use(first)
    await eventually(async () => expect(storedKey(first, 'key-1-ann')?.status).toHaveProperty('lastActivity'))
    first.clock.advance(40_000)
    expect((await use(first)).status).toBe(200)
    const lastUsedMs = first.clock.now()
    faulty.mode = 'is stuck'
    await first.stop()
    await inner.close()

    const second = await startPlatform({ directory })
    second.clock.advance(lastUsedMs - second.clock.now() + 999_000)
    expect((await use(second)).status).toBe(200)
    await second.stop()
  })

  it('ends as late after a clean stop as it would have without it', async () => {
    const first = await startPlatform({ directory })
    const made = await first.must('POST', keysPath, {
      metadata: { name: 'clean' },
      spec: { user: 'ann', ttl: 100, ttlAfterLastActivity: true },
    })
    const use = (platform: TestPlatform) => platform.ask('GET', keysPath, { token: made.spec.key })
    first.clock.advance(50_000)
    await use(first)
    first.clock.advance(3_000)
    await use(first)
    const lastUsedMs = first.clock.now()
    await first.stop()
    const second = await startPlatform({ directory })
    second.clock.advance(lastUsedMs - second.clock.now() + 99_000)
    expect((await use(second)).status).toBe(200)
    second.clock.advance(120_000)
    expect((await use(second)).status).toBe(401)
    await second.stop()
  })
})

describe('a use that could not be stored', () => {
  it('is stored later', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tenant-flush-'))
    const inner = await openLmdbStore({ directory: join(directory, 'store') })
    const faulty = faultyStore(inner)
    const platform = await startPlatform({ store: faulty.store, directory })
    await platform.must('POST', `${management}/users`, userNamed('ann'))
    const token = await platform.keyOf('ann')
    faulty.mode = 'fails'
    await platform.ask('GET', keysPath, { token })
    await expect.poll(() => faulty.attempts).toBeGreaterThan(0)
    faulty.mode = 'works'
    await eventually(async () => {
      expect(storedKey(platform, 'key-1-ann')?.status).toMatchObject({
        lastActivity: expect.any(String),
        lastUsedFrom: '127.0.0.1',
      })
    })
    await platform.stop()
    await inner.close()
    await rm(directory, { recursive: true, force: true })
  })
})
