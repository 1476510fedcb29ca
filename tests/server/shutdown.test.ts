import { once } from 'node:events'
import { connect } from 'node:http2'
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Handler } from '../../src/server/exchange.ts'
import { defaultLimits } from '../../src/server/limits.ts'
import { jsonResponse } from '../../src/server/responses/responses.ts'
import { startTestServer } from '../support/clusters/api-server.ts'
import { testClock } from '../support/registry.ts'
import { http2Ask, http2Client, plainClient, tlsClient } from './raw-client.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const { shutdownTimeoutMs } = defaultLimits
/** Longer than a test takes: the end of a server does not wait for it. */
const lingerMs = 300_000
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin-token\r\n\r\n`

describe('a server that is stopped', () => {
  it('ends watches cleanly, closes idle connections and accepts no more', async () => {
    const server = await startTestServer({ server: { limits: { shutdownTimeoutMs, lingerMs } } })
    const [watcher, idle] = [await tlsClient(server.port), await tlsClient(server.port)]
    watcher.send(get(`${configMaps}?watch=1`))
    idle.send(get('/version'))
    await Promise.all([watcher.until('200 OK'), idle.until('200 OK')])
    const session = http2Client(server.port)
    const stream = session.request({ ':path': `${configMaps}?watch=1`, authorization: 'Bearer admin-token' })
    await once(stream, 'response')
    const goaway = once(session, 'goaway')
    const ended = once(stream.resume(), 'end')
    const started = performance.now()
    await server.stop()
    expect(performance.now() - started).toBeLessThan(shutdownTimeoutMs)
    await Promise.all([goaway, ended, watcher.closed, idle.closed])
    expect(stream.rstCode).toBe(0)
    expect(watcher.received.endsWith('\r\n0\r\n\r\n')).toBe(true)
    await expect(plainClient(server.port)).rejects.toThrow('ECONNREFUSED')
  })

  it('does not wait for a client that is closing its HTTP/2 connection', async () => {
    const limits = { shutdownTimeoutMs: 300_000, lingerMs }
    const server = await startTestServer({ clock: testClock(), server: { limits } })
    const session = http2Client(server.port)
    await http2Ask(session, '/version')
    session.close()
    await server.stop()
  })

  it('announces the shutdown in advance, and continues', async () => {
    const server = await startTestServer()
    const session = http2Client(server.port)
    server.engine.server.drain()
    expect((await http2Ask(session, '/readyz')).status).toBe(500)
    expect((await http2Ask(session, '/livez')).status).toBe(200)
    expect((await http2Ask(session, configMaps)).status).toBe(200)
    session.close()
    await server.stop()
  })

  it('still answers a pending upgrade request', async () => {
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let isAsked = () => {}
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const slow: Handler = async () => {
      isAsked()
      await held
      return jsonResponse(200, { still: 'answered' })
    }
    const server = await startTestServer({
      server: {
        extraRoutes: [({ info }) => (info.path === '/slow' ? slow : undefined)],
        limits: { shutdownTimeoutMs: 300_000, lingerMs },
      },
    })
    const [client, idle] = [await tlsClient(server.port), await tlsClient(server.port)]
    client.send(get('/slow').replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'))
    await asked
    const stopped = server.stop()
    await idle.closed
    goOn()
    await Promise.all([stopped, client.closed])
    expect(client.received).toContain('{"still":"answered"}')
  })

  it('aborts requests that do not finish', async () => {
    const server = await startTestServer({ server: { limits: { shutdownTimeoutMs: 200 } } })
    const stuck = await tlsClient(server.port)
    stuck.send(
      `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin-token\r\nContent-Length: 100\r\n\r\n{`,
    )
    await http2Ask(http2Client(server.port), '/version')
    await server.stop()
    await stuck.closed
  })
})

it('a server that stops sends its last response completely to a slow reader', async () => {
  const server = await startTestServer({ server: { limits: { shutdownTimeoutMs: 300_000, lingerMs } } })
  const link = await slowLink(server.port)
  const window = 4_800_000
  const settings = { initialWindowSize: window }
  const session = connect(`https://127.0.0.1:${link.port}`, { rejectUnauthorized: false, settings })
  session.on('error', () => {})
  await once(session, 'remoteSettings')
  session.setLocalWindowSize(window)
  const text = 'x'.repeat(900_000)
  const headers = { 'content-type': 'application/json' }
  for (const name of ['a', 'b', 'c', 'd']) {
    const body = JSON.stringify({ metadata: { name }, data: { text } })
    expect((await http2Ask(session, configMaps, { method: 'POST', headers, body })).status).toBe(201)
  }
  const asked = http2Ask(session, configMaps)
  await link.pauseAfter(100_000)
  const stopped = server.stop()
  await delay(500)
  session.ping(() => {})
  await delay(50)
  link.resume()
  expect((await asked).text.split(text)).toHaveLength(5)
  await stopped
  link.close()
}, 120_000)

/** Forwards bytes between one client and a server; those of the server can be held back. */
async function slowLink(port: number) {
  const ends: Socket[] = []
  const between = createServer((client) => {
    const server = connectTcp(port, '127.0.0.1')
    ends.push(client, server)
    for (const end of ends) end.on('error', () => {})
    client.pipe(server)
    server.pipe(client)
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  return {
    port: (between.address() as AddressInfo).port,
    /** Resolves when the server has sent that much. */
    pauseAfter: (bytes: number) =>
      new Promise<void>((resolve) => {
        let left = bytes
        ends[1]?.on('data', (data: Buffer) => {
          left -= data.length
          if (left > 0) return
          ends[1]?.removeAllListeners('data').unpipe().pause()
          resolve()
        })
      }),
    resume: () => ends[0] && ends[1]?.pipe(ends[0]),
    close: () => between.close(),
  }
}
