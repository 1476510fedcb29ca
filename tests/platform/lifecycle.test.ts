import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { broughtValue } from '../support/canary/brought-value.ts'
import { grant, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

let platform: TestPlatform
const brought = broughtValue('own')

beforeAll(async () => {
  platform = await startPlatform()
  for (const name of ['ann', 'bob']) await platform.must('POST', `${management}/users`, userNamed(name))
  await platform.must('POST', `${management}/teams`, { metadata: { name: 'builders' }, spec: { users: ['ann'] } })
})

afterAll(() => platform.stop())

const create = (name: string, spec: object = {}, token?: string, query = '') =>
  platform.ask('POST', `${keysPath}${query}`, {
    body: { metadata: { name }, spec },
    ...(token === undefined ? {} : { token }),
  })
const get = (name: string, token?: string) =>
  platform.ask('GET', `${keysPath}/${name}`, token === undefined ? {} : { token })
const whoami = (token: string) =>
  platform.ask('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { token, body: {} })

describe('a new key', () => {
  it('is shown once, works at once, and belongs to its user', async () => {
    const { status, body } = await create('shown', { user: 'ann', displayName: 'CI' })
    expect(status).toBe(201)
    expect(body.spec).toMatchObject({ type: 'User', user: 'ann', key: expect.stringMatching(/^tpk_\w{12}_\w{49}$/) })
    expect(body.status).toMatchObject({ phase: 'Active', keyId: body.spec.key.slice(4, 16) })
    expect((await get('shown')).text).not.toContain(body.spec.key)
    expect((await whoami(body.spec.key)).body.status.userInfo).toMatchObject({ username: 'ann' })
  })

  it('belongs to its creator when no owner is named', async () => {
    expect((await create('of-admin')).body.spec).toMatchObject({ user: 'admin' })
    const ann = await platform.keyOf('ann')
    expect((await create('of-ann', {}, ann)).body.spec).toMatchObject({ user: 'ann' })
  })

  it('may have a given value, which no other key can have again', async () => {
    expect((await create('brought', { user: 'ann', key: brought })).body.spec.key).toBe(brought)
    expect((await whoami(brought)).status).toBe(201)
    const again = await create('again', { user: 'ann', key: brought })
    expect(again).toMatchObject({ status: 422, body: { details: { causes: [{ field: 'spec.key' }] } } })
    expect(again.text).not.toContain(brought)
  })

  it('is neither created nor shown by a dry run', async () => {
    const { status, body } = await create('pretended', { user: 'ann' }, undefined, '?dryRun=All')
    expect(status).toBe(201)
    expect(body.spec.key).toBeUndefined()
    expect((await get('pretended')).status).toBe(404)
  })

  it.each([
    ['a value that is too short', { key: 'short' }, 'spec.key'],
    ['two owners', { user: 'ann', team: 'builders' }, 'spec.team'],
    ['an unknown user', { user: 'nobody' }, 'spec.user'],
    ['an unknown team', { team: 'nobody' }, 'spec.team'],
    ['a type of the platform', { type: 'Login' }, 'spec.type'],
    ['a type that does not exist', { type: 'Wrong' }, 'spec.type'],
    ['an identity', { identity: { userId: 'x' } }, 'spec.identity'],
    ['a provider', { oidcProvider: { clientId: 'x' } }, 'spec.oidcProvider'],
    ['a login', { oidcLogin: { idToken: 'x' } }, 'spec.oidcLogin'],
    ['a parent', { parent: 'x' }, 'spec.parent'],
    ['a negative time to live', { ttl: -1 }, 'spec.ttl'],
    ['a time to live beyond 100 years', { ttl: 3_153_600_001 }, 'spec.ttl'],
    ['a time to live beyond all dates', { ttl: 9_000_000_000_000 }, 'spec.ttl'],
    ['a time to live beyond all numbers that are exact', { ttl: Number.MAX_SAFE_INTEGER }, 'spec.ttl'],
    ['a group without a name', { groups: ['dev', ''] }, 'spec.groups[1]'],
  ])('is refused with %s', async (_, spec, field) => {
    const { status, body } = await create('refused', spec)
    expect(status).toBe(422)
    expect(body.details.causes.map((cause: { field: string }) => cause.field)).toContain(field)
  })

  it.each([
    ['another user', { user: 'bob' }],
    ['a team', { team: 'builders' }],
    ['a subject', { subject: 'somebody' }],
    ['groups', { groups: ['system:masters'] }],
    ['a user who may not exist', { user: 'nobody' }],
  ])('for %s requires the right to impersonate them', async (_, spec) => {
    expect((await create('forbidden', spec, await platform.keyOf('ann'))).status).toBe(403)
  })

  it('for others can be created by users who may impersonate them, except for administrators', async () => {
    await platform.must('POST', `${management}/users`, userNamed('helper'))
    await grant(platform, 'helper', [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'] }])
    const helper = await platform.keyOf('helper')
    expect((await create('for-bob', { user: 'bob' }, helper)).status).toBe(201)
    expect((await create('for-admin', { user: 'admin' }, helper)).status).toBe(403)
  })
})

describe('a change of a key', () => {
  it('keeps the value, and all defaults, if they are not sent', async () => {
    const { body } = await create('kept', { user: 'ann' })
    const read = (await get('kept')).body
    const put = await platform.ask('PUT', `${keysPath}/kept`, { body: { ...read, spec: { displayName: 'new' } } })
    expect(put.status).toBe(200)
    expect(put.body.spec).toEqual({ displayName: 'new', user: 'ann', type: 'User' })
    expect((await whoami(body.spec.key)).status).toBe(201)
  })

  it('to another value rotates the key, and shows it', async () => {
    const { body } = await create('rotated', { user: 'ann' })
    const next = `${brought}-next`
    const patch = { body: { spec: { key: next } }, type: 'application/merge-patch+json' }
    const patched = await platform.ask('PATCH', `${keysPath}/rotated`, patch)
    expect(patched.body.spec.key).toBe(next)
    expect(patched.body.status.keyId).not.toBe(body.status.keyId)
    expect((await whoami(body.spec.key)).status).toBe(401)
    expect((await whoami(next)).status).toBe(201)
  })

  it('to the same value changes nothing', async () => {
    const value = `${brought}-same`
    const { body } = await create('same', { user: 'ann', key: value })
    const patch = { body: { spec: { key: value } }, type: 'application/merge-patch+json' }
    const patched = await platform.ask('PATCH', `${keysPath}/same?fieldManager=somebody`, patch)
    expect(patched.body.metadata).toEqual(body.metadata)
    expect(patched.body.spec.key).toBeUndefined()
  })

  it('by apply neither loses nor changes it', async () => {
    const value = `${brought}-applied`
    const config = {
      apiVersion: 'management.platform.internal/v1',
      kind: 'OwnedAccessKey',
      metadata: { name: 'applied' },
      spec: { user: 'ann', key: value, displayName: 'applied' },
    }
    const apply = () =>
      platform.ask('PATCH', `${keysPath}/applied?fieldManager=gitops`, {
        body: config,
        type: 'application/apply-patch+yaml',
      })
    const first = await apply()
    expect(first).toMatchObject({ status: 201, body: { spec: { key: value } } })
    const second = await apply()
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion)
    expect(second.body.spec.key).toBeUndefined()
    expect((await whoami(value)).status).toBe(201)
  })

  it("never leaves the value in kubectl's annotation", async () => {
    const value = `${brought}-annotated`
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
    const config = JSON.stringify({ spec: { key: value, user: 'ann' } })
    await platform.ask('POST', keysPath, {
      body: {
        metadata: { name: 'annotated', annotations: { [annotation]: config, other: `has ${value}` } },
        spec: { user: 'ann', key: value },
      },
    })
    const { body, text } = await get('annotated')
    expect(text).not.toContain(value)
    expect(JSON.parse(body.metadata.annotations[annotation])).toEqual({ spec: { user: 'ann' } })
    expect(body.metadata.annotations.other).toBe('has [hidden]')
  })

  it('of the status is ignored, even from an administrator', async () => {
    const { body } = await create('stated', { user: 'ann' })
    const patch = { body: { status: { phase: 'Wrong', keyId: 'wrong' } }, type: 'application/merge-patch+json' }
    const patched = await platform.ask('PATCH', `${keysPath}/stated/status`, patch)
    expect(patched.body.status).toEqual(body.status)
  })
})

describe('keys of others', () => {
  it('are hidden from a user without rights on them', async () => {
    const ann = await platform.keyOf('ann')
    await create('bobs', { user: 'bob' })
    await create('teams', { team: 'builders' })
    expect((await get('bobs', ann)).status).toBe(404)
    expect((await get('teams', ann)).status).toBe(200)
    const { body } = await platform.ask('GET', keysPath, { token: ann })
    const owners = body.items.map(({ spec }: { spec: { user?: string; team?: string } }) => spec.user ?? spec.team)
    expect(new Set(owners)).toEqual(new Set(['ann', 'builders']))
    expect((await platform.ask('DELETE', `${keysPath}/bobs`, { token: ann })).status).toBe(404)
  })

  it('may be read but not changed by a user who may read access keys of users', async () => {
    await platform.must('POST', `${management}/users`, userNamed('reader'))
    await grant(platform, 'reader', [
      { apiGroups: ['management.platform.internal'], resources: ['users/accesskeys'], verbs: ['get'] },
    ])
    const reader = await platform.keyOf('reader')
    await create('read', { user: 'bob' })
    expect((await get('read', reader)).status).toBe(200)
    const patch = { body: { spec: { disabled: true } }, type: 'application/merge-patch+json', token: reader }
    expect((await platform.ask('PATCH', `${keysPath}/read`, patch)).status).toBe(403)
    expect((await platform.ask('DELETE', `${keysPath}/read`, { token: reader })).status).toBe(403)
  })
})

describe('own keys', () => {
  it('are managed by every user, unless an administrator removes that right', async () => {
    const bob = await platform.keyOf('bob')
    const made = await create('own', {}, bob)
    expect(made.status).toBe(201)
    expect((await platform.ask('DELETE', `${keysPath}/own`, { token: bob })).status).toBe(200)
    expect((await whoami(made.body.spec.key)).status).toBe(401)
  })
})
