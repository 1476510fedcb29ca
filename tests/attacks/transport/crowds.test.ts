import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RawClient, tlsClient } from '../../server/raw-client.ts'
import { startTestServer, type TestServer } from '../../support/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import { headers, preface, requestFields, resetStream, settings } from './support/frames.ts'
import { get, head } from './support/http1.ts'
import { configMaps } from './support/victim.ts'

/** What Node reads of one connection takes tens of milliseconds, and a hundred connections that a stranger had opened before took four seconds together. */

const hostile = '127.0.0.5'
const elsewhere = '127.0.0.6'
const together = 6
let server: TestServer
const clients: RawClient[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.stop())
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})

async function from(address: string, protocol = 'http/1.1'): Promise<RawClient> {
  const client = await tlsClient(server.port, protocol, address)
  clients.push(client)
  return client
}

const sender = { token: 'admin-token' }
const post = head('POST', configMaps, sender, 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n')
const streams = Array.from({ length: 1_000 }, (_, index) => 2 * index + 1).flatMap((stream) => [
  headers(stream, requestFields('GET', '/version', '')),
  resetStream(stream),
])

describe.each([
  ['requests sent ahead', 'http/1.1', 'GET /version HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000)],
  ['pieces of one byte', 'http/1.1', post + '1\r\n \r\n'.repeat(5_000)],
  ['streams that are taken back', 'h2', Buffer.concat([preface, settings(), ...streams]).toString('latin1')],
])('a flood of %s on several connections', (_, protocol, bytes) => {
  test('costs a stranger all connections, and callers who are known, or elsewhere, none', async () => {
    const [idle, known, other] = [await from(hostile), await from(hostile), await from(elsewhere)]
    const ask = get('/version', sender)
    known.send(ask)
    await known.until('"gitVersion"')
    await eventually(async () => {
      const flooding = await Promise.all(Array.from({ length: together }, () => from(hostile, protocol)))
      for (const client of flooding) client.send(bytes)
      await Promise.all(flooding.map(({ closed }) => closed))
      expect(idle.socket.destroyed).toBe(true)
    })
    known.send(ask)
    await known.until('"gitVersion"', 2)
    other.send(ask)
    await other.until('"gitVersion"')
  })
})
