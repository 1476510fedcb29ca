import { once } from 'node:events'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { http2Ask, http2Client, plainClient, type RawClient, tlsClient } from '../../server/raw-client.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import {
  allows,
  flags,
  frame,
  frameTypes,
  headerBlock,
  headers,
  preface,
  requestFields,
  settingIds,
  settings,
  settingsTaken,
  windowUpdate,
} from './support/frames.ts'
import { counted, get, head, measured } from './support/http1.ts'
import { type RawHttp2, rawHttp2 } from './support/raw-http2.ts'
import { configMaps } from './support/victim.ts'

const sender = { token: 'admin-token' }
/** Of each server only the limits under test are short: any step of a client may take seconds on a busy machine. */
const patient = {
  maxBodiesPerCaller: 300,
  handshakeTimeoutMs: 300_000,
  headersTimeoutMs: 300_000,
  bodyTimeoutMs: 300_000,
  keepAliveTimeoutMs: 300_000,
  unreadTimeoutMs: 300_000,
  pingIntervalMs: 300_000,
}
const keepAliveTimeoutMs = 2_000
/** More than a server sends. */
const wideWindow = 2 ** 30

let server: TestServer
const clients: { destroy(): void }[] = []

function kept<T extends { destroy(): void }>(client: T): T {
  clients.push(client)
  return client
}

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})

/** The server of a suite; it answers after each test. */
function serving(limits: Partial<typeof patient>): void {
  beforeAll(async () => {
    server = await startTestServer({ server: { limits: { ...patient, ...limits } } })
  })
  afterAll(() => server?.stop())
  afterEach(async () => {
    await eventually(async () => {
      const client = await tlsClient(server.port)
      client.send(get('/version', sender))
      await client.until('HTTP/1.1 200').finally(() => client.destroy())
    })
  })
}

async function createLarge(): Promise<void> {
  const session = http2Client(server.port)
  const body = JSON.stringify({ metadata: { name: 'large' }, data: { filling: 'x'.repeat(1_000_000) } })
  for (const name of ['1', '2', '3', '4', '5', '6'])
    await http2Ask(session, configMaps, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body.replace('large', `large-${name}`),
    })
  session.destroy()
}

const http1 = async (): Promise<RawClient> => kept(await tlsClient(server.port))
const http2 = async (opening?: Buffer): Promise<RawHttp2> => kept(await rawHttp2(server.port, opening))

/** Sends something over and over, as long as the connection is open. */
async function trickle(client: RawClient | RawHttp2, send: () => void): Promise<void> {
  while (!client.socket.destroyed) {
    send()
    await Promise.race([client.closed, pause(50)])
  }
}

/** A client that does not read learns that a connection has ended only when it sends the next byte. */
function untilRefused(client: RawClient): Promise<void> {
  return trickle(client, () => client.send('\r\n'))
}

async function namesOf(prefix: string): Promise<readonly string[]> {
  const session = http2Client(server.port)
  const { text } = await http2Ask(session, configMaps, {
    headers: { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' },
  })
  session.destroy()
  const { items } = JSON.parse(text) as { items: { metadata: { name: string } }[] }
  return items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith(prefix))
}

describe('clients that do not finish their handshake time out', () => {
  serving({ handshakeTimeoutMs: 400 })

  test('a connection without any bytes', async () => {
    await kept(await plainClient(server.port)).closed
  })

  test('an unfinished handshake', async () => {
    const client = kept(await plainClient(server.port))
    client.send('\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003')
    await client.closed
  })

  test('a handshake that arrives byte by byte', async () => {
    const client = kept(await plainClient(server.port))
    await trickle(client, () => client.send('\u0016'))
  })
})

describe('silent clients time out', () => {
  serving({ headersTimeoutMs: 400, keepAliveTimeoutMs })

  test('a connection without a request over HTTP/1.1', async () => {
    await (await http1()).closed
  })

  test('a connection without a preface over HTTP/2', async () => {
    await (await http2(Buffer.alloc(0))).closed
  })

  test('a connection without a request over HTTP/2', async () => {
    await (await http2()).closed
  })

  test('half a preface over HTTP/2', async () => {
    await (await http2(preface.subarray(0, 10))).closed
  })

  test('an unfinished header block over HTTP/2', async () => {
    const client = await http2()
    client.send(
      frame(frameTypes.headers, flags.endStream, 1, headerBlock(requestFields('GET', '/version', 'admin-token'))),
    )
    await client.closed
  })

  test('half a frame over HTTP/2', async () => {
    const client = await http2()
    client.send(headers(1, requestFields('GET', '/version', 'admin-token')).subarray(0, 20))
    await client.closed
  })

  test('headers that arrive line by line', async () => {
    const client = await http1()
    client.send('GET /version HTTP/1.1\r\nHost: x\r\n')
    await trickle(client, () => client.send('X-More: y\r\n'))
    expect(client.received).toContain('HTTP/1.1 408')
  })
})

describe('idle clients time out', () => {
  serving({ keepAliveTimeoutMs })

  test('an idle connection after a request over HTTP/1.1', async () => {
    const client = await http1()
    client.send(get('/version', sender))
    await client.until('HTTP/1.1 200')
    await client.closed
  })

  test('an idle connection after a request over HTTP/2', async () => {
    const session: ClientHttp2Session = kept(connectHttp2(server.url, { ca: server.authority }))
    const goaway = once(session, 'goaway')
    expect((await http2Ask(session, '/version')).status).toBe(200)
    expect((await goaway)[0]).toBe(0)
    await once(session, 'close')
  })

  test('but not a connection with a silent watch', async () => {
    const session = kept(http2Client(server.port))
    const watch = session.request({
      ':path': `${configMaps}?watch=1&resourceVersion=`,
      authorization: 'Bearer admin-token',
    })
    await once(watch, 'response')
    watch.resume()
    const client = await http1()
    client.send(get('/api/v1/namespaces/default/secrets?watch=1', sender))
    await client.until('HTTP/1.1 200')
    await pause(1.5 * keepAliveTimeoutMs)
    expect([session.closed, watch.closed, client.socket.destroyed]).toEqual([false, false, false])
  })
})

describe('slow clients time out', () => {
  // Node gives a request the time for its head and for its body together.
  serving({ headersTimeoutMs: 8_000, bodyTimeoutMs: 600 })

  test('a body that never arrives times out over HTTP/1.1', async () => {
    const client = await http1()
    client.send(head('POST', configMaps, sender, 'Content-Type: application/json\r\nContent-Length: 100\r\n'))
    await client.closed
    expect(client.received).toContain('HTTP/1.1 504')
  })

  test('a body that arrives byte by byte times out over HTTP/1.1', async () => {
    const client = await http1()
    client.send(head('POST', configMaps, sender, 'Content-Type: application/json\r\nContent-Length: 100000\r\n'))
    await trickle(client, () => client.send(' '))
    expect(client.received).toContain('HTTP/1.1 504')
  })

  test('chunks that arrive one by one time out over HTTP/1.1', async () => {
    const client = await http1()
    client.send(head('POST', configMaps, sender, 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n'))
    await trickle(client, () => client.send('1\r\n \r\n'))
    expect(client.received).toContain('HTTP/1.1 504')
  })

  test('a GET whose body never arrives closes the connection', async () => {
    const client = await http1()
    client.send(get(`${configMaps}?watch=1`, sender, 'Content-Length: 100\r\n'))
    await client.until('HTTP/1.1 200')
    await client.closed
    expect(client.received).not.toContain('HTTP/1.1 408')
  })

  test('a body that never arrives times out over HTTP/2', async () => {
    const client = await http2()
    client.send(headers(1, requestFields('POST', configMaps, 'admin-token'), flags.none))
    const ended = await client.until(
      ({ type, stream, flag }) => stream === 1 && (type === frameTypes.resetStream || (flag & flags.endStream) !== 0),
    )
    expect(ended).toBeDefined()
  })

  test('250 bodies that never arrive time out over HTTP/2, and release their streams', async () => {
    const client = await http2()
    client.send(headers(1, requestFields('GET', '/version', 'admin-token')))
    await client.until(allows(250))
    client.send(settingsTaken, settingsTaken)
    const streams = Array.from({ length: 250 }, (_, index) => 2 * index + 3)
    client.send(
      ...streams.map((stream) => headers(stream, requestFields('POST', configMaps, 'admin-token'), flags.none)),
    )
    await client.until(({ type, stream }) => stream === 501 && type !== frameTypes.windowUpdate)
    client.send(headers(503, requestFields('GET', '/version', 'admin-token')))
    expect((await client.until(({ type, stream }) => stream === 503 && type !== frameTypes.windowUpdate))?.type).toBe(
      frameTypes.headers,
    )
  })

  test('a body that arrives byte by byte times out over HTTP/2', async () => {
    const client = await http2()
    client.send(headers(1, requestFields('POST', configMaps, 'admin-token'), flags.none))
    const ended = client.until(({ type, stream }) => stream === 1 && type === frameTypes.resetStream)
    const ending = ended.then(() => client.destroy())
    await trickle(client, () => client.send(frame(frameTypes.data, flags.none, 1, Buffer.from(' '))))
    await ending
    expect(await ended).toBeDefined()
  })

  test('a watch whose request body never arrives ends over HTTP/2', async () => {
    const client = await http2()
    client.send(headers(1, requestFields('GET', `${configMaps}?watch=1`, 'admin-token'), flags.none))
    expect(await client.until(({ type, stream }) => stream === 1 && type === frameTypes.resetStream)).toBeDefined()
  })
})

describe('clients that read', () => {
  serving({})
  beforeAll(createLarge)

  test('get a long response to an upgrade request completely', async () => {
    const client = await http1()
    client.send(get(configMaps, sender, 'Connection: Upgrade\r\nUpgrade: websocket\r\n'))
    await client.closed
    expect(client.received).toContain('large-6')
    expect(client.received).toMatch(/\]\}\n$/)
  })
})

describe('clients that do not read are cut off', () => {
  serving({ unreadTimeoutMs: 600, keepAliveTimeoutMs })
  beforeAll(createLarge)

  test('an answer that the client does not read is aborted over HTTP/1.1', async () => {
    const client = await http1()
    client.socket.pause()
    client.send(get(configMaps, sender))
    await untilRefused(client)
  })

  test('an unread response to an upgrade request is aborted', async () => {
    const client = await http1()
    client.socket.pause()
    client.send(get(configMaps, sender, 'Connection: Upgrade\r\nUpgrade: websocket\r\n'))
    await untilRefused(client)
  })

  test('unread responses are aborted over HTTP/1.1, and pipelined requests are not started', async () => {
    const client = await http1()
    client.socket.pause()
    client.send(get(configMaps, sender) + measured('POST', configMaps, sender, counted('unread-')))
    await untilRefused(client)
    expect(await namesOf('unread-')).toHaveLength(0)
  })

  test('an answer without a window is aborted over HTTP/2', async () => {
    const client = await http2(Buffer.concat([preface, settings([[settingIds.initialWindowSize, 0]])]))
    client.send(headers(1, requestFields('GET', configMaps, 'admin-token')))
    expect(await client.until(({ type, stream }) => stream === 1 && type === frameTypes.resetStream)).toBeDefined()
  })

  test('a response without a window does not affect others on the same connection', async () => {
    const client = await http2(Buffer.concat([preface, settings([[settingIds.initialWindowSize, 0]])]))
    client.send(headers(1, requestFields('GET', configMaps, 'admin-token')))
    client.send(headers(3, requestFields('HEAD', configMaps, 'admin-token')))
    expect(await client.until(({ type, stream }) => stream === 3 && type === frameTypes.headers)).toBeDefined()
  })
})

/** With a wide window, Node takes all of a response at once, so that nothing seems to wait in its stream. */
describe('a client with a wide window that does not read', () => {
  serving({ pingIntervalMs: 600 })
  beforeAll(createLarge)

  test('is cut off over HTTP/2, since it leaves a ping unanswered', async () => {
    const opening = [preface, settings([[settingIds.initialWindowSize, wideWindow]]), windowUpdate(0, wideWindow)]
    const client = await http2(Buffer.concat(opening))
    client.socket.pause()
    client.send(headers(1, requestFields('GET', configMaps, 'admin-token')))
    await trickle(client, () => client.send(windowUpdate(0, 1)))
  })
})

describe('connections are limited in number', () => {
  let small: TestServer
  beforeAll(async () => {
    small = await startTestServer({ server: { limits: { maxConnections: 8, maxConnectionsPerNetwork: 5 } } })
  })
  afterAll(() => small?.stop())

  const asksFrom = async (localAddress: string): Promise<RawClient> =>
    kept(await tlsClient(small.port, 'http/1.1', localAddress))

  test('from one address, and other addresses still get in', async () => {
    const held = await Promise.all(Array.from({ length: 5 }, () => asksFrom('127.0.0.1')))
    await expect(asksFrom('127.0.0.1')).rejects.toThrow()
    const other = await asksFrom('127.0.0.2')
    other.send(get('/version', sender))
    await other.until('HTTP/1.1 200')
    held[0]?.destroy()
    await expect
      .poll(() =>
        asksFrom('127.0.0.1').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
  })

  test('in total', async () => {
    await expect
      .poll(async () =>
        (await Promise.allSettled([asksFrom('127.0.0.3')])).every(({ status }) => status === 'fulfilled'),
      )
      .toBe(true)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => asksFrom(`127.0.0.${10 + index}`)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(8)
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  })

  test('including those that have sent nothing', async () => {
    for (const client of clients.splice(0)) client.destroy()
    await expect
      .poll(() =>
        asksFrom('127.0.0.1').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    const silent = await Promise.all(Array.from({ length: 10 }, () => plainClient(small.port)))
    for (const client of silent) kept(client)
    await expect.poll(() => silent.filter(({ socket }) => socket.destroyed).length).toBeGreaterThanOrEqual(6)
  })
})
