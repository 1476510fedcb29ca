import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { http2Ask, http2Client, type RawClient, tlsClient } from '../../server/raw-client.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { type Field, flags, frame, frameTypes, headers, requestFields } from './support/frames.ts'
import { measured, named } from './support/http1.ts'
import { type RawHttp2, rawHttp2 } from './support/raw-http2.ts'
import { configMaps } from './support/victim.ts'

const sender = { token: 'admin-token' }
const own = 'Host: x\r\nAuthorization: Bearer admin-token\r\nContent-Type: application/json\r\n'

let server: TestServer
const clients: (RawClient | RawHttp2)[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.stop())
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})

async function exists(name: string): Promise<boolean> {
  const session = http2Client(server.port)
  const { status } = await http2Ask(session, `${configMaps}/${name}`)
  session.destroy()
  return status === 200
}

/** A request that one reader takes for a body and another for the next request. */
const hidden = measured('POST', configMaps, sender, named('smuggled'))
const hiddenLength = Buffer.byteLength(hidden)

describe('a request hidden in another over HTTP/1.1 is never executed', () => {
  const post = `POST ${configMaps}?dryRun=All HTTP/1.1\r\n${own}`
  const chunks = `0\r\n\r\n${hidden}`

  test.each<readonly [string, string]>([
    ['a length and chunks', `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`],
    ['chunks and a length', `${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${chunks}`],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: ${hiddenLength}\r\n\r\n{}${hidden}`],
    ['the same length twice', `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}${hidden}`],
    ['a list of lengths', `${post}Content-Length: 2, 2\r\n\r\n{}${hidden}`],
    ['a length with a sign', `${post}Content-Length: +2\r\n\r\n{}${hidden}`],
    ['a negative length', `${post}Content-Length: -2\r\n\r\n${hidden}`],
    ['a length in hexadecimal', `${post}Content-Length: 0x2\r\n\r\n{}${hidden}`],
    ['a length that is too long to count', `${post}Content-Length: 99999999999999999999\r\n\r\n${hidden}`],
    ['a length with a letter', `${post}Content-Length: 2a\r\n\r\n{}${hidden}`],
    ['an empty length', `${post}Content-Length: \r\n\r\n${hidden}`],
    ['an invalid encoding', `${post}Transfer-Encoding: xchunked\r\n\r\n${chunks}`],
    ['chunks that are not the last encoding', `${post}Transfer-Encoding: chunked, identity\r\n\r\n${chunks}`],
    ['an encoding twice', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${chunks}`],
    ['an encoding in front of chunks', `${post}Transfer-Encoding: gzip, chunked\r\nContent-Length: 5\r\n\r\n${chunks}`],
    ['an encoding with a tab', `${post}Transfer-Encoding:\tchunked\r\nContent-Length: 5\r\n\r\n${chunks}`],
    ['an encoding behind a vertical tab', `${post}Transfer-Encoding: \u000bchunked\r\n\r\n${chunks}`],
    ['an encoding with a blank before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n${chunks}`],
    ['a length with a blank before the colon', `${post}Content-Length : 2\r\n\r\n{}${hidden}`],
    ['a folded header', `${post}X: y\r\n Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${chunks}`],
    ['a header that begins with a blank', `${post} Content-Length: 5\r\n\r\n${chunks}`],
    ['a carriage return in a value', `${post}X: y\rTransfer-Encoding: chunked\r\n\r\n${chunks}`],
    ['a zero byte in a value', `${post}X: y\u0000\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`],
    ['a zero byte in a name', `${post}X\u0000: y\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`],
    ['a header without a name', `${post}: y\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`],
    ['a size of a chunk that overflows', `${post}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n${hidden}`],
    ['a size of a chunk with a sign', `${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n${hidden}`],
    ['a size of a chunk with a prefix', `${post}Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${hidden}`],
    ['a chunk that is longer than its size', `${post}Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n${chunks}`],
    [
      'a chunk that ends with a line feed alone',
      `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\n0\r\n\r\n${hidden}`,
    ],
    [
      'a megabyte behind a size',
      `${post}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(1_000_000)}\r\n{}\r\n${chunks}`,
    ],
    ['an invalid version', `POST ${configMaps}?dryRun=All HTTP/1.2\r\n${own}Content-Length: 0\r\n\r\n${hidden}`],
    ['a target with a blank', `GET /version /x HTTP/1.1\r\n${own}\r\n${hidden}`],
    ['a request line with a tab', `GET\t/version\tHTTP/1.1\r\n${own}\r\n${hidden}`],
    ['an invalid method', `GE(T /version HTTP/1.1\r\n${own}\r\n${hidden}`],
    ['a tunnel', `CONNECT x:443 HTTP/1.1\r\n${own}\r\n${hidden}`],
    ['an upgrade to HTTP/2', `GET /version HTTP/1.1\r\n${own}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n${hidden}`],
    ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`],
  ])('by %s', async (_, text) => {
    const client = await tlsClient(server.port)
    clients.push(client)
    client.send(text)
    await client.closed
    expect(client.received).not.toContain('"name":"smuggled"')
    expect(await exists('smuggled')).toBe(false)
  })

  test('in a body, since its announced length is used', async () => {
    const client = await tlsClient(server.port)
    clients.push(client)
    client.send(`${post}Content-Length: ${hiddenLength}\r\n\r\n${hidden}GET /version HTTP/1.1\r\n${own}\r\n`)
    await client.until('"gitVersion"')
    expect(client.received.match(/HTTP\/1\.1 /g)).toHaveLength(2)
    expect(await exists('smuggled')).toBe(false)
  })

  test('in the body of a GET, which the server does not parse', async () => {
    const client = await tlsClient(server.port)
    clients.push(client)
    const length = `Content-Length: ${hiddenLength}\r\n`
    client.send(`GET /version HTTP/1.1\r\n${own}${length}\r\n${hidden}GET /livez HTTP/1.1\r\n${own}\r\n`)
    await client.until('\r\n\r\nok')
    expect(await exists('smuggled')).toBe(false)
  })

  test('in trailers that look like headers', async () => {
    const client = await tlsClient(server.port)
    clients.push(client)
    const trailers = 'Authorization: Bearer admin-token\r\nContent-Length: 2\r\n'
    client.send(
      `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    client.send(`${Buffer.byteLength(named('smuggled')).toString(16)}\r\n${named('smuggled')}\r\n0\r\n${trailers}\r\n`)
    await client.until('HTTP/1.1 40')
    expect(await exists('smuggled')).toBe(false)
  })
})

describe('an invalid head over HTTP/2 is refused', () => {
  const create = requestFields('POST', configMaps, 'admin-token', [['content-type', 'application/json']])
  const without = (name: string) => create.filter(([each]) => each !== name)
  const body = frame(frameTypes.data, flags.endStream, 1, Buffer.from(named('over-http2')))

  test.each<readonly [string, readonly Field[]]>([
    ['a length that the body does not have', [...create, ['content-length', '5']]],
    ['two lengths', [...create, ['content-length', '35'], ['content-length', '36']]],
    ['chunks', [...create, ['transfer-encoding', 'chunked']]],
    ['a header about the connection', [...create, ['connection', 'close']]],
    ['an upgrade', [...create, ['upgrade', 'websocket']]],
    ['a header in capital letters', [...create, ['X-Upper', 'y']]],
    ['a line break in the path', [...without(':path'), [':path', '/version HTTP/1.1\r\n\r\n']]],
    ['an invalid path', [...without(':path'), [':path', '']]],
    ['no path', without(':path')],
    ['no method', without(':method')],
    ['two methods', [[':method', 'POST'], ...create]],
    ['a pseudo header behind others', [...without(':method'), [':method', 'POST']]],
    ['an invalid pseudo header', [[':evil', 'x'], ...create]],
    ['a status', [[':status', '200'], ...create]],
  ])('%s', async (_, fields) => {
    const client = await rawHttp2(server.port)
    clients.push(client)
    client.send(headers(1, fields, flags.none), body)
    const refused = await client.until(
      ({ type, stream, payload }) =>
        (type === frameTypes.resetStream && stream === 1) ||
        (type === frameTypes.goaway && payload.readUInt32BE(4) !== 0),
    )
    expect(refused).toBeDefined()
    expect(client.frames.some(({ type, stream }) => type === frameTypes.headers && stream === 1)).toBe(false)
    expect(await exists('over-http2')).toBe(false)
  })

  /** The library drops such a field. */
  test.each<readonly [string, Field]>([
    ['a line break in a value', ['x', 'y\r\nauthorization: Bearer admin-token']],
    ['a line feed in a value', ['x', 'y\nauthorization: Bearer admin-token']],
    ['a zero byte in a value', ['authorization', 'Bearer admin-token\u0000']],
    ['a line break in a name', ['x\r\nauthorization', 'Bearer admin-token']],
    ['a colon in a name', ['authorization: bearer', 'admin-token']],
  ])('%s gives the caller no token', async (_, field) => {
    const client = await rawHttp2(server.port)
    clients.push(client)
    const fields = requestFields('POST', configMaps, '', [['content-type', 'application/json'], field])
    client.send(headers(1, fields, flags.none), body)
    await client.until(({ type, stream }) => stream === 1 && type !== frameTypes.windowUpdate)
    expect(await exists('over-http2')).toBe(false)
  })

  test('a tunnel', async () => {
    const client = await rawHttp2(server.port)
    clients.push(client)
    const authorization: Field = ['authorization', 'Bearer admin-token']
    client.send(headers(1, [[':method', 'CONNECT'], [':authority', 'x:443'], authorization], flags.none))
    const answer = await client.until(({ type, stream }) => type === frameTypes.headers && stream === 1)
    expect(answer?.payload.toString('latin1')).not.toContain('200')
    await client.until(({ type, stream }) => type === frameTypes.resetStream && stream === 1)
  })

  test('a tunnel for WebSocket (RFC 8441), which is not offered', async () => {
    const client = await rawHttp2(server.port)
    clients.push(client)
    const tunnel: readonly Field[] = [
      [':method', 'CONNECT'],
      [':protocol', 'websocket'],
      [':scheme', 'https'],
      [':path', '/api/v1/namespaces/default/pods/web/exec?command=id&stdout=true'],
      [':authority', 'x:443'],
      ['authorization', 'Bearer admin-token'],
    ]
    client.send(headers(1, [...tunnel], flags.none))
    const answer = await client.until(({ type, stream }) => stream === 1 && type !== frameTypes.windowUpdate)
    expect(answer?.type).toBe(frameTypes.resetStream)
  })
})
