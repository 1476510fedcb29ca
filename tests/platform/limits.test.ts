import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removalMs } from '../../src/platform/access-keys/life/retention.ts'
import { eventually } from '../support/eventually.ts'
import { keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

let platform: TestPlatform
const daySeconds = 86_400

beforeAll(async () => {
  platform = await startPlatform({ platform: { domain: 'platform.internal', settings: { maxLifetimeSeconds: 1000 } } })
  for (const name of ['ann', 'bob', 'eve']) await platform.must('POST', `${management}/users`, userNamed(name))
  await platform.must('POST', `${management}/teams`, { metadata: { name: 'crew' }, spec: { users: ['bob'] } })
})

afterAll(() => platform.stop())

describe('the longest life on a platform', () => {
  it('caps keys that ask for more, says so, and keeps the requested value', async () => {
    const body = { metadata: { name: 'capped' }, spec: { user: 'ann', ttl: daySeconds } }
    const made = await platform.ask('POST', keysPath, { body })
    expect(made.warnings.join()).toContain('1000 seconds')
    expect(made.body.spec.ttl).toBe(daySeconds)
    expect(Date.parse(made.body.status.expiresAt) - Date.parse(made.body.metadata.creationTimestamp)).toBe(1_000_000)
    platform.clock.advance(1_001_000)
    const refused = await platform.ask('GET', keysPath, { token: made.body.spec.key })
    expect(refused.body.details.causes[0].reason).toBe('KeyExpired')
  })

  it('is reported to callers that ask who they are', async () => {
    const { status } = await platform.must('POST', `${management}/selves`, {})
    expect(status.limits).toEqual({ maxKeyLifetimeSeconds: 1000 })
  })

  it('applies to the value before a rotation, whatever its overlap', async () => {
    const old = (await platform.must('POST', keysPath, { metadata: { name: 'long' }, spec: { user: 'ann' } })).spec.key
    platform.clock.advance(900_000)
    const { spec, status } = await platform.must('POST', `${keysPath}/long/rotate`, { overlapSeconds: 800 })
    const use = async (token: string) => (await platform.ask('GET', keysPath, { token })).status
    expect([await use(old), await use(spec.key)]).toEqual([200, 200])
    expect(Date.parse(status.rotation.previousValidUntil) - Date.parse(status.rotation.startedAt)).toBe(100_000)
    platform.clock.advance(101_000)
    expect([await use(old), await use(spec.key)]).toEqual([401, 200])
  })

  it('keeps the record of an expired key for a while', async () => {
    await eventually(async () => {
      const context = platform.server.engine.registry.engine.find('management.platform.internal', 'OwnedAccessKey')
      const document = context?.cache.get({ namespace: '', name: 'capped' })
      if (document === undefined) throw new Error('the key is gone')
      const endMs = Date.parse((await platform.must('GET', `${keysPath}/capped`)).status.expiresAt)
      expect(removalMs(document, 30 * daySeconds)).toBe(endMs + 30 * daySeconds * 1000)
    })
  })
})

describe('members of a project', () => {
  it('have the rights of their role in it, and none elsewhere', async () => {
    for (const project of ['mine', 'other']) {
      const members = [
        { kind: 'User', name: 'ann', role: 'viewer' },
        { kind: 'Team', name: 'crew', role: 'user' },
      ]
      const spec = project === 'mine' ? { members } : {}
      await platform.must('POST', `${management}/projects`, { metadata: { name: project }, spec })
      await eventually(() => platform.must('GET', `/api/v1/namespaces/p-${project}`))
    }
    const [ann, bob, eve] = await Promise.all(['ann', 'bob', 'eve'].map((user) => platform.keyOf(user)))
    const pathIn = (project: string) => `${management}/namespaces/p-${project}/virtualclusterinstances`
    const create = async (token: string | undefined, name: string) =>
      (await platform.ask('POST', pathIn('mine'), { token: token ?? '', body: { metadata: { name } } })).status
    const seen = async (token: string | undefined, project: string) => {
      const { body } = await platform.ask('GET', pathIn(project), { token: token ?? '' })
      return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)
    }
    expect(await create(ann, 'of-ann')).toBe(403)
    expect(await create(bob, 'of-bob')).toBe(201)
    await platform.must('POST', pathIn('other'), { metadata: { name: 'hidden' } })
    expect([await seen(ann, 'mine'), await seen(bob, 'mine'), await seen(eve, 'mine')]).toEqual([
      ['of-bob'],
      ['of-bob'],
      [],
    ])
    for (const token of [ann, bob, eve]) expect(await seen(token, 'other')).toEqual([])
    expect((await platform.ask('GET', `${management}/projects/mine`, { token: ann ?? '' })).status).toBe(200)
    expect((await platform.ask('GET', `${management}/projects/other`, { token: ann ?? '' })).status).toBe(403)
  })
})

describe('the right to manage own keys', () => {
  it('ends when an administrator removes it', async () => {
    const token = await platform.keyOf('eve')
    expect((await platform.ask('GET', keysPath, { token })).status).toBe(200)
    await platform.must('DELETE', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/platform:own-keys')
    expect((await platform.ask('GET', keysPath, { token })).status).toBe(403)
  })
})
