import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  halves,
  handleIn,
  overHttp1,
  overHttp2,
  type Send,
  sessionPath,
  signIn,
} from '../../platform/browser-client.ts'
import { group, keysPath, management, startPlatform, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { broughtValue } from '../../support/canary/brought-value.ts'
import { startStore, stores, type TestStore } from '../support/stores.ts'

const merge = 'application/merge-patch+json'
const combinations = stores.flatMap((store) =>
  (['HTTP/1.1', 'HTTP/2'] as const).map((protocol) => ({ store, protocol })),
)

describe.each(combinations)('a session, on the $store store over $protocol', ({ store: kind, protocol }) => {
  let store: TestStore
  let platform: TestPlatform
  let send: Send
  let ann = ''

  beforeAll(async () => {
    store = await startStore(kind)
    platform = await startPlatform(store.options)
    send = (protocol === 'HTTP/2' ? overHttp2 : overHttp1)(() => platform.server)
    await platform.must('POST', `${management}/users`, userNamed('ann'))
    await platform.must('POST', `${management}/users`, userNamed('eve'))
    ann = await platform.keyOf('ann')
  })

  afterAll(async () => {
    await platform?.stop()
    await store?.remove()
  })

  const own = () => ({ origin: platform.server.url })
  const read = (headers: Readonly<Record<string, string>>) => send('GET', keysPath, headers)
  const bearer = async (token: string) => (await read({ authorization: `Bearer ${token}` })).status
  const patch = async (name: string, body: object, token = ann) =>
    (await platform.ask('PATCH', `${keysPath}/${name}`, { body, type: merge, token })).status

  test('its cookie is not a bearer token, nor is the half of the page, nor are both in any order', async () => {
    const { cookie, counterpart } = await signIn(send, ann)
    const tokens = [
      cookie,
      counterpart,
      cookie + counterpart,
      counterpart + cookie,
      `${cookie}.${counterpart}`,
      `session ${cookie} ${counterpart}`,
    ]
    for (const token of tokens) expect(await bearer(token)).toBeGreaterThanOrEqual(401)
  })

  test('its hash is not a valid token in a TokenReview', async () => {
    const { cookie, counterpart } = await signIn(send, ann)
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' }
    for (const token of [`session\0${cookie}\0${counterpart}`, cookie, counterpart]) {
      const { body } = await platform.ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
        body: { ...review, spec: { token } },
      })
      expect(body.status.authenticated ?? false).toBe(false)
    }
  })

  test('its cookie alone, which browsers send to every port of the host, identifies no user', async () => {
    const { cookie } = await signIn(send, ann)
    const alone = { cookie: `__Host-tenant-session=${cookie}` }
    expect((await read(alone)).status).toBe(403)
    expect(JSON.parse((await send('GET', sessionPath, alone)).text)).toEqual({})
    const made = await send('POST', keysPath, { ...alone, ...own() }, { spec: {} })
    expect(made.status).toBe(403)
  })

  test('the half of the page without its cookie is refused', async () => {
    const { counterpart } = await signIn(send, ann)
    expect((await read({ 'tenant-session': counterpart })).status).toBe(401)
  })

  test('its cookie with the half of another session is refused, and ends neither', async () => {
    const [first, second] = [await signIn(send, ann), await signIn(send, ann)]
    expect((await read(halves(first.cookie, second.counterpart))).status).toBe(401)
    expect((await send('DELETE', sessionPath, { ...halves(first.cookie, second.counterpart), ...own() })).status).toBe(
      200,
    )
    expect((await read(first.headers)).status).toBe(200)
    expect((await read(second.headers)).status).toBe(200)
  })

  test('a planted one is not used by who is signed in, nor by who is not', async () => {
    const planted = await signIn(send, await platform.keyOf('eve'))
    const victim = await signIn(send, ann)
    expect((await read(halves(planted.cookie, victim.counterpart))).status).toBe(401)
    const told = await send('GET', sessionPath, halves(planted.cookie, victim.counterpart))
    expect(JSON.parse(told.text)).toEqual({})
    expect((await read({ cookie: `__Host-tenant-session=${planted.cookie}` })).status).toBe(403)
  })

  test('a planted cookie beside the real one is refused, since either could be meant', async () => {
    const planted = await signIn(send, await platform.keyOf('eve'))
    const { cookie, counterpart } = await signIn(send, ann)
    const both = `__Host-tenant-session=${planted.cookie}; __Host-tenant-session=${cookie}`
    expect((await read({ cookie: both, 'tenant-session': counterpart })).status).toBe(401)
  })

  test('a client cannot choose the halves of a session: each sign-in makes new ones', async () => {
    const chosen = halves('e'.repeat(43), 'v'.repeat(43))
    const { cookie, counterpart } = await signIn(send, ann, { ...chosen, ...own() })
    expect([cookie, counterpart]).not.toContain('e'.repeat(43))
    expect([cookie, counterpart]).not.toContain('v'.repeat(43))
    expect((await read(chosen)).status).toBe(401)
  })

  test.each([
    ['cannot sign a user in', 'POST'],
    ['cannot sign a user out', 'DELETE'],
    ['cannot learn who is signed in', 'GET'],
  ])('a page on another port of the host %s', async (_, method) => {
    const { headers } = await signIn(send, ann)
    const body = method === 'POST' ? { accessKey: ann } : undefined
    const reply = await send(method, sessionPath, { ...headers, 'sec-fetch-site': 'same-site' }, body)
    expect(reply).toMatchObject({ status: 403, cookie: '' })
    expect((await read(headers)).status).toBe(200)
  })

  test.each([
    ['a half that is too short', 'x'],
    ['a half that is too long', 'x'.repeat(4000)],
    ['two halves at once', `${'x'.repeat(43)}, ${'y'.repeat(43)}`],
    ['a half with other characters', `${'x'.repeat(42)}=`],
    ['an empty half', ''],
  ])('%s is refused before it is looked up', async (_, counterpart) => {
    const { cookie } = await signIn(send, ann)
    expect((await read(halves(cookie, counterpart))).status).toBe(401)
    expect((await read(halves(counterpart.replaceAll(/[^x]/g, ''), 'y'.repeat(43)))).status).toBe(401)
  })

  test('no caller can make a key of type Login', async () => {
    const body = (spec: object) => ({ metadata: { generateName: 'forged-' }, spec })
    for (const token of [ann, 'admin-token']) {
      const made = await platform.ask('POST', keysPath, { token, body: body({ type: 'Login' }) })
      expect(made.status).toBe(422)
    }
    const plain = await platform.must('POST', keysPath, body({ user: 'ann' }))
    expect(await patch(plain.metadata.name, { spec: { type: 'Login' } })).toBe(422)
  })

  test.each<readonly [string, object]>([
    ['lengthen its life', { spec: { ttl: 1_000_000 } }],
    ['take its end away', { spec: { ttl: 0, ttlAfterLastActivity: false } }],
    ['widen its scope', { spec: { scope: null } }],
    ['narrow its scope so that it outlives its key', { spec: { scope: { projects: [{ project: 'b' }] } } }],
    ['give it groups', { spec: { groups: ['system:masters'] } }],
    ['give it to another user', { spec: { user: 'eve' } }],
    ['make it a key', { spec: { type: 'User' } }],
    ['give it a value', { spec: { key: broughtValue('forged-session') } }],
    ['claim that it was started with another key', { spec: { parent: 'another' } }],
  ])('no caller can %s', async (_, change) => {
    const scoped = await platform.keyOf('ann', { scope: { projects: [{ project: 'a' }, { project: 'b' }] } })
    const { keyName } = await signIn(send, scoped)
    const before = (await platform.ask('GET', `${keysPath}/${keyName}`)).body
    expect(await patch(keyName, change, 'admin-token')).toBe(422)
    expect((await platform.ask('GET', `${keysPath}/${keyName}`)).body.spec).toEqual(before.spec)
  })

  test('it cannot be rotated into a key', async () => {
    const { keyName } = await signIn(send, ann)
    const body = { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation' }
    expect((await platform.ask('POST', `${keysPath}/${keyName}/rotate`, { body, token: ann })).status).toBe(422)
  })

  test('how it was started cannot be written into its status', async () => {
    const { keyName } = await signIn(send, ann)
    const body = { status: { session: { latestEnd: '2099-01-01T00:00:00Z', startedWith: 'forged' } } }
    for (const path of [`${keysPath}/${keyName}`, `${keysPath}/${keyName}/status`]) {
      await platform.ask('PATCH', path, { body, type: merge })
    }
    const { status } = (await platform.ask('GET', `${keysPath}/${keyName}`)).body
    expect(status.session).toMatchObject({ latestEnd: '2030-01-08T00:00:00Z', startedWith: 'key-1-ann' })
  })

  test('one of a key with a scope cannot create a key with a wider scope, or a longer life, than that key', async () => {
    const scope = { rules: [{ resources: [{ group, resources: ['ownedaccesskeys'] }] }] }
    const key = await platform.keyOf('ann', { scope, ttl: 600 })
    const { headers } = await signIn(send, key)
    const make = async (spec: object) => {
      const body = { apiVersion: `${group}/v1`, kind: 'OwnedAccessKey', metadata: { generateName: 'k-' }, spec }
      return (await send('POST', keysPath, { ...headers, ...own() }, body)).status
    }
    expect(await make({})).toBe(403)
    expect(await make({ scope })).toBe(403)
    expect(await make({ scope, ttl: 601 })).toBe(403)
    expect(await make({ scope, ttl: 600, groups: ['more'] })).toBe(403)
    expect(await make({ scope, ttl: 600 })).toBe(201)
  })

  test('a thief who signed in with a value is out when the value is replaced', async () => {
    const name = `stolen-${protocol.replaceAll(/\W/g, '')}`.toLowerCase()
    const made = await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'ann' } })
    const thief = await signIn(send, made.spec.key)
    const body = { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation' }
    await platform.must('POST', `${keysPath}/${name}/rotate`, body)
    expect((await read(thief.headers)).status).toBe(401)
  })

  test('one of a deleted user does not belong to a new user of the same name', async () => {
    const name = `again-${protocol.replaceAll(/\W/g, '')}`.toLowerCase()
    await platform.must('POST', `${management}/users`, userNamed(name))
    const { headers } = await signIn(send, await platform.keyOf(name))
    await platform.must('DELETE', `${management}/users/${name}`)
    await platform.must('POST', `${management}/users`, userNamed(name))
    expect((await read(headers)).status).toBe(401)
  })

  test('one that begins while its key is disabled does not return with the key', async () => {
    const name = `raced-${protocol.replaceAll(/\W/g, '')}`.toLowerCase()
    const made = await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'ann' } })
    const starting = Array.from({ length: 8 }, () =>
      send('POST', sessionPath, {}, { accessKey: made.spec.key }).then((reply) => ({
        ...reply,
        headers: halves(handleIn(reply), reply.status === 200 ? JSON.parse(reply.text).counterpart : 'x'.repeat(43)),
      })),
    )
    await patch(name, { spec: { disabled: true } })
    const started = await Promise.all(starting)
    for (const { headers } of started) expect((await read(headers)).status).toBe(401)
    await patch(name, { spec: { disabled: false } })
    for (const { headers } of started) expect((await read(headers)).status).toBe(401)
  })

  test('a stream that another site wants to open with it is refused', async () => {
    const { headers } = await signIn(send, ann)
    if (protocol === 'HTTP/2') return
    const { tlsClient } = await import('../../server/raw-client.ts')
    const client = await tlsClient(platform.server.port)
    const lines = { ...headers, origin: 'https://evil.example', connection: 'Upgrade', upgrade: 'websocket', host: 'p' }
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
    client.send(`GET /api/v1/namespaces/a/pods/b/exec HTTP/1.1\r\n${head.join('')}\r\n`)
    expect(await client.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /)
    client.destroy()
  })

  test('the platform shows neither half of it', async () => {
    const { cookie, counterpart, keyName } = await signIn(send, ann)
    const shown = [
      (await platform.ask('GET', `${keysPath}/${keyName}`)).text,
      (await platform.ask('GET', keysPath)).text,
      (await platform.ask('GET', `${management}/users/ann/accesskeys`)).text,
      (await platform.ask('GET', '/metrics')).text,
    ].join('\n')
    expect(shown).not.toContain(cookie)
    expect(shown).not.toContain(counterpart)
  })
})
