import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { http2Ask, http2Client, tlsClient } from '../../server/raw-client.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { flags, frame, frameTypes, headers, requestFields } from './support/frames.ts'
import { chunked, head, named } from './support/http1.ts'
import { rawHttp2 } from './support/raw-http2.ts'
import { configMaps } from './support/victim.ts'

/**
 * Node makes a call for each piece of a body, and reads two megabytes of a connection in one turn: a few connections
 * blocked all others for seconds.
 */

const sender = { token: 'admin-token' }
const type = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n'
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.stop())

const piecesOf = (count: number) => '1\r\n \r\n'.repeat(count)

describe('a body in chunks of one byte', () => {
  test('is refused after a thousand chunks, and the connection is closed', async () => {
    const client = await tlsClient(server.port)
    client.send(head('POST', configMaps, sender, type) + piecesOf(5_000))
    await client.closed
    expect(client.received).toMatch(/^HTTP\/1.1 400 /)
    expect(client.received).toContain('too many small pieces')
  })

  test('that never ends is refused, and read no further', async () => {
    const client = await tlsClient(server.port)
    client.send(head('POST', configMaps, sender, type))
    const flood = Buffer.from(piecesOf(10_000))
    let sent = 0
    const more = () => {
      sent += flood.length
      if (!client.socket.destroyed) client.socket.write(flood, more)
    }
    more()
    await client.closed
    expect(sent).toBeLessThan(8 * 1024 * 1024)
  })

  test('is refused over HTTP/2, without affecting other streams', async () => {
    const client = await rawHttp2(server.port)
    const fields = requestFields('POST', configMaps, sender.token, [['content-type', 'application/json']])
    client.send(headers(1, fields, flags.none))
    const piece = frame(frameTypes.data, flags.none, 1, Buffer.from(' '))
    client.send(Buffer.concat(Array.from({ length: 5_000 }, () => piece)))
    const answer = await client.until(({ type: kind, stream }) => kind === frameTypes.data && stream === 1)
    expect(answer?.payload.toString()).toContain('too many small pieces')
    client.destroy()
    const session = http2Client(server.port)
    expect((await http2Ask(session, '/version')).status).toBe(200)
    session.destroy()
  })

  test.each([
    ['a small one, however it comes', named('small'), 1],
    [
      'a large one in chunks of some size',
      JSON.stringify({ metadata: { name: 'large' }, data: { x: 'x'.repeat(200_000) } }),
      40,
    ],
  ])('is accepted: %s', async (_, body, length) => {
    const client = await tlsClient(server.port)
    client.send(chunked('POST', configMaps, sender, body, length))
    expect(await client.until('\r\n\r\n')).toMatch(/^HTTP\/1.1 201 /)
    client.socket.destroy()
  })
})
