import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { http2Ask, http2Client } from '../../server/raw-client.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { flood } from './support/flood.ts'
import {
  allows,
  flags,
  frame,
  frameTypes,
  headerBlock,
  headers,
  preface,
  requestFields,
  resetStream,
  settingIds,
  settings,
  uint32,
  windowUpdate,
} from './support/frames.ts'
import { type RawHttp2, rawHttp2 } from './support/raw-http2.ts'
import { configMaps } from './support/victim.ts'

let server: TestServer
/** Cuts no client that leaves a ping unanswered. */
let patient: TestServer
const clients: RawHttp2[] = []

beforeAll(async () => {
  server = await startTestServer({ server: { limits: { pingIntervalMs: 500 } } })
  patient = await startTestServer({ server: { limits: { pingIntervalMs: 300_000 } } })
})
afterAll(async () => {
  await server?.stop()
  await patient?.stop()
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await mustAnswer()
})

async function mustAnswer(): Promise<void> {
  for (const { port } of [server, patient]) {
    const session = http2Client(port)
    expect((await http2Ask(session, '/version')).status).toBe(200)
    session.destroy()
  }
}

async function attacker(opening?: Buffer, { port } = server): Promise<RawHttp2> {
  const client = await rawHttp2(port, opening)
  clients.push(client)
  return client
}

const token = 'admin-token'
/** The stream was not processed. */
const refusedStream = 7
const asking = (stream: number, path = '/version') => headers(stream, requestFields('GET', path, token))

describe('a flood of frames over HTTP/2', () => {
  test('of 100,000 streams that are reset at once closes only the connection', async () => {
    const client = await attacker()
    const sent = await flood(client, 100_000, (index) =>
      Buffer.concat([asking(2 * index + 1), resetStream(2 * index + 1)]),
    )
    expect(sent).toBeLessThan(100_000)
    await client.closed
  })

  test('of SETTINGS with unread replies closes the connection', async () => {
    const client = await attacker()
    client.socket.pause()
    await flood(client, 200_000, () => settings([[settingIds.maxConcurrentStreams, 100]]))
    client.socket.resume()
    await client.closed
  })

  test('of PINGs with unread replies closes the connection', async () => {
    const client = await attacker()
    client.socket.pause()
    await flood(client, 200_000, () => frame(frameTypes.ping, flags.none, 0, Buffer.alloc(8)))
    client.socket.resume()
    await client.closed
  })

  test('of CONTINUATION frames closes the connection', async () => {
    const client = await attacker()
    const begin = frame(frameTypes.headers, flags.endStream, 1, headerBlock(requestFields('GET', '/version', token)))
    client.send(begin)
    const filling = headerBlock(Array.from({ length: 100 }, () => ['x-filling', 'y'] as const))
    await flood(client, 20_000, () => frame(frameTypes.continuation, flags.none, 1, filling))
    await client.closed
  })

  test('of empty CONTINUATION frames closes the connection', async () => {
    const client = await attacker()
    client.send(frame(frameTypes.headers, flags.endStream, 1, headerBlock(requestFields('GET', '/version', token))))
    await flood(client, 100_000, () => frame(frameTypes.continuation, flags.none, 1))
    await client.closed
  })

  test('of empty DATA frames executes nothing', async () => {
    const client = await attacker()
    client.send(headers(1, requestFields('POST', configMaps, token), flags.none))
    await flood(client, 100_000, () => frame(frameTypes.data, flags.none, 1))
    client.send(resetStream(1))
  })

  test('of PRIORITY frames changes nothing', async () => {
    const client = await attacker()
    await flood(client, 100_000, (index) =>
      frame(frameTypes.priority, flags.none, 2 * index + 1, Buffer.concat([uint32(0), Buffer.from([1])])),
    )
  })

  test('of window updates beyond the maximum closes the connection', async () => {
    const client = await attacker()
    await flood(client, 1_000, () => windowUpdate(0, 2 ** 31 - 1))
    await client.closed
  })

  test('of window updates of zero closes the connection', async () => {
    const client = await attacker()
    await flood(client, 10_000, () => windowUpdate(0, 0))
    await client.closed
  })

  test('of frames of unknown types is ignored', async () => {
    const client = await attacker()
    await flood(client, 100_000, () => frame(200, flags.none, 0, Buffer.alloc(16)))
  })

  test('of one small header block that expands to a large one is refused', async () => {
    const client = await attacker()
    const entry = Buffer.concat([Buffer.from([0x40, 1]), Buffer.from('a'), Buffer.from([0x7f, 0xa1, 0x1e])])
    const bomb = Buffer.concat([
      headerBlock(requestFields('GET', '/version', token)),
      Buffer.concat([entry, Buffer.alloc(4_000, 'b')]),
      Buffer.alloc(10_000, 0xbe),
    ])
    client.send(frame(frameTypes.headers, flags.endStream | flags.endHeaders, 1, bomb))
    const refused = await client.until(
      ({ type, stream }) => type === frameTypes.goaway || (stream === 1 && type === frameTypes.resetStream),
    )
    expect(refused).toBeDefined()
  })

  test('of a thousand streams is limited to a hundred for a stranger, and to more for a known caller', async () => {
    const stranger = await attacker(undefined, patient)
    const body = [['content-type', 'application/json']] as const
    const opened = (_: unknown, index: number) =>
      headers(2 * index + 1, requestFields('POST', '/auth/session', '', body), flags.none)
    stranger.send(...Array.from({ length: 1_000 }, opened))
    const refused = await stranger.until(
      ({ type, payload }) => type === frameTypes.resetStream && payload.readUInt32BE() === refusedStream,
    )
    expect(refused?.stream).toBe(201)
    expect(stranger.frames.filter(allows(100))).toHaveLength(1)
    expect(stranger.frames.filter(allows(250))).toHaveLength(0)
    const known = await attacker(undefined, patient)
    known.send(asking(1))
    expect(await known.until(allows(250))).toBeDefined()
  })

  test('of a thousand concurrent streams is served up to a limit', async () => {
    const client = await attacker(undefined, patient)
    const path = `${configMaps}?watch=1`
    client.send(...Array.from({ length: 1_000 }, (_, index) => asking(2 * index + 1, path)))
    await client.until(({ type, stream }) => type === frameTypes.resetStream && stream === 1_999)
    const answered = client.frames.filter(({ type, stream }) => type === frameTypes.headers && stream > 0)
    expect(answered.length).toBeLessThanOrEqual(250)
  })

  test('of a preface followed by HTTP/1.1 closes the connection', async () => {
    const client = await attacker(Buffer.concat([preface, Buffer.from('GET /version HTTP/1.1\r\nHost: x\r\n\r\n')]))
    await client.closed
  })

  test('of PUSH_PROMISE frames, which clients may not send, closes the connection', async () => {
    const client = await attacker()
    client.send(frame(frameTypes.pushPromise, flags.endHeaders, 1, uint32(2)))
    await client.closed
  })

  test('of oversized frames closes the connection', async () => {
    const client = await attacker()
    client.send(frame(frameTypes.data, flags.none, 1, Buffer.alloc(20_000)))
    await client.closed
  })
})
