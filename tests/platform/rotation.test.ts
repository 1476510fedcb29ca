import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

let platform: TestPlatform

beforeAll(async () => {
  platform = await startPlatform()
  for (const name of ['ann', 'bob']) await platform.must('POST', `${management}/users`, userNamed(name))
})

afterAll(() => platform.stop())

const make = async (name: string, spec: object = {}): Promise<string> =>
  (await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'ann', ...spec } })).spec.key
const rotate = (name: string, body: object, token?: string, query = '') =>
  platform.ask('POST', `${keysPath}/${name}/rotate${query}`, { body, ...(token === undefined ? {} : { token }) })
const use = async (token: string) => (await platform.ask('GET', keysPath, { token })).status

describe('a rotation', () => {
  it('gives a new value at once, and keeps the old one for the overlap', async () => {
    const old = await make('rotating')
    const { status, body } = await rotate('rotating', { overlapSeconds: 3600 }, old)
    expect(status).toBe(201)
    expect(body.kind).toBe('OwnedAccessKey')
    expect(body.status.rotation).toMatchObject({ previousKeyId: old.slice(4, 16) })
    expect([await use(old), await use(body.spec.key)]).toEqual([200, 200])
    await eventually(async () => {
      const shown = await platform.must('GET', `${keysPath}/rotating`)
      expect(shown.status.rotation.previousUsers).toMatchObject([{ from: '127.0.0.1' }])
    })
    platform.clock.advance(3_601_000)
    expect([await use(old), await use(body.spec.key)]).toEqual([401, 200])
    await eventually(async () => {
      expect((await platform.must('GET', `${keysPath}/rotating`)).status.rotation).toBeUndefined()
    })
  })

  it('without an overlap ends the old value at once', async () => {
    const old = await make('replaced')
    const { body } = await rotate('replaced', {})
    expect([await use(old), await use(body.spec.key)]).toEqual([401, 200])
  })

  it('reports when the new value is refused as well, and when an older one ends early', async () => {
    await make('warned', { ttl: 100 })
    expect((await rotate('warned', { overlapSeconds: 50 })).warnings).toEqual([])
    expect((await rotate('warned', { overlapSeconds: 50 })).warnings.join()).toContain('before the last rotation')
    platform.clock.advance(101_000)
    expect((await rotate('warned', {})).warnings.join()).toContain('expired')
    await make('off', { disabled: true })
    expect((await rotate('off', {})).warnings.join()).toContain('disabled')
  })

  it('changes nothing in a dry run', async () => {
    const old = await make('pretended')
    const { status, body } = await rotate('pretended', { overlapSeconds: 10 }, undefined, '?dryRun=All')
    expect(status).toBe(201)
    expect(body.spec.key).toBeUndefined()
    expect(await use(old)).toBe(200)
  })

  it('is allowed to the owner, and to callers who may impersonate the owner', async () => {
    await make('guarded')
    expect((await rotate('guarded', {}, await platform.keyOf('bob'))).status).toBe(404)
    expect((await rotate('guarded', { overlapSeconds: -1 })).status).toBe(422)
    expect((await rotate('missing', {})).status).toBe(404)
  })

  it('is part of discovery', async () => {
    const { resources } = await platform.must('GET', management)
    const names = resources.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['ownedaccesskeys/rotate', 'selves']))
  })
})

describe('the life of a key', () => {
  it('is reported in Events', async () => {
    const token = await make('told', { ttl: 1000 })
    await use(token)
    const patch = (body: object) =>
      platform.ask('PATCH', `${keysPath}/told`, { body, type: 'application/merge-patch+json' })
    await eventually(async () => {
      expect((await platform.must('GET', `${keysPath}/told`)).status.lastActivity).toBeDefined()
    })
    await rotate('told', { overlapSeconds: 60 })
    await patch({ spec: { disabled: true } })
    await patch({ spec: { disabled: false } })
    platform.clock.advance(1_001_000)
    const selector = 'involvedObject.kind=OwnedAccessKey,involvedObject.name=told'
    await eventually(async () => {
      const { items } = await platform.must('GET', `/api/v1/namespaces/default/events?fieldSelector=${selector}`)
      const reasons = items.map(({ reason }: { reason: string }) => reason)
      expect(reasons.sort()).toEqual(['Created', 'Disabled', 'Enabled', 'Expired', 'FirstUsed', 'Rotated'])
    })
  })
})

describe('a key with the longest name', () => {
  it('has Events, too', async () => {
    const name = 'n'.repeat(253)
    await make(name)
    await eventually(async () => {
      const { items } = await platform.must('GET', '/api/v1/namespaces/default/events')
      const told = items.find((event: { involvedObject: { name: string } }) => event.involvedObject.name === name)
      expect(told?.reason).toBe('Created')
      expect(told.metadata.name.length).toBeLessThanOrEqual(253)
    })
  })
})

describe('a caller that asks who it is', () => {
  it('learns its user, and the key that it uses', async () => {
    const scope = { projects: [{ project: 'p' }] }
    const token = await make('asking', { scope })
    const { status, body } = await platform.ask('POST', `${management}/selves`, { token, body: {} })
    expect(status).toBe(201)
    expect(body.status).toMatchObject({ user: 'ann', accessKey: { name: 'asking', scope } })
    expect(body.status.userInfo.username).toBe('ann')
    expect(body.status.accessKey.expiresAt).toBeUndefined()
    expect(body.status.limits).toBeUndefined()
  })

  it('learns when its key ends even if it may not read itself', async () => {
    const made = {
      metadata: { name: 'ending' },
      spec: { user: 'ann', ttl: 100, scope: { projects: [{ project: 'p' }] } },
    }
    const { spec, status } = await platform.must('POST', keysPath, made)
    const answer = await platform.ask('POST', `${management}/selves`, { token: spec.key, body: {} })
    expect(answer.body.status.accessKey.expiresAt).toBe(status.expiresAt)
    expect((await platform.ask('GET', `${keysPath}/ending`, { token: spec.key })).status).toBe(403)
  })
})

describe('an explanation', () => {
  it('names the layer that refuses a request, and what would allow it', async () => {
    await make('explained', { scope: { projects: [{ project: 'p' }] } })
    const resourceAttributes = { verb: 'get', resource: 'configmaps', namespace: 'default', name: 'c' }
    const ask = (name: string) =>
      platform.ask('POST', `${keysPath}/${name}/explain`, { body: { spec: { resourceAttributes } } })
    expect((await ask('explained')).body.status).toMatchObject({ allowed: false, refusedBy: 'scope' })
    await make('plain')
    expect((await ask('plain')).body.status).toMatchObject({ allowed: false, refusedBy: 'owner' })
    await platform.ask('PATCH', `${keysPath}/plain`, {
      body: { spec: { disabled: true } },
      type: 'application/merge-patch+json',
    })
    expect((await ask('plain')).body.status).toMatchObject({ allowed: false, refusedBy: 'key state' })
  })
})

describe('the keys of one owner', () => {
  it('are listed for administrators', async () => {
    await platform.must('POST', keysPath, { metadata: { name: 'bobs' }, spec: { user: 'bob' } })
    const { kind, accessKeys } = await platform.must('GET', `${management}/users/bob/accesskeys`)
    expect(kind).toBe('UserAccessKeys')
    const owners = accessKeys.map(({ spec }: { spec: { user: string } }) => spec.user)
    expect(new Set(owners)).toEqual(new Set(['bob']))
    expect((await platform.ask('GET', `${management}/users/nobody/accesskeys`)).status).toBe(404)
    const token = await make('asks')
    expect((await platform.ask('GET', `${management}/users/bob/accesskeys`, { token })).status).toBe(403)
  })
})
