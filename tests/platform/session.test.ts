import { connect } from 'node:http2'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/base/log.ts'
import { broughtValue } from '../support/canary/brought-value.ts'
import { keysPath, management, startPlatform, type TestPlatform, userNamed } from './platform.ts'

const brought = broughtValue('odd;with,odd="characters"\\and%more')
const logged: string[] = []
let platform: TestPlatform
let agent: Agent
let ann = ''

interface Reply {
  readonly status: number
  readonly cookie: string
  readonly text: string
}
type Headers = Readonly<Record<string, string>>
type Send = (method: string, path: string, headers: Headers, body?: unknown) => Promise<Reply>

beforeAll(async () => {
  const log = createLog({ level: 'debug', write: (line) => logged.push(line) })
  platform = await startPlatform({ log })
  agent = new Agent({ connect: { ca: platform.server.authority } })
  await platform.must('POST', `${management}/users`, userNamed('ann'))
  ann = await platform.keyOf('ann')
})

afterAll(async () => {
  await agent.destroy()
  await platform.stop()
})

const overHttp1 =
  (extra: Headers): Send =>
  async (method, path, headers, body) => {
    const answer = await request(`${platform.server.url}${path}`, {
      method: method as 'GET',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', ...extra, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const cookie = [answer.headers['set-cookie'] ?? []].flat().join()
    return { status: answer.statusCode, cookie, text: await answer.body.text() }
  }

const overHttp2: Send = (method, path, headers, body) =>
  new Promise((resolve, reject) => {
    const session = connect(platform.server.url, { ca: platform.server.authority }).on('error', reject)
    const stream = session.request({
      ':method': method,
      ':path': path,
      'content-type': 'application/json',
      ...headers,
    })
    let text = ''
    let reply = { status: 0, cookie: '' }
    stream.setEncoding('utf8').on('error', reject)
    stream.on('response', (head) => {
      reply = { status: head[':status'] ?? 0, cookie: [head['set-cookie'] ?? []].flat().join() }
    })
    stream.on('data', (chunk: string) => {
      text += chunk
    })
    stream.on('end', () => {
      session.close()
      resolve({ ...reply, text })
    })
    stream.end(body === undefined ? undefined : JSON.stringify(body))
  })

const transports: readonly { readonly name: string; readonly send: Send }[] = [
  { name: 'plain HTTP/1.1', send: overHttp1({}) },
  { name: "HTTP/1.1 by Node's parser", send: overHttp1({ te: 'trailers' }) },
  { name: 'HTTP/2', send: overHttp2 },
]

const pairOf = (cookie: string) => cookie.split(';')[0] ?? ''
const ownOrigin = () => ({ origin: platform.server.url })
const newKey = {
  apiVersion: 'management.platform.internal/v1',
  kind: 'OwnedAccessKey',
  metadata: { generateName: 'k-' },
}

describe.each(transports)('a session over $name', ({ send }) => {
  const login = (accessKey: string, headers: Headers = {}) => send('POST', '/auth/session', headers, { accessKey })

  it('is a cookie that no script reads, no other site sends and no plain connection carries', async () => {
    const { status, cookie, text } = await login(ann)
    expect(status).toBe(200)
    const [pair, ...attributes] = cookie.split('; ')
    expect(pair).toBe(`tenant_session=${ann}`)
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict', 'Secure'])
    expect(JSON.parse(text)).toEqual({ user: 'ann', keyName: 'key-1-ann' })
  })

  it('ends no later than its key', async () => {
    const key = await platform.keyOf('ann', { ttl: 600 })
    const { cookie, text } = await login(key)
    expect(Number(/Max-Age=(\d+)/.exec(cookie)?.[1])).toBeLessThanOrEqual(600)
    expect(Number(/Max-Age=(\d+)/.exec(cookie)?.[1])).toBeGreaterThan(590)
    expect(JSON.parse(text).expiresAt).toMatch(/^\d{4}-/)
  })

  it('says who is asking', async () => {
    const session = { cookie: pairOf((await login(ann)).cookie) }
    const { status, text } = await send(
      'POST',
      `${management}/selves`,
      { ...session, ...ownOrigin() },
      {
        apiVersion: 'management.platform.internal/v1',
        kind: 'Self',
      },
    )
    expect(status).toBe(201)
    expect(JSON.parse(text).status).toMatchObject({ user: 'ann', accessKey: { name: 'key-1-ann' } })
    expect((await send('GET', keysPath, session)).status).toBe(200)
    expect((await send('GET', '/api/v1/secrets', session)).status).toBe(403)
  })

  it('counts less than an Authorization header', async () => {
    const cookie = `tenant_session=${ann}`
    expect((await send('GET', keysPath, { cookie, authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await send('GET', keysPath, { cookie, authorization: 'Basic YTpi' })).status).toBe(403)
    expect((await send('GET', '/api/v1/secrets', { cookie, authorization: 'Bearer admin-token' })).status).toBe(200)
  })

  it('changes nothing without the origin of this server', async () => {
    const cookie = `tenant_session=${ann}`
    for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const { status, text } = await send('POST', keysPath, { cookie, ...headers }, newKey)
      expect(status).toBe(403)
      expect(JSON.parse(text).message).toContain('has to come from a page of this server')
    }
    expect((await send('DELETE', `${keysPath}/key-1-ann`, { cookie })).status).toBe(403)
    for (const headers of [ownOrigin(), { 'sec-fetch-site': 'same-origin' }]) {
      expect((await send('POST', keysPath, { cookie, ...headers }, newKey)).status).toBe(201)
    }
  })

  it('is not started or ended by another site', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const begun = await login(ann, headers)
      expect(begun).toMatchObject({ status: 403, cookie: '' })
      expect(await send('DELETE', '/auth/session', headers)).toMatchObject({ status: 403, cookie: '' })
    }
    expect((await login(ann, { 'content-type': 'text/plain' })).status).toBe(415)
  })

  it('is over when it is ended, also when its key is no longer good', async () => {
    const { status, cookie } = await send('DELETE', '/auth/session', { cookie: 'tenant_session=gone', ...ownOrigin() })
    expect(status).toBe(200)
    expect(cookie).toMatch(/^tenant_session=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    expect((await send('GET', keysPath, { cookie: 'tenant_session=' })).status).toBe(401)
  })

  it('works with every value that somebody may bring', async () => {
    const { status } = await platform.ask('GET', `${keysPath}/odd`)
    if (status === 404) {
      await platform.must('POST', keysPath, { metadata: { name: 'odd' }, spec: { user: 'ann', key: brought } })
    }
    const { cookie } = await login(brought)
    expect((await send('GET', keysPath, { cookie: `a=b; ${pairOf(cookie)}` })).status).toBe(200)
  })

  it('is refused at once when its key is disabled, with the reason', async () => {
    const key = await platform.keyOf('ann')
    const cookie = pairOf((await login(key)).cookie)
    const { body } = await platform.ask('GET', keysPath, { token: key })
    const { metadata } = body.items.find(({ status }: { status: { keyId: string } }) => key.includes(status.keyId))
    const patch = { body: { spec: { disabled: true } }, type: 'application/merge-patch+json' }
    await platform.ask('PATCH', `${keysPath}/${metadata.name}`, patch)
    for (const reply of [await send('GET', keysPath, { cookie }), await login(key)]) {
      expect(reply).toMatchObject({ status: 401, cookie: '' })
      expect(JSON.parse(reply.text).details.causes[0].reason).toBe('KeyDisabled')
    }
  })

  it('does not stand in the way of pages and of a new log-in', async () => {
    const stale = { cookie: 'tenant_session=stale' }
    expect((await send('GET', keysPath, stale)).status).toBe(401)
    expect((await send('GET', '/livez', stale)).status).toBe(200)
    expect((await login(ann, stale)).status).toBe(200)
  })

  it('is refused when it is given twice', async () => {
    const cookie = `tenant_session=${ann}; tenant_session=${ann}x`
    expect((await send('GET', keysPath, { cookie })).status).toBe(401)
  })

  it.each([
    ['nothing', undefined],
    ['no object', ['tpk_secret']],
    ['no key', { key: 'tpk_secret' }],
    ['an empty key', { accessKey: '' }],
    ['a number', { accessKey: 7 }],
  ])('is not started with %s', async (_, body) => {
    const reply = await send('POST', '/auth/session', {}, body)
    expect(reply).toMatchObject({ status: 400, cookie: '' })
    expect(reply.text).not.toContain('tpk_secret')
  })

  it('says whose it is, and that there is none', async () => {
    const cookie = `tenant_session=${ann}`
    expect(await send('GET', '/auth/session', {})).toMatchObject({ status: 200, text: '{}\n', cookie: '' })
    const own = await send('GET', '/auth/session', { cookie })
    expect([own.status, JSON.parse(own.text).user]).toEqual([200, 'ann'])
    const over = await send('GET', '/auth/session', { cookie: `${cookie}x` })
    expect(over).toMatchObject({ status: 200, text: '{}\n' })
    expect(over.cookie).toContain('Max-Age=0')
  })

  it('has no other methods', async () => {
    expect((await send('PUT', '/auth/session', {}, { accessKey: ann })).status).toBe(405)
  })

  it('is never logged, and no answer shows it', async () => {
    const reply = await send('POST', keysPath, { cookie: `tenant_session=${ann}`, ...ownOrigin() }, { spec: ann })
    expect(reply.text).not.toContain(ann)
    expect(logged.join('\n')).not.toContain(ann)
  })
})

describe('guessing keys by starting sessions', () => {
  it('is answered as by bearer tokens, and slowed down the same', async () => {
    const guess = () => platform.ask('POST', '/auth/session', { token: '', body: { accessKey: 'wrong'.repeat(10) } })
    const first = await guess()
    expect(first.status).toBe(401)
    expect(first.body).toMatchObject({ kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized' })
    let last = first
    for (let attempt = 0; attempt < 30 && last.status === 401; attempt++) last = await guess()
    expect(last.status).toBe(429)
    expect((await platform.ask('POST', '/auth/session', { token: '', body: { accessKey: ann } })).status).toBe(200)
  })
})
