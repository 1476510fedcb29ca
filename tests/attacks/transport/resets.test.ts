import { once } from 'node:events'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { configMaps, startVictim, type Victim } from './support/victim.ts'

/** Set RESETS=10000 for a long run. */
const resets = Number(process.env.RESETS ?? 500)
/** The library ends a connection on which more streams are reset in quick succession. */
const resetsPerConnection = 250
const together = 25

describe('streams that end during large writes', () => {
  let victim: Victim
  beforeAll(async () => {
    victim = await startVictim()
    const data = { filling: 'x'.repeat(990_000) }
    await victim.client.must('POST', configMaps, { metadata: { name: 'large' }, data })
  })
  afterAll(() => victim?.stop())
  afterEach(() => victim.mustBeAlive())

  const open = async (): Promise<ClientHttp2Session> => {
    const session = connect(victim.server.url, { ca: victim.server.authority })
    session.on('error', () => {})
    await once(session, 'connect')
    return session
  }

  const ask = (session: ClientHttp2Session, path = `${configMaps}/large`) =>
    session.request({ ':path': path, authorization: `Bearer ${victim.server.token}` }).on('error', () => {})

  /** Resets the stream at the first piece of its answer. */
  async function resetWhileWritten(session: ClientHttp2Session): Promise<boolean> {
    const stream = ask(session)
    let isBegun = false
    stream.once('data', () => {
      isBegun = true
      stream.close(constants.NGHTTP2_CANCEL)
    })
    await once(stream, 'close')
    return isBegun
  }

  test(`by a reset: ${resets} times`, { timeout: 600_000 }, async () => {
    let begun = 0
    for (let done = 0; done < resets; ) {
      const session = await open()
      for (let here = 0; here < resetsPerConnection && done < resets; here += together) {
        const outcomes = await Promise.all(Array.from({ length: together }, () => resetWhileWritten(session)))
        begun += outcomes.filter(Boolean).length
        done += together
      }
      session.destroy()
    }
    expect(begun).toBe(resets)
  })

  test('by the end of the connection over HTTP/2: 40 times', async () => {
    for (let round = 0; round < 40; round += 1) {
      const session = await open()
      const streams = Array.from({ length: 10 }, () => ask(session))
      await once(streams[0] ?? ask(session), 'data')
      session.destroy()
    }
  })

  test('by the end of the connection over HTTP/1.1: 40 times', async () => {
    for (let round = 0; round < 40; round += 1) {
      const client = await victim.connect()
      const get = `GET ${configMaps}/large HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${victim.server.token}\r\n\r\n`
      client.send(get.repeat(3))
      await once(client.socket, 'data')
      client.destroy()
      await client.closed
    }
  })

  test('by the end of the server itself', async () => {
    const own = await startVictim()
    const data = { filling: 'x'.repeat(990_000) }
    await own.client.must('POST', configMaps, { metadata: { name: 'large' }, data })
    const session = connect(own.server.url, { ca: own.server.authority })
    session.on('error', () => {})
    const head = { ':path': `${configMaps}/large`, authorization: `Bearer ${own.server.token}` }
    const streams = Array.from({ length: 50 }, () => session.request(head).on('error', () => {}))
    await Promise.all(streams.map((stream) => once(stream, 'response')))
    const { code, signal } = await own.server.stop()
    expect([code, signal]).toEqual([0, null])
    session.destroy()
    await own.stop()
  })
})
