import type { ServerHttp2Stream } from 'node:http2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysPath } from '../../platform/platform.ts'
import { http2Ask, http2Client, tlsClient } from '../../server/raw-client.ts'
import { answering, endless, type HostileTenant, type Say, startHostileTenant } from './hostile-tenant.ts'

let tenant: HostileTenant

beforeAll(async () => {
  tenant = await startHostileTenant()
})

afterAll(() => tenant?.stop())

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}
type Ask = (path: string, method?: string) => Promise<Answer>

const overHttp2: Ask = async (path, method = 'GET') => {
  const session = http2Client(tenant.platform.server.port)
  try {
    return await http2Ask(session, path, { method })
  } finally {
    session.destroy()
  }
}

const overHttp1: Ask = async (path, method = 'GET') => {
  const { url, authority } = tenant.platform.server
  const { Agent, request } = await import('undici')
  const dispatcher = new Agent({ connect: { ca: authority } })
  try {
    const { statusCode, headers, body } = await request(`${url}${path}`, {
      method: method as 'GET',
      dispatcher,
      headers: { authorization: 'Bearer admin-token' },
    })
    return { status: statusCode, headers, text: await body.text() }
  } finally {
    await dispatcher.destroy()
  }
}

describe.each<readonly [string, Ask]>([
  ['HTTP/1.1', overHttp1],
  ['HTTP/2', overHttp2],
])('an answer of a hostile virtual cluster over %s', (_, ask) => {
  const answerTo = (headers: Readonly<Record<string, string>>) => {
    tenant.say(answering(headers))
    return ask(`${tenant.base}/api`)
  }

  test.each([
    ['a cookie', { 'set-cookie': '__Host-tenant-session=planted; Path=/; Secure' }],
    ['a redirect', { location: 'https://elsewhere.example' }],
    ['a redirect of the page', { refresh: '0; url=https://elsewhere.example' }],
    ['leave for other sites', { 'access-control-allow-origin': '*' }],
    ['leave for other sites with credentials', { 'access-control-allow-credentials': 'true' }],
    ['an order to forget', { 'clear-site-data': '"*"' }],
    ['an order for the transport', { 'strict-transport-security': 'max-age=0' }],
    ['another server', { 'alt-svc': 'h2="elsewhere.example:443"' }],
    ['a question for a password', { 'www-authenticate': 'Basic realm="platform"' }],
    ['a wider service worker', { 'service-worker-allowed': '/' }],
    ['a place for reports', { 'reporting-endpoints': 'a="https://elsewhere.example"' }],
    ['a preload', { link: '</kubernetes/x>; rel=preload; as=script' }],
    ['a name for a download', { 'content-disposition': 'attachment; filename="update.exe"' }],
    ['a map of sources', { sourcemap: 'https://elsewhere.example' }],
    ['an unknown header', { 'x-brand-new-feature': 'on' }],
  ])('cannot send %s', async (_what, headers) => {
    const answer = await answerTo({ 'content-type': 'application/json', ...headers })
    expect(answer.status).toBe(200)
    for (const name of Object.keys(headers)) expect(answer.headers[name]).toBeUndefined()
  })

  test.each([
    ['text/html'],
    ['TEXT/HTML; charset=utf-8'],
    ['text/javascript'],
    ['text/css'],
    ['image/svg+xml'],
    ['application/xhtml+xml'],
    ['application/pdf'],
    ['application/json, text/html'],
    ['application/jsontext/html'],
    ['multipart/x-mixed-replace; boundary=x'],
  ])('is bytes to a browser and not %j', async (type) => {
    const { headers } = await answerTo({ 'content-type': type })
    expect(headers['content-type']).toBe('application/octet-stream')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  test.each([
    ['public, max-age=31536000, immutable', 'max-age=31536000, immutable, private'],
    ['public', 'no-cache, private'],
    ['s-maxage=600', 'no-cache, private'],
    ['no-cache, private', 'no-cache, private'],
    ['no-store', 'no-store, private'],
  ])('is stored by no shared cache: %j becomes %j', async (asked, passed) => {
    expect((await answerTo({ 'cache-control': asked })).headers['cache-control']).toBe(passed)
  })

  test('can send everything that an API server sends', async () => {
    const { headers } = await answerTo({
      'content-type': 'application/json;as=Table;v=v1;g=meta.k8s.io',
      etag: '"abc"',
      vary: 'Accept',
      warning: '299 - "old"',
      'retry-after': '1',
      'x-kubernetes-pf-flowschema-uid': 'u',
    })
    expect(headers).toMatchObject({
      'content-type': 'application/json;as=Table;v=v1;g=meta.k8s.io',
      etag: '"abc"',
      vary: 'Accept',
      warning: '299 - "old"',
      'retry-after': '1',
      'x-kubernetes-pf-flowschema-uid': 'u',
    })
  })

  test('of a program in a Pod is not presented as one of the platform', async () => {
    tenant.say(answering({ ':status': 401, warning: '299 - "forged"', 'www-authenticate': 'Basic' }, '{"app":1}'))
    const ofProgram = await ask(`${tenant.base}/api/v1/namespaces/a/services/http:b:80/proxy/`)
    expect(ofProgram).toMatchObject({ status: 401, text: '{"app":1}' })
    for (const name of ['warning', 'www-authenticate']) expect(ofProgram.headers[name]).toBeUndefined()
    expect((await ask(`${tenant.base}/api/v1/namespaces/a/services/b`)).status).toBe(503)
  })

  test('that continues after its announced length is aborted', async () => {
    tenant.say(endless({ 'content-length': '10' }))
    expect((await ask(`${tenant.base}/api`)).status).toBe(503)
    await tenant.givenUp()
  })

  test('that ends before its announced length is an error', async () => {
    tenant.say(answering({ 'content-length': '10' }, 'short'))
    expect((await ask(`${tenant.base}/api`)).status).toBe(503)
  })

  test('to HEAD with an endless body is aborted', async () => {
    tenant.say(endless({ 'content-length': '10' }))
    expect(await ask(`${tenant.base}/api`, 'HEAD')).toMatchObject({ status: 200, text: '' })
    await tenant.givenUp()
  })

  test.each([204, 304])(
    'with the status %d and an endless body is forwarded without it, and is aborted',
    async (status) => {
      tenant.say(endless({ ':status': status }))
      expect(await ask(`${tenant.base}/api`)).toMatchObject({ status, text: '' })
      await tenant.givenUp()
    },
  )

  test.each(['-1', '1e3', '0x10', '99999999999999999999'])(
    'is forwarded without an invalid Content-Length: %j',
    async (length) => {
      tenant.say((stream) => {
        stream.respond({ ':status': 200, 'content-length': length })
        stream.end('{}')
      })
      const { headers } = await ask(`${tenant.base}/api`).catch(() => ({ headers: { 'content-length': undefined } }))
      expect(headers['content-length']).not.toBe(length)
    },
  )
})

/** The forged answer that the attacker wants the next request on the connection to get. */
const forged = 'HTTP/1.1 200 OK\r\nSet-Cookie: forged=1\r\nContent-Length: 6\r\n\r\nforged'

describe('the next answer on an HTTP/1.1 connection', () => {
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: p\r\nAuthorization: Bearer admin-token\r\n\r\n`

  test.each<readonly [string, () => void]>([
    [
      'a short body that is longer than announced',
      () => tenant.say(answering({ 'content-length': '2' }, `{}${forged}`)),
    ],
    [
      'a long body that is longer than announced',
      () => tenant.say(answering({ 'content-length': '100000' }, 'x'.repeat(100_000) + forged)),
    ],
    ['a body after 204', () => tenant.say(answering({ ':status': 204 }, forged))],
    ['a body after 304', () => tenant.say(answering({ ':status': 304 }, forged))],
  ])('is not forged by %s', async (_, say) => {
    say()
    const client = await tlsClient(tenant.platform.server.port)
    client.send(request(`${tenant.base}/api`) + request('/livez'))
    await Promise.race([client.closed, client.until('\r\n\r\nok')])
    client.destroy()
    expect(client.received).not.toMatch(/^Set-Cookie|forged$/im)
  })
})

describe('an upgrade', () => {
  test('to a protocol that was not requested is refused', async () => {
    tenant.say((stream) => {
      stream.respond({ ':status': 200, 'tenant-upgrade': 'h2c' })
      stream.end()
    })
    const client = await tlsClient(tenant.platform.server.port)
    client.send(
      `GET ${tenant.base}/api/v1/namespaces/a/pods/b/exec HTTP/1.1\r\nHost: p\r\nAuthorization: Bearer admin-token\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    )
    const text = await client.until('\r\n\r\n')
    client.destroy()
    expect(text).toMatch(/^HTTP\/1\.1 503 /)
  })

  test('has only the headers that the protocol needs', async () => {
    tenant.say((stream) => {
      stream.respond({
        ':status': 200,
        'tenant-upgrade': 'websocket',
        'set-cookie': 'a=b',
        'sec-websocket-accept': 'x',
      })
      stream.end()
    })
    const client = await tlsClient(tenant.platform.server.port)
    client.send(
      `GET ${tenant.base}/api/v1/namespaces/a/pods/b/exec HTTP/1.1\r\nHost: p\r\nAuthorization: Bearer admin-token\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    )
    const text = await client.until('\r\n\r\n')
    client.destroy()
    expect(text).toMatch(/^HTTP\/1\.1 101 /)
    expect(text).toContain('Sec-WebSocket-Accept: x')
    expect(text.toLowerCase()).not.toContain('set-cookie')
  })
})

describe('an answer that the platform reads itself', () => {
  const keyWith = async (name: string, spec: object): Promise<string> =>
    (await tenant.platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'admin', ...spec } })).spec.key
  const target = { project: 'default', virtualCluster: 'dev' }
  const upgraded = (stream: ServerHttp2Stream) => stream.respond({ 'tenant-upgrade': 'websocket' })

  test.each<readonly [string, Say]>([
    ['refuses without an end', endless({ ':status': 403 })],
    ['allows without an end', endless({ ':status': 201 })],
    ['claims to switch to another protocol', upgraded],
  ])('to an explanation is aborted if it %s', async (how, say) => {
    const name = `explained-${how.length}`
    await keyWith(name, {})
    tenant.say(say)
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' }, target }
    const { status } = await tenant.platform.ask('POST', `${keysPath}/${name}/explain`, { body: { spec } })
    expect(status).toBe(201)
    await tenant.givenUp()
  })

  test('to a review of rules is aborted if it is endless', async () => {
    const token = await keyWith('reviewing', { scope: { virtualClusters: [target] } })
    tenant.say(endless({ ':status': 201 }))
    const path = `${tenant.base}/apis/authorization.k8s.io/v1/selfsubjectrulesreviews`
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: { namespace: 'default' },
    }
    expect((await tenant.platform.ask('POST', path, { body, token })).status).toBe(503)
    await tenant.givenUp()
  })
})
