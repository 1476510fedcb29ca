import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { overHttp1, signIn } from './browser-client.ts'
import { grant, group, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

const most = 3
const merge = 'application/merge-patch+json'
const path = `${management}/connectionkeys`
const demo = { project: 'shop', virtualCluster: 'demo' }
const scopeOfDemo = { virtualClusters: [demo] }
let platform: TestPlatform
let users = 0

beforeAll(async () => {
  platform = await startPlatform({
    platform: { domain: 'platform.internal', settings: { connectionKeysPerOwner: most } },
  })
})
afterAll(() => platform.stop())

/** A new user with a key, which may watch ConfigMaps. */
async function newUser(spec: object = {}) {
  users += 1
  const user = `user-${users}`
  await platform.must('POST', `${management}/users`, userNamed(user))
  await grant(platform, user, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }])
  const made = await platform.must('POST', keysPath, { metadata: { name: `${user}-key` }, spec: { user, ...spec } })
  return { user, token: made.spec.key as string, path: `${keysPath}/${user}-key` }
}

const ask = (token: string, spec: object = demo, headers = {}) =>
  platform.ask('POST', path, { token, headers, body: { apiVersion: `${group}/v1`, kind: 'ConnectionKey', spec } })

async function connectionKey(token: string, spec: object = demo): Promise<{ key: string; keyName: string }> {
  const { status, body, text } = await ask(token, spec)
  expect(status, text).toBe(201)
  return body.status
}

const self = (token: string) =>
  platform.ask('POST', `${management}/selves`, { token, body: { apiVersion: `${group}/v1`, kind: 'Self' } })
const patch = (at: string, body: object) => platform.ask('PATCH', at, { body, type: merge })

describe('a connection key', () => {
  it('acts for the owner of the key in use, in one virtual cluster', async () => {
    const { user, token } = await newUser()
    const { body } = await ask(token)
    expect(body.status).toEqual({
      key: expect.stringMatching(/^tpk_/),
      keyName: expect.stringMatching(/^connection-/),
      expiresAt: expect.any(String),
      leftSeconds: 900,
    })
    const { status } = (await self(body.status.key)).body
    expect(status).toMatchObject({ user, accessKey: { scope: scopeOfDemo, startedWith: `${user}-key` } })
    expect((await platform.ask('GET', '/api/v1/configmaps', { token: body.status.key })).status).toBe(403)
    const stored = await platform.must('GET', `${keysPath}/${body.status.keyName}`)
    expect(stored.spec).toEqual({
      displayName: 'Connection to shop/demo',
      user,
      scope: scopeOfDemo,
      ttl: 900,
      type: 'Login',
      parent: `${user}-key`,
    })
    expect(stored.status.session.startedWith).toBe(`${user}-key`)
  })

  it('expires, and is deleted some time later', async () => {
    const { token } = await newUser()
    const { key, keyName } = await connectionKey(token, { ...demo, ttlSeconds: 30 })
    platform.clock.advance(29_000)
    expect((await self(key)).status).toBe(201)
    platform.clock.advance(1_000)
    expect((await self(key)).status).toBe(401)
    platform.clock.advance(61_000)
    await eventually(async () => expect((await platform.ask('GET', `${keysPath}/${keyName}`)).status).toBe(404))
    expect((await self(token)).status).toBe(201)
  })

  it('never outlives the key in use', async () => {
    const { token } = await newUser({ ttl: 60 })
    const { body } = await ask(token)
    expect(body.status.leftSeconds).toBe(60)
    platform.clock.advance(60_000)
    expect((await self(body.status.key)).status).toBe(401)
  })

  it.each<readonly [string, (key: Awaited<ReturnType<typeof newUser>>) => Promise<unknown>]>([
    ['is disabled', ({ path }) => patch(path, { spec: { disabled: true } })],
    ['is deleted', ({ path }) => platform.ask('DELETE', path)],
    ['gets another value', ({ path }) => platform.must('POST', `${path}/rotate`, {})],
    ['gets a scope', ({ path }) => patch(path, { spec: { scope: scopeOfDemo } })],
    ['gets other groups', ({ path }) => patch(path, { spec: { groups: ['more'] } })],
    ['has an owner who is locked', ({ user }) => patch(`${management}/users/${user}`, { spec: { disabled: true } })],
  ])('ends when its parent key %s', async (_how, end) => {
    const made = await newUser()
    const { key } = await connectionKey(made.token)
    expect((await self(key)).status).toBe(201)
    await end(made)
    expect((await self(key)).status).toBe(401)
  })

  it('does not return with a key that is enabled again', async () => {
    const made = await newUser()
    const { key } = await connectionKey(made.token)
    await patch(made.path, { spec: { disabled: true } })
    await patch(made.path, { spec: { disabled: false } })
    expect((await self(made.token)).status).toBe(201)
    expect((await self(key)).status).toBe(401)
  })

  it('has the scope of the key in use if that is limited in the virtual cluster, and cannot create keys with it', async () => {
    const scope = { rules: [{ resources: [{ group, resources: ['ownedaccesskeys', 'ownedaccesskeys/rotate'] }] }] }
    const made = await newUser({ scope })
    const { key } = await connectionKey(made.token)
    expect((await self(key)).body.status.accessKey.scope).toEqual(scope)
    const another = { metadata: { name: `${made.user}-other` }, spec: { user: made.user, scope, ttl: 10 } }
    expect(await platform.ask('POST', keysPath, { token: key, body: another })).toMatchObject({
      status: 403,
      text: expect.stringContaining('a connection key cannot make or change access keys'),
    })
    expect((await platform.ask('POST', `${made.path}/rotate`, { token: key, body: {} })).status).toBe(403)
  })

  it('cannot be changed, and has no value to rotate', async () => {
    const { token } = await newUser()
    const { keyName } = await connectionKey(token)
    const at = `${keysPath}/${keyName}`
    expect((await patch(at, { spec: { ttl: 100_000 } })).status).toBe(422)
    expect((await patch(at, { spec: { scope: null } })).status).toBe(422)
    expect((await platform.ask('POST', `${at}/rotate`, { body: {} })).status).toBe(422)
  })

  it('makes room for the next one when the least recently used one is deleted', async () => {
    const { token } = await newUser()
    const made: { key: string }[] = []
    for (let count = 0; count < most; count += 1) {
      made.push(await connectionKey(token))
      platform.clock.advance(1_000)
    }
    const [first, second] = made.map(({ key }) => key)
    expect((await self(first ?? '')).status).toBe(201)
    await connectionKey(token)
    expect((await self(first ?? '')).status).toBe(201)
    expect((await self(second ?? '')).status).toBe(401)
  })

  it('keeps its open connections until its parent key ends', async () => {
    const scope = { rules: [{ resources: [{ group: '', resources: ['configmaps'] }] }] }
    const made = await newUser({ scope })
    const { key } = await connectionKey(made.token, { ...demo, ttlSeconds: 30 })
    const watch = await platform.watch('/api/v1/configmaps?watch=true', key)
    platform.clock.advance(120_000)
    await eventually(async () => {
      const { items } = await platform.must('GET', `${keysPath}?fieldSelector=spec.user=${made.user}`)
      expect(items).toHaveLength(1)
    })
    const name = `seen-by-${made.user}`
    await platform.must('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name } })
    await eventually(() => expect(watch.text()).toContain(name))
    await platform.ask('DELETE', made.path)
    await watch.ended
  })

  it('is cut with its open connections when it is deleted itself', async () => {
    const scope = { rules: [{ resources: [{ group: '', resources: ['configmaps'] }] }] }
    const { token } = await newUser({ scope })
    const { key, keyName } = await connectionKey(token)
    const watch = await platform.watch('/api/v1/configmaps?watch=true', key)
    await platform.ask('DELETE', `${keysPath}/${keyName}`)
    await watch.ended
    expect((await self(key)).status).toBe(401)
  })
})

describe('no connection key is created', () => {
  it('by a connection key, a session, a token of the server, or in the name of another user', async () => {
    const { token } = await newUser()
    const { key } = await connectionKey(token)
    expect((await ask(key)).status).toBe(403)
    expect((await ask('admin-token')).status).toBe(403)
    const send = overHttp1(() => platform.server)
    const { headers } = await signIn(send, token)
    const body = { apiVersion: `${group}/v1`, kind: 'ConnectionKey', spec: demo }
    const own = { ...headers, origin: platform.server.url }
    expect((await send('POST', path, own, body)).status).toBe(403)
    const admin = await platform.keyOf('admin')
    expect((await ask(admin, demo, { 'impersonate-user': 'another' })).status).toBe(403)
    expect((await ask('')).status).toBe(403)
  })

  it.each([
    [{}],
    [{ project: 'shop' }],
    [{ project: 'shop', virtualCluster: '*' }],
    [{ project: '*', virtualCluster: 'demo' }],
    [{ project: '../x', virtualCluster: 'demo' }],
    [{ ...demo, ttlSeconds: 9 }],
    [{ ...demo, ttlSeconds: 3601 }],
    [{ ...demo, ttlSeconds: -1 }],
  ])('for %j', async (spec) => {
    const { token } = await newUser()
    expect((await ask(token, spec)).status).toBe(422)
  })

  it('by a dry run', async () => {
    const { token, user } = await newUser()
    const body = { apiVersion: `${group}/v1`, kind: 'ConnectionKey', spec: demo }
    expect((await platform.ask('POST', `${path}?dryRun=All`, { token, body })).body.status).toEqual({})
    const { items } = await platform.must('GET', `${keysPath}?fieldSelector=spec.user=${user}`)
    expect(items).toHaveLength(1)
  })
})
