import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stopsWithTest } from '../../link/stops-with-test.ts'
import { embedded, keptInMemory, link, type TestLink } from '../../link/support.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import { type HostilePlatform, startHostilePlatform } from './hostile-platform.ts'

describe('over its link, a hostile platform', () => {
  let platform: HostilePlatform
  let virtual: TestServer
  let tenant: TestLink

  beforeAll(async () => {
    ;[platform, virtual] = await Promise.all([startHostilePlatform(), startTestServer()])
    const { url, authority } = platform
    tenant = link({ accessKey: 'x'.repeat(40), url, authority, virtualApi: embedded(virtual) })
    await tenant.linked()
    await eventually(async () => expect(await platform.ask({ ':path': '/version', ...as('ann') })).toBe(200))
  })

  afterAll(async () => {
    await tenant?.stop()
    await Promise.all([platform?.stop(), virtual?.stop()])
  })

  const as = (...names: readonly string[]) => ({ 'impersonate-user': [...names] })

  it.each([
    ['no user', {}],
    ['an empty name', as('')],
    ['a blank name', as(' ')],
    ['an empty name and a group', { ...as(''), 'impersonate-group': 'system:masters' }],
    ['an empty name and a uid', { ...as(''), 'impersonate-uid': 'x' }],
    ['two users', as('ann', 'bob')],
    ['an empty name and a user', as('', 'ann')],
    ['a group alone', { 'impersonate-group': 'system:masters' }],
    ['a token of its own', { authorization: `Bearer ${'x'.repeat(40)}` }],
  ])('is refused a request that names %s', async (_, headers) => {
    for (const path of ['/api/v1/secrets', '/backup', '/version', '/livez']) {
      expect(await platform.ask({ ':path': path, ...headers }), path).toBe(400)
    }
  })

  it('asks as one user, with the rights of that user', async () => {
    expect(await platform.ask({ ':path': '/version', ...as('ann') })).toBe(200)
    expect(await platform.ask({ ':path': '/api/v1/secrets', ...as('ann') })).toBe(403)
  })

  it.each(['../../x', 'x'.repeat(3_000), '%2e%2e', 'a/b'])('binds no role of the name %s', async (role) => {
    const group = { 'impersonate-group': `platform:cluster-role:${role}` }
    expect(await platform.ask({ ':path': '/api/v1/secrets', ...as('ann'), ...group })).toBe(503)
  })
})

describe('a platform that registers a tenant', () => {
  let virtual: TestServer

  beforeAll(async () => {
    virtual = await startTestServer()
  })

  afterAll(() => virtual.stop())

  const linkTo = async (status: object) => {
    const { url, authority } = stopsWithTest(await startHostilePlatform('', status))
    const proofs = keptInMemory()
    const accessKey = 'x'.repeat(40)
    return { proofs, tenant: stopsWithTest(link({ accessKey, url, authority, proofs, virtualApi: embedded(virtual) })) }
  }

  it.each([
    ['of two lines', 'tpi_a\r\nx: y'],
    ['that is no ASCII', 'tpi_\u{1f600}'],
    ['of a megabyte', 'x'.repeat(1_000_000)],
    ['that is empty', ''],
  ])('with a proof %s is left, and the proof is not stored', async (_, proof) => {
    const { tenant, proofs } = await linkTo({ project: 'default', name: 'dev', proof })
    expect((await tenant.waiting('PlatformError')).problem.message).toContain('a proof that cannot be shown')
    expect(proofs.kept).toBeUndefined()
  })

  it.each(['a b', '../x', 'a\r\nb', 'a?b#c'])('under the name %j has it encoded in paths', async (name) => {
    const { tenant } = await linkTo({ project: 'default', name })
    expect(await tenant.linked()).toMatchObject({ name })
  })
})
