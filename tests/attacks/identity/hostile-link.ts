import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import { controlPath } from '../../../src/api/link.ts'
import { drainOf } from '../../../src/server/transport/drain.ts'
import { type Dial, dial, proveToBe } from '../../link/claims.ts'
import type { TestPlatform } from '../../platform/platform.ts'

/** A link whose tenant ignores the protocol, from the first byte on. */
export interface HostileLink {
  readonly connection: Duplex
  readonly closed: Promise<void>
}

export async function openHostileLink(platform: TestPlatform, asked: Dial): Promise<HostileLink> {
  const dialed = await dial(platform, asked)
  if (!('connection' in dialed)) throw new Error(`no link: ${dialed.status} ${dialed.text}`)
  const { connection } = dialed
  return { connection, closed: new Promise((resolve) => connection.once('close', () => resolve())) }
}

/** The same with its own proof. */
export async function linkHostile(platform: TestPlatform, token: string, name: string): Promise<HostileLink> {
  return openHostileLink(platform, { token, name, proof: await proveToBe(platform, { token, name }) })
}

export interface SpokenLink extends HostileLink {
  readonly session: ServerHttp2Session
  readonly control: ServerHttp2Stream
  /** The messages of the platform on the link so far. */
  readonly said: () => readonly { readonly type: string; readonly reason?: string; readonly message?: string }[]
}

/** A hostile tenant that uses Node's HTTP/2, once the platform has opened the control stream. */
export async function speak(
  link: HostileLink,
  answer: (stream: ServerHttp2Stream, path: string) => void = (stream) => stream.respond({}, { endStream: true }),
): Promise<SpokenLink> {
  const session = performServerHandshake(link.connection)
  session.on('error', () => {})
  let text = ''
  const control = await new Promise<ServerHttp2Stream>((resolve) => {
    session.on('stream', (stream, headers) => {
      stream.on('error', () => {})
      const path = headers[':path'] ?? ''
      if (path !== controlPath) return answer(stream, path)
      stream.respond({ ':status': 200 })
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      resolve(stream)
    })
  })
  const said = () =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  return { ...link, session, control, said }
}

const types = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goAway: 7,
  window: 8,
  continuation: 9,
  altsvc: 10,
  origin: 12,
} as const

/** A frame of HTTP/2 as bytes, for frames that no library would send. */
export function frame(
  type: keyof typeof types,
  flags: number,
  streamId: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(types[type], 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(streamId, 5)
  return Buffer.concat([head, payload])
}

/** `:status: 200`, by its number in the table of HPACK. */
export const statusOk = Buffer.from([0x88])

/** A hostile tenant that begins with valid HTTP/2, and continues with arbitrary bytes. Resolves when all are sent. */
export async function sendFrames({ connection }: HostileLink, ...frames: readonly Buffer[]): Promise<void> {
  connection.write(frame('settings', 0, 0))
  for (const each of frames) {
    if (connection.destroyed) return
    if (!connection.write(each)) await drainOf(connection)
  }
}

const prefaceBytes = 24

/** Resolves when the platform announces the end of the link, or closes the connection. */
export function givenUp({ connection, closed }: HostileLink): Promise<void> {
  let received = Buffer.alloc(0)
  const told = new Promise<void>((resolve) => {
    connection.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (framesIn(received.subarray(prefaceBytes)).includes(types.goAway)) resolve()
    })
  })
  return Promise.race([told, closed])
}

function framesIn(bytes: Buffer): readonly number[] {
  const found: number[] = []
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) found.push(bytes.readUInt8(at + 3))
  return found
}
