import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  flags,
  frame,
  frameTypes,
  goaway,
  headers,
  preface,
  requestFields,
  resetStream,
  settings,
} from './support/frames.ts'
import { counted } from './support/http1.ts'
import { rawHttp2 } from './support/raw-http2.ts'
import { configMaps, startVictim, type Victim } from './support/victim.ts'

/**
 * Node 20 frees memory that it still reads when streams follow the end of a session; unprotected, about 100 of these
 * ended the process.
 */
const connections = Number(process.env.GOAWAYS ?? 200)
const together = 12

describe('streams after the end of their session, in the same bytes,', () => {
  let victim: Victim
  beforeAll(async () => {
    victim = await startVictim()
  })
  afterAll(() => victim?.stop())
  afterEach(() => victim.mustBeAlive())

  const opening = Buffer.concat([preface, settings()])
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => 2 * (from + index) + 1)
  const asking = (stream: number, token = '') => headers(stream, requestFields('GET', '/version', token))
  const before = numbers(0, 10)
  const behind = numbers(10, 30)

  /** Sends the same bytes on many connections. The server ends each one, or the client after its last byte. */
  async function repeat(bytes: Buffer): Promise<void> {
    let begun = 0
    const attack = async () => {
      while (begun < connections) {
        begun += 1
        const client = await rawHttp2(victim.server.port, bytes)
        await client.until(({ type }) => type === frameTypes.goaway)
        client.destroy()
        await client.closed
      }
    }
    await Promise.all(Array.from({ length: together }, attack))
  }

  const timeout = 60_000 + 100 * connections

  test('after a GOAWAY of a client with earlier requests', { timeout }, () =>
    repeat(
      Buffer.concat([
        opening,
        ...before.map((stream) => asking(stream)),
        goaway(),
        ...behind.map((stream) => asking(stream)),
      ]),
    ),
  )

  test('after a GOAWAY as the first frame', { timeout }, () =>
    repeat(Buffer.concat([opening, goaway(), ...numbers(0, 30).map((stream) => asking(stream))])),
  )

  test('after a GOAWAY between reset streams', { timeout }, () =>
    repeat(
      Buffer.concat([
        opening,
        ...before.flatMap((stream) => [asking(stream), resetStream(stream)]),
        goaway(),
        ...behind.map((stream) => asking(stream)),
      ]),
    ),
  )

  test('after the response to a stranger, which is the last', { timeout }, () =>
    repeat(
      Buffer.concat([
        opening,
        ...numbers(0, 30).map((stream) => headers(stream, requestFields('GET', configMaps, ''))),
      ]),
    ),
  )

  test('after a GOAWAY, with unwanted bodies and a frame of invalid length at the end', { timeout }, () =>
    repeat(
      Buffer.concat([
        opening,
        ...before.map((stream) => headers(stream, requestFields('POST', '/nothing/here', ''), flags.none)),
        goaway(),
        ...behind.map((stream) => asking(stream)),
        frame(frameTypes.data, flags.endStream, 1),
        frame(frameTypes.ping, flags.none, 0, Buffer.alloc(1)),
      ]),
    ),
  )

  test('are not executed, and earlier streams are, once', async () => {
    const { token } = victim.server
    const write = (stream: number, prefix: string) => [
      headers(stream, requestFields('POST', configMaps, token, [['content-type', 'application/json']]), flags.none),
      frame(frameTypes.data, flags.endStream, stream, Buffer.from(counted(prefix))),
    ]
    const client = await rawHttp2(
      victim.server.port,
      Buffer.concat([opening, ...write(1, 'before-'), goaway(), ...write(3, 'behind-')]),
    )
    const answered = await client.until(({ type, stream }) => type === frameTypes.headers && stream === 1)
    expect(answered).toBeDefined()
    const last = await client.until(({ type }) => type === frameTypes.goaway)
    expect(last?.payload.readUInt32BE(0)).toBe(1)
    await client.closed
    expect(await victim.names('before-')).toHaveLength(1)
    expect(await victim.names('behind-')).toHaveLength(0)
  })
})
