import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { type Duplex, PassThrough } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { expect, it } from 'vitest'
import type { Handler } from '../../src/server/exchange.ts'
import { isLongRunning } from '../../src/server/fairness/long-running.ts'
import type { Limits } from '../../src/server/limits.ts'
import { jsonResponse } from '../../src/server/responses/responses.ts'
import { startTestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { tlsClient } from './raw-client.ts'

it('an upgrade request occupies a slot if a route of the server answers it', async () => {
  const server = await startTestServer({
    server: {
      extraRoutes: [
        ({ info }) =>
          info.path === '/own'
            ? async (exchange) => jsonResponse(200, { isLongRunning: isLongRunning(exchange) })
            : undefined,
      ],
    },
  })
  const client = await tlsClient(server.port)
  const head = ['GET /own HTTP/1.1', 'Host: x', 'Authorization: Bearer admin-token']
  client.send([...head, 'Connection: Upgrade', 'Upgrade: websocket', '', ''].join('\r\n'))
  expect(await client.until('isLongRunning')).toContain('{"isLongRunning":false}')
  client.destroy()
  await server.stop()
})

it.each<readonly [string, Partial<Limits>, (tcp: Socket) => void]>([
  ['was reset', { unreadTimeoutMs: 50 }, (tcp) => tcp.resetAndDestroy()],
  ['has closed its side', { unreadTimeoutMs: 50, stuckTunnelTimeoutMs: 50 }, (tcp) => tcp.end()],
])('a client that %s is detected while the server does not read from it', async (_, limits, leave) => {
  let isTaken = (_: Duplex) => {}
  const taken = new Promise<Duplex>((resolve) => {
    isTaken = resolve
  })
  const upgraded: Handler = () => ({
    status: 101,
    headers: ['Connection', 'Upgrade', 'Upgrade', 'websocket'],
    body: { form: 'upgrade', source: new PassThrough(), start: (client) => isTaken(client.pause()), giveUp: () => {} },
  })
  const server = await startTestServer({
    server: { limits, extraRoutes: [({ info }) => (info.path === '/own' ? upgraded : undefined)] },
  })
  const tcp = connectTcp(server.port, '127.0.0.1')
  const client = connectTls({ socket: tcp, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
  client.on('error', () => {})
  const head = ['GET /own HTTP/1.1', 'Host: x', 'Authorization: Bearer admin-token']
  client.write([...head, 'Connection: Upgrade', 'Upgrade: websocket', '', ''].join('\r\n'))
  const socket = await taken
  client.write(Buffer.alloc(1024 * 1024))
  await eventually(() => expect(socket.readableLength).toBeGreaterThan(0))
  leave(tcp)
  await once(socket, 'close')
  await server.stop()
})
