import { type ClientHttp2Session, connect } from 'node:http2'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { upgradeHeader } from '../../../src/api/link.ts'
import { inside, startLinkPlatform, tenantKey } from '../../link/support.ts'
import type { TestPlatform } from '../../platform/platform.ts'
import { type RawClient, tlsClient } from '../../server/raw-client.ts'
import { eventually } from '../../support/eventually.ts'
import { frame, type HostileLink, linkHostile, sendFrames, statusOk } from '../identity/hostile-link.ts'

const perCaller = 512 * 1024
const opened = 6
/** More than the platform sends ahead to a client that reads nothing. All of them are less than a caller may have. */
const ahead = 80_000
/** Far less than one caller may leave unread, if only bytes count. */
const pieces = 3_000
const tiny = Buffer.from('x')
/** The platform opens the control stream first. */
const idOf = (index: number) => 3 + 2 * index

let platform: TestPlatform
let token = ''
let made = 0
let link: HostileLink | undefined
let session: ClientHttp2Session | undefined
let clients: readonly RawClient[] = []

beforeAll(async () => {
  // The timeout of an unread answer must not end any of these.
  const limits = { maxUnreadBytesPerCaller: perCaller, unreadTimeoutMs: 3_600_000 }
  platform = await startLinkPlatform({ server: { limits } })
  token = await tenantKey(platform, 'hostile')
})
afterEach(() => {
  session?.destroy()
  link?.connection.destroy()
  for (const client of clients) client.destroy()
  clients = []
})
afterAll(() => platform?.stop())

interface Linked {
  readonly name: string
  readonly link: HostileLink
  asked(): number
  /** Waits until the platform has passed on what it could of all frames so far. */
  settled(): Promise<void>
}

/** A virtual cluster that sends frames as they are, and gives no window to the platform. */
async function linked(): Promise<Linked> {
  made += 1
  const name = `pieces-${made}`
  const hostile = await linkHostile(platform, token, name)
  link = hostile
  let asked = 0
  let echoes = 0
  readFrames(hostile, (type, flags, payload) => {
    if (type === headers) asked += 1
    if (type === ping && flags === 0) hostile.connection.write(frame('ping', 1, 0, payload))
    if (type === ping && flags === 1) echoes += 1
  })
  const noWindow = frame('settings', 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]))
  await sendFrames(hostile, noWindow, frame('settings', 1, 0), frame('headers', 4, 1, statusOk))
  // The platform answers the second one in a later iteration of its event loop.
  const settled = async () => {
    for (const echo of [echoes + 1, echoes + 2]) {
      await sendFrames(hostile, frame('ping', 0, 0, Buffer.alloc(8)))
      await eventually(() => expect(echoes).toBe(echo))
    }
  }
  return { name, link: hostile, asked: () => asked - 1, settled }
}

const headers = 1
const ping = 6
const prefaceBytes = 24

function readFrames({ connection }: HostileLink, take: (type: number, flags: number, payload: Buffer) => void): void {
  let received = Buffer.alloc(0)
  let at = prefaceBytes
  connection.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (; at + 9 <= received.length && at + 9 + received.readUIntBE(at, 3) <= received.length; ) {
      const end = at + 9 + received.readUIntBE(at, 3)
      take(received.readUInt8(at + 3), received.readUInt8(at + 4), Buffer.from(received.subarray(at + 9, end)))
      at = end
    }
  })
}

/** The link itself stays open. */
async function isServed(hostile: HostileLink): Promise<void> {
  expect(hostile.connection.destroyed).toBe(false)
  expect((await platform.ask('GET', '/livez')).status).toBe(200)
}

describe('what comes in pieces of one byte and is not read takes no more memory than a caller may have', () => {
  test('logs that a virtual cluster sends', async () => {
    const { name, link: hostile, asked, settled } = await linked()
    session = connect(platform.server.url, { rejectUnauthorized: false, settings: { initialWindowSize: 0 } })
    session.on('error', () => {})
    let ended = 0
    const head = {
      ':path': `${inside(name)}/api/v1/namespaces/a/pods/b/log?follow=true`,
      authorization: 'Bearer admin-token',
    }
    for (let count = 0; count < opened; count += 1) {
      const stream = session.request(head).on('error', () => {})
      stream.on('close', () => {
        ended += 1
      })
    }
    await eventually(() => expect(asked()).toBe(opened))
    const ids = Array.from({ length: opened }, (_, index) => idOf(index))
    await sendFrames(hostile, ...ids.map((id) => frame('headers', 4, id, statusOk)))
    for (const id of ids) {
      await sendFrames(hostile, ...Array.from({ length: 5 }, () => frame('data', 0, id, Buffer.alloc(ahead / 5))))
    }
    await settled()
    expect(ended).toBe(0)
    for (const id of ids) {
      const one = frame('data', 0, id, tiny)
      await sendFrames(hostile, Buffer.concat(Array.from({ length: pieces }, () => one)))
    }
    await eventually(() => expect(ended).toBeGreaterThanOrEqual(opened - 1))
    await isServed(hostile)
  })

  test('what clients send into connections that a virtual cluster does not read', async () => {
    const { name, link: hostile, asked } = await linked()
    clients = await Promise.all(Array.from({ length: opened }, () => tlsClient(platform.server.port)))
    let ended = 0
    for (const client of clients) {
      client.socket.on('close', () => {
        ended += 1
      })
      client.send(
        `GET ${inside(name)}/api/v1/namespaces/a/pods/b/exec?command=yes HTTP/1.1\r\nHost: s\r\n` +
          'Authorization: Bearer admin-token\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      )
    }
    await eventually(() => expect(asked()).toBe(opened))
    await sendFrames(hostile, ...clients.map((_, index) => frame('headers', 4, idOf(index), upgraded)))
    for (const client of clients) expect(await client.until('\r\n\r\n')).toContain('101')
    await Promise.all(clients.map(sendTiny))
    await eventually(() => expect(ended).toBeGreaterThanOrEqual(opened - 1))
    await isServed(hostile)
  })
})

/** `:status: 200` and the header that stands for an upgrade, without any table. */
const upgraded = Buffer.concat([statusOk, Buffer.from([0]), text(upgradeHeader), text('websocket')])

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)])
}

/** More than the platform sends ahead, and then bytes that are a TLS record each. */
async function sendTiny({ socket }: RawClient): Promise<void> {
  const write = (bytes: Buffer) => new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  await write(Buffer.alloc(64 * 1024))
  for (let count = 0; count < pieces && !socket.destroyed; count += 1) await write(tiny)
}
