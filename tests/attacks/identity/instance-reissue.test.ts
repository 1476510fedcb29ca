import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { type Claim, dial, proveToBe, refusedFor, registerAs } from '../../link/claims.ts'
import { stopsWithTest } from '../../link/stops-with-test.ts'
import { embedded, instances, keptInMemory, link, startLinkPlatform, tenantKey } from '../../link/support.ts'
import { group, management, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import { startStore, stores, type TestStore } from '../support/stores.ts'

const merge = 'application/merge-patch+json'

describe.each(stores)('a reissued proof, on %s', (kind) => {
  let store: TestStore
  let platform: TestPlatform
  let virtual: TestServer
  let directory: string
  let shared = ''
  let laterMs = 0
  let made = 0

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-reissue-'))
    ;[store, virtual] = await Promise.all([startStore(kind), startTestServer()])
    const audit = { file: join(directory, 'audit.log') }
    platform = await startLinkPlatform({
      ...store.options,
      clock: { now: () => systemClock.now() + laterMs },
      platform: { domain: 'platform.internal', audit },
    })
    for (const name of ['boss', 'worker', 'reader']) await platform.must('POST', `${management}/users`, userNamed(name))
    const members = [
      { kind: 'User', name: 'boss', role: 'admin' },
      { kind: 'User', name: 'worker', role: 'user' },
      { kind: 'User', name: 'reader', role: 'viewer' },
    ]
    await platform.ask('PATCH', `${management}/projects/default`, { body: { spec: { members } }, type: merge })
    shared = await tenantKey(platform, 'shared')
  })

  afterAll(async () => {
    await platform?.stop()
    await Promise.all([store?.remove(), virtual?.stop()])
    await rm(directory, { recursive: true, force: true })
  })

  const register = (more: Partial<Claim>) => registerAs(platform, { token: shared, ...more })
  const dials = (more: Partial<Claim>) => dial(platform, { token: shared, ...more })
  const reissue = (name: string, spec: object = {}, token = 'admin-token', query = '') =>
    platform.ask('POST', `${instances()}/${name}/reissue${query}`, {
      token,
      body: { apiVersion: `${group}/v1`, kind: 'VirtualClusterReissue', spec },
    })
  const newCluster = async () => {
    made += 1
    const name = `dev-${made}`
    return { name, proof: await proveToBe(platform, { token: shared, name }) }
  }

  test.each<[string, () => Promise<string>]>([
    ['a tenant for itself', async () => shared],
    ['a user of the project', () => platform.keyOf('worker')],
    ['a viewer of the project', () => platform.keyOf('reader')],
    ['an admin with a key for another virtual cluster', () => platform.keyOf('boss', { scope: other })],
    ['an admin with a key for tenants', () => platform.keyOf('boss', { scope: { roles: [{ role: 'tenant' }] } })],
    ['a stranger', async () => ''],
  ])('cannot be obtained by %s', async (_, key) => {
    const { name, proof } = await newCluster()
    for (const spec of [{}, { answer: true }]) {
      expect((await reissue(name, spec, await key())).status).toBeGreaterThanOrEqual(401)
    }
    expect((await dials({ name, proof })).status).toBe(101)
  })

  test('voids the previous proof at once, for links and registrations', async () => {
    const { name, proof } = await newCluster()
    expect((await reissue(name)).status).toBe(201)
    expect(refusedFor(await dials({ name, proof }))).toBe('ProofWrong')
    const { body } = await register({ name, proof })
    expect(body.status.proof).toMatch(/^tpi_/)
    expect(body.status.proof).not.toBe(proof)
  })

  test('cuts the link of the previous proof, and the virtual cluster returns with the new one', async () => {
    const { url, authority } = platform.server
    const proofs = keptInMemory()
    const linked = stopsWithTest(
      link({ name: 'linked', accessKey: shared, url, authority, virtualApi: embedded(virtual), proofs }),
    )
    await linked.linked()
    const before = proofs.kept?.proof
    await reissue('linked')
    await linked.waiting('Reissued')
    await linked.linked()
    expect(proofs.kept?.proof).not.toBe(before)
    await eventually(async () => {
      const { status } = await platform.must('GET', `${instances()}/linked`)
      expect(status.conditions).toContainEqual(expect.objectContaining({ type: 'Proven', status: 'True' }))
    })
  })

  test('is issued to one caller only, and later callers are refused', async () => {
    const { name } = await newCluster()
    await reissue(name)
    const [his, theirs] = [await register({ name }), await register({ name })]
    expect((await dials({ name, proof: theirs.body.status.proof })).status).toBe(101)
    expect(refusedFor(await dials({ name, proof: his.body.status.proof }))).toBe('ProofWrong')
    expect(refusedFor(await register({ name }))).toBe('ProofMissing')
  })

  test('cannot be fetched after its deadline, and the previous proof stays void', async () => {
    const { name, proof } = await newCluster()
    const { body } = await reissue(name, { seconds: 60 })
    expect(Date.parse(body.status.until)).toBeGreaterThan(systemClock.now())
    const early = await register({ name })
    laterMs += 61_000
    expect(refusedFor(await register({ name }))).toBe('ProofMissing')
    expect(refusedFor(await dials({ name, proof }))).toBe('ProofWrong')
    expect(refusedFor(await dials({ name, proof: early.body.status.proof }))).toBe('ProofWrong')
  })

  test('is not issued to a virtual cluster elsewhere with the same name', async () => {
    const { name } = await newCluster()
    await reissue(name)
    const { body } = await register({ name, serviceUid: 'uid-of-another', namespace: 'team-b' })
    expect(body.status.name).toMatch(new RegExp(`^${name}-[0-9a-z]{5}$`))
  })

  test('in the response leaves no proof to fetch', async () => {
    const { name, proof } = await newCluster()
    const { body } = await reissue(name, { answer: true })
    expect(body.status.proof).toMatch(/^tpi_/)
    expect(body.status.until).toBeUndefined()
    expect(refusedFor(await register({ name }))).toBe('ProofMissing')
    expect(refusedFor(await dials({ name, proof }))).toBe('ProofWrong')
    expect((await dials({ name, proof: body.status.proof })).status).toBe(101)
  })

  test('in a dry run is not issued, and the previous proof stays valid', async () => {
    const { name, proof } = await newCluster()
    const { status, text } = await reissue(name, { answer: true }, 'admin-token', '?dryRun=All')
    expect(status).toBe(201)
    expect(text).not.toContain('tpi_')
    expect((await dials({ name, proof })).status).toBe(101)
  })

  test.each([-1, 24 * 3600 + 1, 1e12])('is refused for %s seconds', async (seconds) => {
    const { name, proof } = await newCluster()
    expect((await reissue(name, { seconds })).status).toBe(422)
    expect((await dials({ name, proof })).status).toBe(101)
  })

  test('for a missing virtual cluster is a 404', async () => {
    expect((await reissue('absent')).status).toBe(404)
  })

  test('is audited with the caller, and without the proof', async () => {
    const { name } = await newCluster()
    const token = await platform.keyOf('boss')
    const { body } = await reissue(name, { answer: true }, token)
    await eventually(async () => {
      const log = await readFile(join(directory, 'audit.log'), 'utf8')
      const lines = log
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const line = lines.findLast(({ object }) => object?.name === name && object.subresource === 'reissue')
      expect(line).toMatchObject({ user: 'boss', verb: 'create', decision: 'allow', code: 201 })
      expect(log).not.toContain(body.status.proof.slice(17))
    })
  })

  test('updates the time of the Proven condition, also if the proof is in the response', async () => {
    const { name } = await newCluster()
    const provenAt = async () => {
      const { status } = await platform.must('GET', `${instances()}/${name}`)
      return status.conditions.find(({ type }: { type: string }) => type === 'Proven')
    }
    const before = await provenAt()
    laterMs += 5_000
    await reissue(name, { answer: true })
    const after = await provenAt()
    expect([before.status, after.status]).toEqual(['True', 'True'])
    expect(Date.parse(after.lastTransitionTime)).toBeGreaterThan(Date.parse(before.lastTransitionTime))
  })

  test('is recorded on the virtual cluster until it is fetched', async () => {
    const { name } = await newCluster()
    await reissue(name)
    const { status } = await platform.must('GET', `${instances()}/${name}`)
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Proven', status: 'False', reason: 'Reissued' }),
    )
  })
})

const other = { virtualClusters: [{ project: 'default', virtualCluster: 'other' }] }
