import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../../src/server/limits.ts'
import { startTestServer } from '../support/api-server.ts'
import { testClock } from '../support/registry.ts'
import { http2Ask, http2Client, plainClient, tlsClient } from './raw-client.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const { shutdownTimeoutMs } = defaultLimits
/** Longer than a test takes: the end of a server does not wait for it. */
const lingerMs = 300_000
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin-token\r\n\r\n`

describe('a server that is stopped', () => {
  it('ends watches cleanly, lets idle connections go and takes no more', async () => {
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

  it('does not wait for a client that is just closing its HTTP/2 connection, whatever its clock says', async () => {
    const limits = { shutdownTimeoutMs: 300_000, lingerMs }
    const server = await startTestServer({ clock: testClock(), server: { limits } })
    const session = http2Client(server.port)
    await http2Ask(session, '/version')
    session.close()
    await server.stop()
  })

  it('says before that it is about to stop, and goes on', async () => {
    const server = await startTestServer()
    const session = http2Client(server.port)
    server.engine.server.drain()
    expect((await http2Ask(session, '/readyz')).status).toBe(500)
    expect((await http2Ask(session, '/livez')).status).toBe(200)
    expect((await http2Ask(session, configMaps)).status).toBe(200)
    session.close()
    await server.stop()
  })

  it('gives up on those who do not finish', async () => {
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
