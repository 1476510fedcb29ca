import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { http2Ask, http2Client, type RawClient, tlsClient } from '../../server/raw-client.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { type Field, frameTypes, headers, requestFields } from './support/frames.ts'
import { type RawHttp2, rawHttp2 } from './support/raw-http2.ts'

const maxHeaders = 100

let server: TestServer
const clients: (RawClient | RawHttp2)[] = []

beforeAll(async () => {
  server = await startTestServer({ server: { limits: { maxHeaders } } })
})
afterAll(() => server?.stop())
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})

async function http1(): Promise<RawClient> {
  const client = await tlsClient(server.port)
  clients.push(client)
  return client
}

async function http2(): Promise<RawHttp2> {
  const client = await rawHttp2(server.port)
  clients.push(client)
  return client
}

const filling = (count: number) => Array.from({ length: count }, (_, index) => [`x-${index}`, 'y'] as const)
const lines = (fields: readonly Field[]) => fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')

/** The status of the answer to stream 1; 0 if the stream was reset instead. */
async function statusOf(client: RawHttp2): Promise<string> {
  const answer = await client.until(
    ({ type, stream }) => stream === 1 && (type === frameTypes.headers || type === frameTypes.resetStream),
  )
  return answer?.type === frameTypes.headers ? (/\d{3}/.exec(answer.payload.toString('latin1'))?.[0] ?? 'indexed') : '0'
}

describe('all headers are kept, or the request is refused', () => {
  test.each([101, 1_000, 1_023, 1_024, 2_501, 9_000])('over HTTP/1.1: %i', async (count) => {
    const client = await http1()
    const secret = 'Authorization: Bearer admin-token\r\n'
    client.send(`GET /api HTTP/1.1\r\nHost: x\r\n${lines(filling(count - 2))}${secret}\r\n`)
    await client.closed
    expect(client.received).toMatch(/^HTTP\/1\.1 431 /)
    expect(client.received.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  })

  test('over HTTP/1.1: what is beyond the limit takes no time', async () => {
    const seen: number[] = []
    const note = (message: unknown) => {
      const { request } = message as { readonly request: IncomingMessage }
      seen.push(request.rawHeaders.length / 2)
    }
    subscribe('http.server.request.start', note)
    const client = await http1()
    client.send(`GET /api HTTP/1.1\r\nHost: x\r\n${lines(filling(9_000))}\r\n`)
    await client.closed
    unsubscribe('http.server.request.start', note)
    expect(client.received).toMatch(/^HTTP\/1\.1 431 /)
    // Node keeps them in groups of 32.
    expect(seen.map((count) => count > maxHeaders && count <= maxHeaders + 32)).toEqual([true])
  })

  test('over HTTP/1.1: up to the limit, including the last one', async () => {
    const client = await http1()
    client.send(
      `GET /api HTTP/1.1\r\nHost: x\r\n${lines(filling(maxHeaders - 2))}Authorization: Bearer admin-token\r\n\r\n`,
    )
    await client.until('HTTP/1.1 200')
  })

  test('over HTTP/1.1 with an upgrade: 2,501', async () => {
    const client = await http1()
    client.send(`GET /api HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: y\r\n${lines(filling(2_497))}\r\n`)
    await client.closed
    expect(client.received).toMatch(/^HTTP\/1\.1 431 /)
  })

  test.each([101, 300])('over HTTP/2: %i', async (count) => {
    const client = await http2()
    client.send(headers(1, requestFields('GET', '/api', 'admin-token', filling(count - 5))))
    expect(await statusOf(client)).toBe('431')
  })

  test.each([2_501, 9_000])('over HTTP/2: %i', async (count) => {
    const session = http2Client(server.port)
    const many = Object.fromEntries(filling(count))
    await expect(http2Ask(session, '/api', { headers: many })).rejects.toThrow()
    session.destroy()
  })

  test('over HTTP/2: up to the limit', async () => {
    const session = http2Client(server.port)
    const many = Object.fromEntries(filling(maxHeaders - 5))
    expect((await http2Ask(session, '/api', { headers: many })).status).toBe(200)
    session.destroy()
  })

  test('a header of 100 KB is refused over HTTP/1.1', async () => {
    const client = await http1()
    client.send(`GET /api HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`)
    await client.closed
    expect(['', 'HTTP/1.1 431 Request Header Fields Too Large']).toContain(client.received.split('\r\n', 1)[0])
  })

  test('a header of 60 KB is accepted over HTTP/1.1 and HTTP/2', async () => {
    const value = 'y'.repeat(60_000)
    const client = await http1()
    client.send(`GET /api HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin-token\r\nX: ${value}\r\n\r\n`)
    await client.until('HTTP/1.1 200')
    const session = http2Client(server.port)
    expect((await http2Ask(session, '/api', { headers: { x: value } })).status).toBe(200)
    session.destroy()
  })

  test('10,000 trailers after a body close the connection', async () => {
    const client = await http1()
    const head = 'POST /api HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin-token\r\nTransfer-Encoding: chunked\r\n'
    client.send(`${head}\r\n0\r\n${lines(filling(10_000))}\r\n`)
    await client.closed
  })

  test('a request without a Host header is refused', async () => {
    const client = await http1()
    client.send('GET /api HTTP/1.1\r\nAuthorization: Bearer admin-token\r\n\r\n')
    await client.closed
    expect(client.received).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('a request with two Host headers is refused', async () => {
    const client = await http1()
    client.send('GET /api HTTP/1.1\r\nHost: x\r\nhost: y\r\nAuthorization: Bearer admin-token\r\n\r\n')
    await client.closed
    expect(client.received).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('of two Authorization headers the first is used, whatever the protocol', async () => {
    const client = await http1()
    const tokens = 'Authorization: Bearer wrong\r\nAuthorization: Bearer admin-token\r\n'
    client.send(`GET /api HTTP/1.1\r\nHost: x\r\n${tokens}\r\n`)
    await client.until('HTTP/1.1 401')
    const framed = await http2()
    framed.send(headers(1, requestFields('GET', '/api', 'wrong', [['authorization', 'Bearer admin-token']])))
    expect(await statusOf(framed)).not.toBe('200')
  })
})
