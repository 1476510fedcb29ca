import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ExtraRoute } from '../../../src/server/contract.ts'
import { type RawClient, tlsClient } from '../../server/raw-client.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'
import { headers, preface, requestFields, resetStream, settings } from './support/frames.ts'
import { get, head } from './support/http1.ts'
import { configMaps } from './support/victim.ts'

/**
 * What Node reads of one connection takes tens of milliseconds to process. A hundred open connections of a stranger
 * took four seconds together.
 */

const hostile = '127.0.0.5'
const elsewhere = '127.0.0.6'
const together = 6
let server: TestServer

/** A connection that switches to another protocol, as links and `exec` do. */
const echo: ExtraRoute = ({ info, request: { upgrade } }) => {
  if (info.form !== 'resource' || info.subresource !== 'exec' || upgrade === undefined) return undefined
  return async () => ({
    status: 101,
    headers: ['Connection', 'Upgrade', 'Upgrade', upgrade],
    body: {
      form: 'upgrade',
      start: (connection) => {
        connection.on('error', () => {}).on('data', (chunk: Buffer) => connection.write(chunk))
        connection.write('entered')
      },
      giveUp: () => {},
    },
  })
}

const clients: RawClient[] = []

beforeAll(async () => {
  server = await startTestServer({ server: { extraRoutes: [echo] } })
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
const enter = head('GET', '/api/v1/namespaces/a/pods/web/exec', sender, 'Connection: Upgrade\r\nUpgrade: websocket\r\n')
const post = head('POST', configMaps, sender, 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n')
const streams = Array.from({ length: 1_000 }, (_, index) => 2 * index + 1).flatMap((stream) => [
  headers(stream, requestFields('GET', '/version', '')),
  resetStream(stream),
])

describe.each([
  ['pipelined requests', 'http/1.1', 'GET /version HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000)],
  ['pieces of one byte', 'http/1.1', post + '1\r\n \r\n'.repeat(5_000)],
  ['canceled streams', 'h2', Buffer.concat([preface, settings(), ...streams]).toString('latin1')],
])('a flood of %s on several connections', (_, protocol, bytes) => {
  test('closes all connections of the stranger, and none of known callers or other networks', async () => {
    const [idle, known, other] = [await from(hostile), await from(hostile), await from(elsewhere)]
    const ask = get('/version', sender)
    known.send(ask)
    await known.until('"gitVersion"')
    const entered = await from(hostile)
    entered.send(enter)
    await entered.until('entered')
    await eventually(async () => {
      const flooding = await Promise.all(Array.from({ length: together }, () => from(hostile, protocol)))
      for (const client of flooding) client.send(bytes)
      await Promise.all(flooding.map(({ closed }) => closed))
      expect(idle.socket.destroyed).toBe(true)
    })
    known.send(ask)
    await known.until('"gitVersion"', 2)
    entered.send('still here')
    await entered.until('still here')
    other.send(ask)
    await other.until('"gitVersion"')
  })
})
