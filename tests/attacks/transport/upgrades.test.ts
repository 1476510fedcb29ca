import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ExtraRoute } from '../../../src/server/contract.ts'
import { RawClient, tlsClient } from '../../server/raw-client.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'

let server: TestServer
let client: Socket
let release = (): void => {}
const outcomes: string[] = []

/** The client resets its connection at the last moment: the server does not know it yet when it sends the head. */
const lastMoment: ExtraRoute = ({ info, request: { upgrade } }) => {
  if (info.form !== 'resource' || info.subresource !== 'exec' || upgrade === undefined) return undefined
  return async () => {
    if (info.pathName === 'gone') client.resetAndDestroy()
    if (info.pathName === 'late')
      await new Promise<void>((resolve) => {
        release = resolve
      })
    return {
      status: 101,
      headers: ['Connection', 'Upgrade', 'Upgrade', upgrade],
      body: {
        form: 'upgrade',
        start: (connection) => {
          outcomes.push('started')
          connection.end('hello')
        },
        giveUp: () => outcomes.push('given up'),
      },
    }
  }
}

beforeAll(async () => {
  server = await startTestServer({ server: { extraRoutes: [lastMoment], limits: { maxOpen: 2 } } })
})

afterAll(() => server?.stop())

const head = (pod: string) =>
  `GET /api/v1/namespaces/a/pods/${pod}/exec HTTP/1.1\r\nHost: s\r\nAuthorization: Bearer admin-token\r\n` +
  'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

beforeEach(() => outcomes.splice(0))

test('an upgrade whose client has disconnected releases its place and its upstream', async () => {
  for (const count of [1, 2, 3]) {
    client = connectTcp(server.port, '127.0.0.1')
    const options = { socket: client, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }
    new RawClient(connectTls(options)).send(head('gone'))
    await eventually(() => expect(outcomes).toEqual(Array.from({ length: count }, () => 'given up')))
  }
  const next = await tlsClient(server.port)
  next.send(head('there'))
  expect(await next.until('hello')).toMatch(/^HTTP\/1\.1 101 /)
  next.destroy()
})

test('an upgrade that is ready too late is aborted', async () => {
  const late = await tlsClient(server.port)
  late.send(head('late').replace('/exec ', '/exec?timeout=1ms '))
  expect(await late.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 504 /)
  release()
  await eventually(() => expect(outcomes).toEqual(['given up']))
  late.destroy()
})
