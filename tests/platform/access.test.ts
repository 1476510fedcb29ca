import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { grant, group, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

let platform: TestPlatform
const tokens = new Map<string, string>()
const merge = 'application/merge-patch+json'

beforeAll(async () => {
  platform = await startPlatform()
  for (const name of ['ann', 'bob', 'cat', 'eve']) {
    await platform.must('POST', `${management}/users`, userNamed(name))
    tokens.set(name, await platform.keyOf(name))
  }
  await platform.must('POST', `${management}/teams`, { metadata: { name: 'crew' }, spec: { users: ['bob'] } })
})

afterAll(() => platform.stop())

const ask = async (user: string, method: string, path: string, body?: unknown, type?: string) => {
  const asked = { token: tokens.get(user) ?? '', body, ...(type === undefined ? {} : { type }) }
  return (await platform.ask(method, path, asked)).status
}
const projects = `${management}/projects`
const instances = `${management}/namespaces/p-shop/virtualclusterinstances`

describe('spec.access of a project', () => {
  it('lets those named do with the project what its verbs say, and nothing else', async () => {
    const access = [
      { verbs: ['get'], users: ['ann'] },
      { verbs: ['get', 'update', 'patch'], teams: ['crew'] },
    ]
    await platform.must('POST', projects, { metadata: { name: 'shop' }, spec: { access } })
    await eventually(() => platform.must('GET', '/api/v1/namespaces/p-shop'))
    const path = `${projects}/shop`
    const patch = { spec: { displayName: 'Shop' } }
    expect(await ask('ann', 'GET', path)).toBe(200)
    expect(await ask('ann', 'PATCH', path, patch, merge)).toBe(403)
    expect(await ask('bob', 'PATCH', path, patch, merge)).toBe(200)
    expect(await ask('bob', 'DELETE', path)).toBe(403)
    expect(await ask('eve', 'GET', path)).toBe(403)
    for (const user of ['ann', 'bob']) expect(await ask(user, 'GET', `${instances}/any`)).toBe(403)
    expect(await ask('ann', 'DELETE', projects)).toBe(403)
  })

  it('passes on no right that its writer lacks', async () => {
    const path = `${projects}/shop`
    const withAccess = (access: readonly object[]) => ({ spec: { access } })
    const own = { verbs: ['get', 'update', 'patch'], teams: ['crew'] }
    expect(await ask('bob', 'PATCH', path, withAccess([own, { verbs: ['get'], users: ['eve'] }]), merge)).toBe(200)
    expect(await ask('eve', 'GET', path)).toBe(200)
    expect(await ask('bob', 'PATCH', path, withAccess([own, { verbs: ['delete'], users: ['bob'] }]), merge)).toBe(403)
    expect(await ask('bob', 'PATCH', path, withAccess([own, { verbs: ['*'], users: ['*'] }]), merge)).toBe(403)
    expect(await ask('bob', 'PATCH', path, withAccess([own]), merge)).toBe(200)
    expect(await ask('eve', 'GET', path)).toBe(403)
  })

  it('is cut down by the scope of the key like every other right', async () => {
    const scope = { clusters: [{ cluster: 'c' }] }
    const limited = await platform.keyOf('bob', { scope })
    expect((await platform.ask('GET', `${projects}/shop`, { token: limited })).status).toBe(403)
  })

  it("counts in a review of a user's rights", async () => {
    const spec = { resourceAttributes: { verb: 'patch', group, resource: 'projects', name: 'shop' } }
    const review = (user: string) =>
      platform.ask('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        token: tokens.get(user) ?? '',
        body: { spec },
      })
    expect((await review('bob')).body.status.allowed).toBe(true)
    expect((await review('ann')).body.status.allowed).toBe(false)
  })
})

describe('spec.access of a virtual cluster', () => {
  it('grants access to that one alone, to all users if it says so', async () => {
    for (const name of ['open', 'closed']) {
      const access = name === 'open' ? [{ verbs: ['get', 'use'], users: ['*'] }] : []
      await platform.must('POST', instances, { metadata: { name }, spec: { access } })
    }
    expect(await ask('cat', 'GET', `${instances}/open`)).toBe(200)
    expect(await ask('cat', 'GET', `${instances}/open/status`)).toBe(403)
    expect(await ask('cat', 'GET', `${instances}/closed`)).toBe(403)
    const anonymous = await platform.ask('GET', `${instances}/open`, { token: '' })
    expect(anonymous.status).toBe(403)
  })

  it('gives no role inside that a member of the project could not give', async () => {
    const members = [
      { kind: 'User', name: 'cat', role: 'user' },
      { kind: 'User', name: 'ann', role: 'admin' },
    ]
    await platform.ask('PATCH', `${projects}/shop`, { body: { spec: { members } }, type: merge })
    const inside = (user: string) => ({ spec: { access: [{ users: [user], clusterRole: 'cluster-admin' }] } })
    expect(await ask('cat', 'PATCH', `${instances}/closed`, inside('cat'), merge)).toBe(403)
    expect(await ask('cat', 'PATCH', `${instances}/closed`, { spec: { displayName: 'x' } }, merge)).toBe(200)
    expect(await ask('ann', 'PATCH', `${instances}/closed`, inside('cat'), merge)).toBe(200)
  })
})

describe('the keys of one owner', () => {
  it.each(['users', 'teams'])('are found by discovery and OpenAPI as %s/accesskeys', async (plural) => {
    const { resources } = await platform.must('GET', management)
    const names = resources.map(({ name }: { name: string }) => name)
    expect(names).toContain(`${plural}/accesskeys`)
    const found = resources.find(({ name }: { name: string }) => name === `${plural}/accesskeys`)
    expect(found.verbs).toEqual(['get'])
    const { paths } = await platform.must('GET', `/openapi/v3/apis/${group}/v1`)
    expect(Object.keys(paths[`${management}/${plural}/{name}/accesskeys`])).toContain('get')
  })

  it('are shown only to administrators and to users who may read keys of others', async () => {
    await platform.must('POST', keysPath, { metadata: { name: 'of-crew' }, spec: { team: 'crew' } })
    const names = async (path: string, token = 'admin-token') => {
      const { status, body } = await platform.ask('GET', `${management}/${path}/accesskeys`, { token })
      if (status !== 200) return status
      return body.accessKeys.map(({ metadata }: { metadata: { name: string } }) => metadata.name)
    }
    expect(await names('teams/crew')).toEqual(['of-crew'])
    expect(await names('users/eve')).toHaveLength(1)
    expect(await names('users/nobody')).toBe(404)
    expect(await names('users/eve', tokens.get('ann'))).toBe(403)
    await grant(platform, 'cat', [{ apiGroups: [group], resources: ['users/accesskeys'], verbs: ['get'] }])
    expect(await names('users/eve', tokens.get('cat'))).toHaveLength(1)
    expect(await names('teams/crew', tokens.get('cat'))).toBe(403)
    const named = { apiGroups: [group], resources: ['users/accesskeys'], verbs: ['get'], resourceNames: ['eve'] }
    await grant(platform, 'bob', [named])
    expect(await names('users/eve', tokens.get('bob'))).toHaveLength(1)
    expect(await names('users/cat', tokens.get('bob'))).toBe(403)
    const { status } = await platform.ask('POST', `${management}/users/eve/accesskeys`, { body: {} })
    expect(status).toBe(405)
  })
})
