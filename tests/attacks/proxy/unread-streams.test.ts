import { connect, type ServerHttp2Stream } from 'node:http2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { upgradeHeader } from '../../../src/api/link.ts'
import { http2Ask, http2Client, tlsClient } from '../../server/raw-client.ts'
import { eventually } from '../../support/eventually.ts'
import { answering, endless, type HostileTenant, startHostileTenant } from './hostile-tenant.ts'

const perCaller = 512 * 1024
const opened = 12
/** Each holds more than a twelfth of the memory. */
const kept = 6

let tenant: HostileTenant
let streams: ServerHttp2Stream[] = []

beforeAll(async () => {
  // The timeout of an unread answer must not end any of these.
  const limits = { maxUnreadBytesPerCaller: perCaller, unreadTimeoutMs: 3_600_000 }
  tenant = await startHostileTenant({ server: { limits } })
})
afterAll(() => tenant?.stop())

/** Sends an endless answer with these headers. */
function flood(headers: Readonly<Record<string, string>>): void {
  streams = []
  const say = endless(headers)
  tenant.say((stream) => {
    streams.push(stream)
    say(stream)
  })
}

/** As many streams are left as fit into the memory of one caller, and other requests are answered. */
async function someAreCut(): Promise<void> {
  await eventually(() => expect(streams).toHaveLength(opened))
  await eventually(() => expect(streams.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(kept))
  tenant.say(answering({}))
  const another = http2Client(tenant.platform.server.port)
  expect((await http2Ask(another, `${tenant.base}/api`)).status).toBe(200)
  another.destroy()
}

describe('unread data of one caller takes no more memory than watches of the platform may', () => {
  test('of followed logs', async () => {
    flood({})
    const session = connect(tenant.platform.server.url, {
      rejectUnauthorized: false,
      settings: { initialWindowSize: 0 },
    })
    session.on('error', () => {})
    const headers = {
      ':path': `${tenant.base}/api/v1/namespaces/a/pods/b/log?follow=true`,
      authorization: 'Bearer admin-token',
    }
    for (let count = 0; count < opened; count += 1) session.request(headers).on('error', () => {})
    await someAreCut()
    session.destroy()
  })

  test('of upgraded connections', async () => {
    flood({ [upgradeHeader]: 'websocket' })
    const head =
      `GET ${tenant.base}/api/v1/namespaces/a/pods/b/exec?command=yes HTTP/1.1\r\nHost: s\r\n` +
      'Authorization: Bearer admin-token\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    const clients = await Promise.all(Array.from({ length: opened }, () => tlsClient(tenant.platform.server.port)))
    for (const client of clients) {
      client.socket.pause()
      client.send(head)
    }
    await someAreCut()
    for (const client of clients) client.destroy()
  })
})
