import { expect, it } from 'vitest'
import { isLongRunning } from '../../src/server/fairness/long-running.ts'
import { jsonResponse } from '../../src/server/responses.ts'
import { startTestServer } from '../support/api-server.ts'
import { tlsClient } from './raw-client.ts'

it('a request for an upgrade takes a place if a route of the server itself answers it', async () => {
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
