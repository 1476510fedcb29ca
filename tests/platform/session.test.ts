import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/base/log.ts'
import { broughtValue } from '../support/canary/brought-value.ts'
import { eventually } from '../support/eventually.ts'
import { halves, handleIn, overHttp1, overHttp2, type Reply, type Send, sessionPath, signIn } from './browser-client.ts'
import { group, keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

const brought = broughtValue('odd;with,odd="characters"\\and%more')
const logged: string[] = []
let platform: TestPlatform
let ann = ''

beforeAll(async () => {
  const log = createLog({ level: 'debug', write: (line) => logged.push(line) })
  platform = await startPlatform({ log })
  await platform.must('POST', `${management}/users`, userNamed('ann'))
  ann = await platform.keyOf('ann')
})

afterAll(() => platform.stop())

const transports: readonly { readonly name: string; readonly send: Send }[] = [
  { name: 'HTTP/1.1', send: overHttp1(() => platform.server) },
  { name: 'HTTP/2', send: overHttp2(() => platform.server) },
]

const ownOrigin = () => ({ origin: platform.server.url })
const newKey = { apiVersion: `${group}/v1`, kind: 'OwnedAccessKey', metadata: { generateName: 'k-' } }
const hourMs = 3_600_000
const merge = 'application/merge-patch+json'
const stored = (name: string) => platform.ask('GET', `${keysPath}/${name}`)

describe.each(transports)('a session over $name', ({ send }) => {
  const use = (headers: Readonly<Record<string, string>>) => send('GET', keysPath, headers)

  it('is a cookie that is HttpOnly, Secure and SameSite, and a second half for the page', async () => {
    const reply = await send('POST', sessionPath, {}, { accessKey: ann })
    expect(reply.status).toBe(200)
    const [pair, ...attributes] = reply.cookie.split('; ')
    expect(pair).toMatch(/^__Host-tenant-session=[0-9A-Za-z]{43}$/)
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Strict', 'Secure'])
    const { counterpart, keyName, ...told } = JSON.parse(reply.text)
    expect(counterpart).toMatch(/^[0-9A-Za-z]{43}$/)
    expect(keyName).toMatch(/^login-/)
    expect(told).toEqual({ user: 'ann', startedWith: 'key-1-ann', expiresAt: '2030-01-01T12:00:00Z' })
    expect(reply.text).not.toContain(handleIn(reply))
  })

  it('is a key of type Login of the same owner, which records how it was started', async () => {
    const { keyName } = await signIn(send, ann, { 'user-agent': 'Browser/1.0 \u00ff' })
    const { body } = await stored(keyName)
    expect(body.spec).toEqual({
      displayName: 'Console session',
      user: 'ann',
      type: 'Login',
      ttl: 43_200,
      ttlAfterLastActivity: true,
    })
    expect(body.status).toMatchObject({
      phase: 'Active',
      session: { startedWith: 'key-1-ann', userAgent: 'Browser/1.0 ?', latestEnd: '2030-01-08T00:00:00Z' },
    })
    expect(body.status.session.startedFrom).toMatch(/127\.0\.0\.1/)
  })

  it('returns who is signed in', async () => {
    const { headers, keyName } = await signIn(send, ann)
    const self = { apiVersion: `${group}/v1`, kind: 'Self' }
    const { status, text } = await send('POST', `${management}/selves`, { ...headers, ...ownOrigin() }, self)
    expect(status).toBe(201)
    expect(JSON.parse(text).status).toMatchObject({
      user: 'ann',
      accessKey: { name: keyName, startedWith: 'key-1-ann' },
    })
    expect((await use(headers)).status).toBe(200)
    expect((await send('GET', '/api/v1/secrets', headers)).status).toBe(403)
  })

  it('has the scope, the groups and the owner of the key', async () => {
    const scope = { roles: [{ role: 'platformCLI' }], projects: [{ project: 'a' }] }
    const key = await platform.keyOf('ann', { scope, groups: ['extra'] })
    const { headers, keyName } = await signIn(send, key)
    expect((await stored(keyName)).body.spec).toMatchObject({ scope, groups: ['extra'], user: 'ann' })
    const made = await send('POST', keysPath, { ...headers, ...ownOrigin() }, newKey)
    expect(made.status).toBe(403)
  })

  it('has lower precedence than an Authorization header', async () => {
    const { headers } = await signIn(send, ann)
    expect((await use({ ...headers, authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await use({ ...headers, authorization: 'Basic YTpi' })).status).toBe(403)
    expect((await send('GET', '/api/v1/secrets', { ...headers, authorization: 'Bearer admin-token' })).status).toBe(200)
  })

  it('changes nothing without the origin of this server', async () => {
    const { headers } = await signIn(send, ann)
    for (const other of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const { status, text } = await send('POST', keysPath, { ...headers, ...other }, newKey)
      expect(status).toBe(403)
      expect(JSON.parse(text).message).toContain('must come from a page of this server')
    }
    expect((await send('DELETE', `${keysPath}/key-1-ann`, headers)).status).toBe(403)
    for (const own of [ownOrigin(), { 'sec-fetch-site': 'same-origin' }]) {
      expect((await send('POST', keysPath, { ...headers, ...own }, newKey)).status).toBe(201)
    }
  })

  it('is not started or ended by another site', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const begun = await send('POST', sessionPath, headers, { accessKey: ann })
      expect(begun).toMatchObject({ status: 403, cookie: '' })
      expect(await send('DELETE', sessionPath, headers)).toMatchObject({ status: 403, cookie: '' })
    }
    const text = { 'content-type': 'text/plain' }
    expect((await send('POST', sessionPath, text, { accessKey: ann })).status).toBe(415)
  })

  it('ends on the server when the user signs out', async () => {
    const { headers, keyName } = await signIn(send, ann)
    const { status, cookie } = await send('DELETE', sessionPath, { ...headers, ...ownOrigin() })
    expect(status).toBe(200)
    expect(cookie).toBe('__Host-tenant-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict')
    expect((await use(headers)).status).toBe(401)
    expect((await stored(keyName)).status).toBe(404)
  })

  it('ends when its key is deleted through the API', async () => {
    const { headers, keyName } = await signIn(send, ann)
    const other = await signIn(send, ann)
    const deleted = await send('DELETE', `${keysPath}/${keyName}`, { ...other.headers, ...ownOrigin() })
    expect(deleted.status).toBe(200)
    expect((await use(headers)).status).toBe(401)
    expect((await use(other.headers)).status).toBe(200)
  })

  it('is replaced when the user signs in again in the same browser', async () => {
    const first = await signIn(send, ann)
    const second = await signIn(send, ann, { ...first.headers, ...ownOrigin() })
    expect((await use(first.headers)).status).toBe(401)
    expect((await use(second.headers)).status).toBe(200)
  })

  it('works with every value that a user may bring', async () => {
    if ((await stored('odd')).status === 404) {
      await platform.must('POST', keysPath, { metadata: { name: 'odd' }, spec: { user: 'ann', key: brought } })
    }
    const { headers } = await signIn(send, brought)
    expect((await use({ ...headers, cookie: `a=b; ${headers.cookie}` })).status).toBe(200)
  })

  it('can be started with the token of the administrator, with the same rights', async () => {
    const { headers, keyName } = await signIn(send, 'admin-token')
    expect((await send('GET', '/api/v1/secrets', headers)).status).toBe(200)
    const { body } = await stored(keyName)
    expect(body.spec).toMatchObject({ user: 'admin', type: 'Login' })
    expect(body.status.session.startedWith).toBeUndefined()
    const alice = await signIn(send, 'alice-token')
    expect((await stored(alice.keyName)).body.spec).toMatchObject({ subject: 'alice', type: 'Login' })
    expect((await send('GET', '/api/v1/secrets', alice.headers)).status).toBe(403)
  })

  it('cannot be started with anything but an access key', async () => {
    const { body } = await platform.ask('POST', '/api/v1/namespaces/default/serviceaccounts/default/token', {
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    })
    const reply = await send('POST', sessionPath, {}, { accessKey: body.status.token })
    expect(reply).toMatchObject({ status: 401, cookie: '' })
    expect(JSON.parse(reply.text).message).toBe('a session is started with an access key')
  })

  it('does not block pages or a new sign-in when it is stale', async () => {
    const stale = halves('a'.repeat(43), 'b'.repeat(43))
    expect((await use(stale)).status).toBe(401)
    expect((await send('GET', '/livez', stale)).status).toBe(200)
    await signIn(send, ann, { ...stale, ...ownOrigin() })
  })

  it.each([
    ['nothing', undefined],
    ['no object', ['tpk_secret']],
    ['no key', { key: 'tpk_secret' }],
    ['an empty key', { accessKey: '' }],
    ['a number', { accessKey: 7 }],
  ])('cannot be started with %s', async (_, body) => {
    const reply = await send('POST', sessionPath, {}, body)
    expect(reply).toMatchObject({ status: 400, cookie: '' })
    expect(reply.text).not.toContain('tpk_secret')
  })

  it('returns its user, or that there is none', async () => {
    const { headers, cookie, counterpart } = await signIn(send, ann)
    const none = { status: 200, text: '{}\n' }
    expect(await send('GET', sessionPath, {})).toMatchObject({ ...none, cookie: '' })
    const own = await send('GET', sessionPath, headers)
    expect([own.status, JSON.parse(own.text)]).toMatchObject([200, { user: 'ann', startedWith: 'key-1-ann' }])
    expect(own.text).not.toContain(counterpart)
    const over = await send('GET', sessionPath, halves(cookie, 'x'.repeat(43)))
    expect(over).toMatchObject({ ...none, cookie: '' })
    const { cookie: former } = await send('GET', sessionPath, { cookie: `tenant_session=${ann}` })
    expect(former).toBe('tenant_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict')
  })

  it('has no other methods', async () => {
    expect((await send('PUT', sessionPath, {}, { accessKey: ann })).status).toBe(405)
  })

  it('is never logged or shown in a response', async () => {
    const { headers, cookie, counterpart } = await signIn(send, ann)
    const reply = await send('POST', keysPath, { ...headers, ...ownOrigin() }, { spec: {} })
    const listed = await use(headers)
    const told = [reply.text, listed.text, ...logged].join('\n')
    expect([ann, cookie, counterpart].filter((secret) => told.includes(secret))).toEqual([])
  })
})

describe('a session ends', () => {
  const send = overHttp2(() => platform.server)
  const use = (headers: Readonly<Record<string, string>>) => send('GET', keysPath, headers)
  const causeOf = (text: string) => JSON.parse(text).details?.causes?.[0]?.reason
  /** About a second after its end a session is deleted, and then there is no cause. */
  const expectEnded = ({ status, text }: Reply, cause: string) => {
    expect(status).toBe(401)
    expect([cause, undefined]).toContain(causeOf(text))
  }
  let count = 0

  const signedInWith = async (spec: object = {}) => {
    count += 1
    const name = `start-${count}`
    const made = await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'ann', ...spec } })
    return { ...(await signIn(send, made.spec.key)), name, key: made.spec.key, path: `${keysPath}/${name}` }
  }
  const patch = (path: string, body: object) => platform.ask('PATCH', path, { body, type: merge })

  it('at once and for good when the key that it was started with is disabled', async () => {
    const { headers, path, keyName } = await signedInWith()
    await patch(path, { spec: { disabled: true } })
    expectEnded(await use(headers), 'KeyDisabled')
    await eventually(async () => expect((await stored(keyName)).status).toBe(404))
    await patch(path, { spec: { disabled: false } })
    expect((await use(headers)).status).toBe(401)
  })

  it.each<readonly [string, (path: string) => Promise<unknown>]>([
    ['is deleted', (path) => platform.ask('DELETE', path)],
    ['gets another scope', (path) => patch(path, { spec: { scope: { projects: [{ project: 'a' }] } } })],
    ['gets other groups', (path) => patch(path, { spec: { groups: ['more'] } })],
    ['gets another value', (path) => patch(path, { spec: { key: broughtValue(`next-${count}`) } })],
    [
      'is rotated without an overlap',
      (path) =>
        platform.ask('POST', `${path}/rotate`, { body: { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation' } }),
    ],
  ])('at once when its parent key %s', async (_, end) => {
    const { headers, path, keyName } = await signedInWith()
    expect((await use(headers)).status).toBe(200)
    await end(path)
    expect((await use(headers)).status).toBe(401)
    await eventually(async () => expect((await stored(keyName)).status).toBe(404))
  })

  it('with the overlap when its parent key is rotated', async () => {
    const { headers, path } = await signedInWith()
    const body = { apiVersion: `${group}/v1`, kind: 'AccessKeyRotation', overlapSeconds: 60 }
    await platform.ask('POST', `${path}/rotate`, { body })
    expect((await use(headers)).status).toBe(200)
    platform.clock.advance(61_000)
    expect((await use(headers)).status).toBe(401)
  })

  it('no later than its parent key', async () => {
    const { headers } = await signedInWith({ ttl: 600 })
    const { text } = await send('GET', sessionPath, headers)
    expect(Date.parse(JSON.parse(text).expiresAt)).toBe(platform.clock.now() + 600_000)
    platform.clock.advance(600_000)
    expectEnded(await use(headers), 'KeyExpired')
  })

  it('when its owner is locked, and continues when the owner is unlocked', async () => {
    const { headers } = await signedInWith()
    await patch(`${management}/users/ann`, { spec: { disabled: true } })
    const refused = await use(headers)
    expect([refused.status, causeOf(refused.text)]).toEqual([401, 'OwnerLocked'])
    await patch(`${management}/users/ann`, { spec: { disabled: false } })
    expect((await use(headers)).status).toBe(200)
  })

  it('after twelve hours without use, and keeps its parent key alive while it is used', async () => {
    const { headers, name } = await signedInWith({ ttl: 8 * 3600, ttlAfterLastActivity: true })
    for (let hours = 0; hours < 24; hours += 6) {
      platform.clock.advance(6 * hourMs)
      expect((await use(headers)).status).toBe(200)
    }
    expect((await stored(name)).body.status.phase).toBe('Active')
    const idle = await signedInWith()
    platform.clock.advance(12 * hourMs)
    expectEnded(await use(idle.headers), 'SessionExpired')
    await eventually(async () => expect((await stored(idle.keyName)).status).toBe(404))
  })

  it('after seven days, however much it is used', async () => {
    const { headers } = await signedInWith()
    for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
      platform.clock.advance(6 * hourMs)
      expect((await use(headers)).status).toBe(200)
    }
    platform.clock.advance(6 * hourMs)
    expect((await use(headers)).status).toBe(401)
  })

  it('and its open connections are cut', async () => {
    const { headers, path } = await signedInWith()
    const watch = await platform.watch(`${keysPath}?watch=true`, '', headers)
    expect(watch.status).toBe(200)
    await patch(path, { spec: { disabled: true } })
    await watch.ended
  })

  it('when its owner has too many, the least recently used one', async () => {
    await platform.must('POST', `${management}/users`, userNamed('many'))
    const key = await platform.keyOf('many')
    const oldest = await signIn(send, key)
    const second = await signIn(send, key)
    platform.clock.advance(60_000)
    expect((await use(oldest.headers)).status).toBe(200)
    for (let made = 2; made <= 50; made += 1) await signIn(send, key)
    expect((await use(second.headers)).status).toBe(401)
    expect((await use(oldest.headers)).status).toBe(200)
    const { body } = await platform.ask('GET', `${keysPath}?fieldSelector=spec.user=many,spec.type=Login`)
    expect(body.items).toHaveLength(50)
  })
})

describe('guessing keys by starting sessions', () => {
  it('is answered like bearer tokens, and rate limited together', async () => {
    const guess = () => platform.ask('POST', sessionPath, { token: '', body: { accessKey: 'wrong'.repeat(10) } })
    const first = await guess()
    expect(first.status).toBe(401)
    expect(first.body).toMatchObject({ kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized' })
    let last = first
    for (let attempt = 0; attempt < 30 && last.status === 401; attempt++) last = await guess()
    expect(last.status).toBe(429)
    expect((await platform.ask('POST', sessionPath, { token: '', body: { accessKey: ann } })).status).toBe(200)
  })
})
