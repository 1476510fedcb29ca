import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { derivedNames } from '../../../src/platform/virtual-clusters/derived-name.ts'
import { type Claim, dial, proveToBe, refusedFor, registerAs } from '../../link/claims.ts'
import { stopsWithTest } from '../../link/stops-with-test.ts'
import { embedded, inside, instances, keptInMemory, link, startLinkPlatform, tenantKey } from '../../link/support.ts'
import { grant, management, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { startStore, stores, type TestStore } from '../support/stores.ts'

const merge = 'application/merge-patch+json'

describe.each(stores)('no name leads to another virtual cluster, on %s', (kind) => {
  let store: TestStore
  let platform: TestPlatform
  let virtual: TestServer
  let shared = ''
  let proof = ''

  beforeAll(async () => {
    ;[store, virtual] = await Promise.all([startStore(kind), startTestServer()])
    platform = await startLinkPlatform(store.options)
    for (const name of ['a', 'p-a', 'b']) await platform.must('POST', `${management}/projects`, { metadata: { name } })
    shared = await tenantKey(platform, 'shared')
    proof = await proveToBe(platform, { token: shared, project: 'a' })
  })

  afterAll(async () => {
    await platform?.stop()
    await Promise.all([store?.remove(), virtual?.stop()])
  })

  const register = (more: Partial<Claim>) => registerAs(platform, { token: shared, ...more })
  const dials = (more: Partial<Claim>) => dial(platform, { token: shared, ...more })

  test.each([
    ['capital letters', 'Dev'],
    ['a space', 'dev%20'],
    ['a path', 'dev%2F..%2Fother'],
    ['a NUL', 'dev%00'],
    ['a letter that only looks the same', encodeURIComponent('dеv')],
    ['a wildcard', '*'],
  ])('a name with %s is refused', async (_, name) => {
    const answer = await register({ project: 'a', name, proof, serviceUid: 'uid-of-dev' })
    if (answer.status < 300) expect(answer.body.status.name).toBe('dev')
    expect((await dials({ project: 'a', name, proof })).status).toBeGreaterThanOrEqual(400)
    const { items } = await platform.must('GET', instances('a'))
    expect(items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['dev'])
  })

  test('the proof of one is invalid for another with the same name in another project', async () => {
    await proveToBe(platform, { token: shared, project: 'b' })
    expect(refusedFor(await dials({ project: 'b', proof }))).toBe('ProofWrong')
    expect(refusedFor(await register({ project: 'b', proof }))).toBe('ProofWrong')
  })

  test('a project whose name starts like the namespace of another is a separate project', async () => {
    await register({ project: 'p-a', serviceUid: 'uid-of-dev' })
    expect(refusedFor(await dials({ project: 'p-a', proof }))).toBe('ProofWrong')
    expect((await dials({ project: 'a', proof })).status).toBe(101)
  })

  test('a key for one project cannot register or link in another', async () => {
    const scope = { roles: [{ role: 'tenant', projects: ['b'] }] }
    const token = await tenantKey(platform, 'only-b', scope)
    expect(refusedFor(await dials({ token, project: 'a', proof }))).toBe('RoleMissing')
    expect(refusedFor(await register({ token, project: 'a', proof }))).toBe('RoleMissing')
  })

  test('a virtual cluster outside all projects cannot be linked', async () => {
    await platform.must('POST', '/api/v1/namespaces', { metadata: { name: 'stray' } })
    const path = `${management}/namespaces/stray/virtualclusterinstances`
    await platform.must('POST', path, { metadata: { name: 'dev' } })
    const answer = await platform.ask('GET', `${path}/dev/link`, {
      token: shared,
      headers: { 'tenant-proof': proof },
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(
      (await platform.ask('POST', `${path}/dev/register`, { token: shared, body: {} })).status,
    ).toBeGreaterThanOrEqual(400)
  })

  test('two names that truncate to the same derived name stay separate', async () => {
    const [long, longer] = [`${'a'.repeat(60)}-x`, `${'a'.repeat(60)}-y`]
    for (const name of [long, longer]) await proveToBe(platform, { token: shared, name, serviceUid: `owner-${name}` })
    const first = await register({ name: long, serviceUid: 'same-uid' })
    expect(first.body.status.name).toBe(derivedNames(long, 'same-uid')[0])
    const { name, proof: issued } = first.body.status
    expect((await register({ name: long, serviceUid: 'same-uid', proof: issued })).body.status.name).toBe(name)
    const second = await register({ name: longer, serviceUid: 'same-uid' })
    expect(refusedFor(second)).toBe('ProofMissing')
  })

  test('registering the derived name of another in advance gains nothing', async () => {
    await proveToBe(platform, { token: shared, name: 'twin', serviceUid: 'uid-1' })
    const [expected = ''] = derivedNames('twin', 'uid-2')
    const taken = await proveToBe(platform, { token: shared, name: expected, serviceUid: 'uid-of-thief' })
    const late = await register({ name: 'twin', serviceUid: 'uid-2' })
    expect(late.body.status.name).not.toBe(expected)
    expect(refusedFor(await dials({ name: late.body.status.name, proof: taken }))).toBe('ProofWrong')
  })

  test('a key limited to a taken name gets no other name', async () => {
    await proveToBe(platform, { token: shared, name: 'mine', serviceUid: 'owner' })
    const scope = { roles: [{ role: 'tenant', projects: ['default'], virtualClusters: ['mine'] }] }
    const token = await tenantKey(platform, 'narrow', scope)
    expect((await register({ token, name: 'mine', serviceUid: 'thief' })).status).toBe(403)
  })

  test('the proof of a deleted virtual cluster is invalid for its successor', async () => {
    const before = await proveToBe(platform, { token: shared, name: 'gone' })
    await platform.must('DELETE', `${instances()}/gone`)
    await proveToBe(platform, { token: shared, name: 'gone' })
    expect(refusedFor(await dials({ name: 'gone', proof: before }))).toBe('ProofWrong')
    expect(refusedFor(await register({ name: 'gone', proof: before }))).toBe('ProofWrong')
  })

  test('a running tenant registers again after its deletion, with a new proof', async () => {
    const { url, authority } = platform.server
    const proofs = keptInMemory()
    const linked = stopsWithTest(
      link({ name: 'again', accessKey: shared, url, authority, virtualApi: embedded(virtual), proofs }),
    )
    await linked.linked()
    const first = proofs.kept?.proof
    await platform.must('DELETE', `${instances()}/again`)
    await linked.waiting('Removed')
    await linked.linked()
    expect(proofs.kept?.proof).not.toBe(first)
    expect(refusedFor(await dials({ name: 'again', proof: first ?? '' }))).toBe('ProofWrong')
  })

  test('a clusterRef in an object of another user does not lead to it', async () => {
    await platform.must('POST', `${management}/users`, userNamed('mallory'))
    await grant(platform, 'mallory', [{ apiGroups: ['*'], resources: ['virtualclusterinstances'], verbs: ['*'] }])
    const token = await platform.keyOf('mallory')
    const { url, authority } = platform.server
    const options = { url, authority, accessKey: shared, virtualApi: embedded(virtual) }
    const real = stopsWithTest(link({ ...options, name: 'real' }))
    await real.linked()
    const spec = { clusterRef: { namespace: 'team-a', virtualCluster: 'real' } }
    await platform.ask('POST', instances(), { token, body: { metadata: { name: 'false' }, spec } })
    await real.stop()
    const back = stopsWithTest(link({ ...options, name: 'real' }))
    expect(await back.linked()).toMatchObject({ name: 'real' })
    expect((await platform.ask('GET', `${inside('false')}/version`)).status).toBe(503)
  })

  test('a member who changes its spec does not change its identity', async () => {
    const body = { spec: { clusterRef: { namespace: 'team-b', virtualCluster: 'other' }, external: true } }
    await platform.ask('PATCH', `${instances('a')}/dev`, { body, type: merge })
    expect((await dials({ project: 'a', proof })).status).toBe(101)
    expect(refusedFor(await register({ project: 'a', namespace: 'team-b', serviceUid: '' }))).toBe('ProofMissing')
  })

  test('labels and annotations are no proof', async () => {
    const body = { metadata: { annotations: { 'tenant.internal/proof': 'x' }, labels: { proof: 'x' } } }
    await platform.ask('PATCH', `${instances('a')}/dev`, { body, type: merge })
    expect(refusedFor(await dials({ project: 'a', proof: 'x' }))).toBe('ProofWrong')
  })

  test.each(['serviceUid', 'namespace'])('a %s of a megabyte is refused', async (field) => {
    const answer = await register({ name: 'large', [field]: 'x'.repeat(1_000_000) })
    expect(answer.status).toBe(400)
    expect((await platform.ask('GET', `${instances()}/large`)).status).toBe(404)
  })
})
