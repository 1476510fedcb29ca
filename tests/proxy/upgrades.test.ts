import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { badRequest } from '../../src/api/error.ts'
import type { ExtraRoute } from '../../src/server/contract.ts'
import { embedded, inside, link, startLinkPlatform, type TestLink, tenantKey } from '../link/support.ts'
import { keysPath, type TestPlatform } from '../platform/platform.ts'
import { type RawClient, tlsClient } from '../server/raw-client.ts'
import { atOnceMs } from '../support/at-once.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { type EchoApi, echoToken, startEchoApi, valuesOf } from './echo-api.ts'

let platform: TestPlatform
let echo: EchoApi
let linked: TestLink

beforeAll(async () => {
  ;[platform, echo] = await Promise.all([startLinkPlatform(), startEchoApi()])
  const { url, authority } = platform.server
  linked = link({ accessKey: await tenantKey(platform, 'tenant'), url, authority, virtualApi: echo.virtualApi })
  await linked.linked()
})

afterAll(async () => {
  await linked.stop()
  await Promise.all([platform.stop(), echo.stop()])
})

const exec = `${inside('dev')}/api/v1/namespaces/default/pods/web/exec?command=sh&stdin=true`

/** Requests an upgrade like kubectl. */
async function upgrade(
  protocol: string,
  options: { readonly method?: string; readonly path?: string; readonly token?: string } = {},
): Promise<RawClient> {
  const { method = 'POST', path = exec, token = 'admin-token' } = options
  const client = await tlsClient(platform.server.port)
  client.send(
    `${method} ${path} HTTP/1.1\r\nHost: platform\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\n` +
      `Upgrade: ${protocol}\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\nX-Stream-Protocol-Version: v3.channel.k8s.io\r\n` +
      'X-Remote-User: root\r\nCookie: a=b\r\nSec-WebSocket-Key: c2FtcGxlIG5vbmNlMTIzNA==\r\nContent-Length: 0\r\n\r\n',
  )
  return client
}

describe.each([
  ['SPDY/3.1', 'POST'],
  ['websocket', 'GET'],
])('a connection upgraded to %s', (protocol, method) => {
  it('carries bytes unchanged in both directions', async () => {
    const client = await upgrade(protocol, { method })
    const head = await client.until('hello')
    expect(head).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/)
    expect(head.toLowerCase()).toContain(`upgrade: ${protocol.toLowerCase()}`)
    expect(head.toLowerCase()).toContain('sec-websocket-accept: accepted')
    client.send('\x00\x01\xff')
    await client.until('\x00\x00\x01\xff')
    client.send('again')
    await client.until('aagain')
    client.destroy()
    await eventually(() => expect(echo.openConnections()).toBe(0))
  })

  it('reaches the API server as its administrator who impersonates the user, without other headers of the caller', async () => {
    const client = await upgrade(protocol, { method })
    await client.until('hello')
    client.destroy()
    const received = echo.received.at(-1)
    if (received === undefined) throw new Error('nothing was asked')
    expect(received).toMatchObject({ method, url: '/api/v1/namespaces/default/pods/web/exec?command=sh&stdin=true' })
    expect(valuesOf(received, 'authorization')).toEqual([`Bearer ${echoToken}`])
    expect(valuesOf(received, 'impersonate-user')).toEqual(['admin'])
    expect(valuesOf(received, 'impersonate-group')).toContain('platform:cluster-role:cluster-admin')
    expect(valuesOf(received, 'x-stream-protocol-version')).toEqual(['v4.channel.k8s.io', 'v3.channel.k8s.io'])
    for (const name of ['x-remote-user', 'cookie']) expect(valuesOf(received, name)).toEqual([])
    // The end of a body would be taken for the data that follows the head.
    expect(valuesOf(received, 'transfer-encoding')).toEqual([])
  })

  it('is cut at once when the key of the caller is revoked', async () => {
    const name = `exec-${protocol.toLowerCase().replace(/\W/g, '-')}`
    const made = await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'admin' } })
    const client = await upgrade(protocol, { method, token: made.spec.key })
    await client.until('hello')
    const startMs = performance.now()
    await platform.must('DELETE', `${keysPath}/${name}`)
    await client.closed
    expect(performance.now() - startMs).toBeLessThan(atOnceMs)
    await eventually(() => expect(echo.openConnections()).toBe(0))
  })
})

describe('a server in a Pod', () => {
  const served = (cluster: string) => `${inside(cluster)}/api/v1/namespaces/default/services/http:web:80/proxy/a?b=c`

  it('is reachable with a scoped key while the key is valid', async () => {
    const name = 'proxied'
    const scope = { virtualClusters: [{ project: 'default', virtualCluster: 'dev' }] }
    const made = await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'admin', scope } })
    const outside = await upgrade('websocket', { method: 'GET', path: served('other'), token: made.spec.key })
    expect(await outside.until('"reason":"Forbidden"')).toMatch(/^HTTP\/1\.1 403 /)
    const plain = await tlsClient(platform.server.port)
    const head = `POST ${served('dev')} HTTP/1.1\r\nHost: p\r\nAuthorization: Bearer ${made.spec.key}\r\n`
    plain.send(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n`)
    await eventually(() => expect(echo.received.at(-1)?.url).toBe(served('').replace(inside(''), '')))
    plain.send('6\r\nsecond\r\n0\r\n\r\n')
    expect(await plain.until('"bytes":11')).toMatch(/^HTTP\/1\.1 201 /)
    expect(plain.received.toLowerCase()).not.toContain('set-cookie')
    const socket = await upgrade('websocket', { method: 'GET', path: served('dev'), token: made.spec.key })
    await socket.until('hello')
    await platform.must('DELETE', `${keysPath}/${name}`)
    await socket.closed
    for (const client of [outside, plain]) client.destroy()
    await eventually(() => expect(echo.openConnections()).toBe(0))
  })
})

describe('an upgrade in a virtual cluster whose API server is in the same process as its link', () => {
  let virtual: TestServer
  let linkedInside: TestLink

  beforeAll(async () => {
    virtual = await startTestServer({ server: { extraRoutes: [echoRoute] } })
    const { url, authority } = platform.server
    const accessKey = await tenantKey(platform, 'embedded')
    linkedInside = link({ name: 'embedded', accessKey, url, authority, virtualApi: embedded(virtual) })
    await linkedInside.linked()
  })
  afterAll(async () => {
    await linkedInside.stop()
    await virtual.stop()
  })

  it.each(['SPDY/3.1', 'websocket'])('to %s carries bytes both ways', async (protocol) => {
    const client = await upgrade(protocol, { path: exec.replace('/dev/', '/embedded/') })
    const head = await client.until('hello')
    expect(head).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/)
    expect(head.toLowerCase()).toContain(`upgrade: ${protocol.toLowerCase()}`)
    client.send('again')
    await client.until('again')
    client.destroy()
  })
})

/** Plays Pods on a host: greets, and echoes. */
const echoRoute: ExtraRoute = ({ info, request: { upgrade } }) => {
  if (info.form !== 'resource' || info.subresource !== 'exec') return undefined
  if (upgrade === undefined) throw badRequest('Upgrade request required')
  return async () => ({
    status: 101,
    headers: ['Connection', 'Upgrade', 'Upgrade', upgrade],
    body: {
      form: 'upgrade',
      start: (connection) => {
        connection.write('hello')
        connection.pipe(connection)
      },
      giveUp: () => {},
    },
  })
}

describe('an upgrade that is refused', () => {
  it.each(['h2c', 'SPDY/3.1, h2c', 'TLS/1.0', 'tenant-link'])(
    'to %s never reaches the API server',
    async (protocol) => {
      const before = echo.received.length
      const client = await upgrade(protocol, { method: 'GET' })
      expect(await client.until('can be upgraded only to')).toMatch(/^HTTP\/1\.1 400 /)
      await client.closed
      expect(echo.received).toHaveLength(before)
    },
  )

  it('by the API server returns its response', async () => {
    const client = await upgrade('SPDY/3.1', { path: `${inside('dev')}/api/v1/namespaces/default/pods/refused/exec` })
    expect(await client.until('no pod')).toMatch(/^HTTP\/1\.1 403 /)
    await client.closed
  })

  it('by the platform returns the usual error', async () => {
    const client = await upgrade('websocket', { method: 'GET', token: 'alice-token' })
    expect(await client.until('"reason":"Forbidden"')).toMatch(/^HTTP\/1\.1 403 /)
    await client.closed
  })

  it('where upgrades are not supported is a plain request', async () => {
    const client = await upgrade('websocket', { method: 'GET', path: '/version' })
    expect(await client.until('gitVersion')).toMatch(/^HTTP\/1\.1 200 /)
    await client.closed
  })
})
