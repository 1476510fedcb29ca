import { connect as connectHttp2 } from 'node:http2'
import { connect as connectTls } from 'node:tls'
import { type Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditRecord } from '../../src/server/contract.ts'
import { patientAgent } from '../support/network/patient-agent.ts'
import { keysPath, startPlatform, type TestPlatform } from './platform.ts'

/** The proxy and a client beside it are two addresses of this machine. */
const [proxy, stranger] = ['127.0.0.1', '127.0.0.2']

describe('behind a reverse proxy', () => {
  let platform: TestPlatform
  const records: AuditRecord[] = []
  const agents = new Map<string, Agent>()

  beforeAll(async () => {
    const proxies = { networks: [`${proxy}/32`, '10.0.0.0/8'], header: 'x-forwarded-for' } as const
    platform = await startPlatform({ server: { proxies, audit: (record) => void records.push(record) } })
    for (const localAddress of [proxy, stranger]) {
      agents.set(localAddress, patientAgent({ ca: platform.server.authority }, { localAddress }))
    }
  }, 240_000)
  afterAll(async () => {
    for (const agent of agents.values()) await agent.close()
    await platform.stop()
  })

  async function asked(from: string, headers: Record<string, string | string[]>, token = 'admin-token') {
    const dispatcher = agents.get(from)
    if (dispatcher === undefined) throw new Error(`no agent is at ${from}`)
    const answer = await request(`${platform.server.url}/api/v1/namespaces`, {
      dispatcher,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    await answer.body.dump()
    return answer.statusCode
  }

  async function sourceOf(from: string, headers: Record<string, string | string[]>): Promise<string | undefined> {
    records.length = 0
    expect(await asked(from, headers)).toBe(200)
    return records.at(-1)?.sourceAddress
  }

  it('the audit log names the client', async () => {
    expect(await sourceOf(proxy, { 'x-forwarded-for': '192.0.2.7' })).toBe('192.0.2.7')
    expect(await sourceOf(proxy, { 'x-forwarded-for': '203.0.113.9, 192.0.2.7, 10.1.1.1' })).toBe('192.0.2.7')
    expect(await sourceOf(proxy, {})).toBe(proxy)
  })

  it('several headers form one list, and the last address that is not a proxy is used', async () => {
    expect(await sourceOf(proxy, { 'x-forwarded-for': ['203.0.113.9', '192.0.2.7', '10.0.0.4'] })).toBe('192.0.2.7')
  })

  it('a client that is not a proxy cannot claim another address', async () => {
    const forged = ['192.0.2.7', '127.0.0.1', '10.0.0.1', '::1', '192.0.2.7, 127.0.0.1']
    for (const value of forged) expect(await sourceOf(stranger, { 'x-forwarded-for': value })).toBe(stranger)
    expect(await sourceOf(stranger, { forwarded: 'for=192.0.2.7', 'x-real-ip': '192.0.2.7' })).toBe(stranger)
  })

  it('no other header sets the source of a request', async () => {
    const others = { forwarded: 'for=192.0.2.7', 'x-real-ip': '192.0.2.7', 'true-client-ip': '192.0.2.7' }
    expect(await sourceOf(proxy, others)).toBe(proxy)
  })

  it('HTTP/2 requests and upgrades come from the client, too', async () => {
    const { url, authority: ca, port } = platform.server
    const session = connectHttp2(url, { ca })
    const asking = { ':path': '/api/v1/namespaces', authorization: 'Bearer admin-token' }
    const stream = session.request({ ...asking, 'x-forwarded-for': '[2001:db8:2::7]:4711' }).resume()
    await new Promise((resolve) => stream.once('end', resolve))
    session.close()
    expect(records.at(-1)?.sourceAddress).toBe('2001:db8:2::7')
    const socket = connectTls({ host: proxy, port, ca }).resume()
    socket.write('GET /version HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n')
    socket.write('X-Forwarded-For: 192.0.2.8\r\n\r\n')
    await new Promise((resolve) => socket.once('close', resolve))
    expect(records.at(-1)?.sourceAddress).toBe('192.0.2.8')
  })

  it('failed attempts of one client do not count against another', async () => {
    const guess = (client: string) => asked(proxy, { 'x-forwarded-for': client }, 'tpk_guessed')
    for (let tries = 0; tries < 25; tries += 1) await guess('198.51.100.1')
    expect(await guess('198.51.100.1')).toBe(429)
    expect(await guess('198.51.100.2')).toBe(401)
  })

  it('a client cannot bypass its limit with an address before its own', async () => {
    const guess = (before: string) => asked(proxy, { 'x-forwarded-for': `${before}, 198.51.100.3` }, 'tpk_guessed')
    for (let tries = 0; tries < 25; tries += 1) await guess(`203.0.113.${tries}`)
    expect(await guess('203.0.113.99')).toBe(429)
  })

  it('the last use of a key names the client', async () => {
    const key = await platform.keyOf('admin')
    const { body } = await platform.ask('GET', `${keysPath}/key-1-admin`, {
      token: key,
      headers: { 'x-forwarded-for': '192.0.2.44' },
    })
    expect(body.status.lastUsedFrom).toBe('192.0.2.44')
  })

  it('requests through the proxy without credentials close no shared connection', async () => {
    const session = connectHttp2(platform.server.url, { ca: platform.server.authority })
    const statuses: unknown[] = []
    for (const client of ['192.0.2.50', '192.0.2.51']) {
      const stream = session.request({ ':path': '/api/v1/namespaces', 'x-forwarded-for': client }).resume()
      stream.once('response', (headers) => statuses.push(headers[':status']))
      await new Promise((resolve) => stream.once('close', resolve))
    }
    session.close()
    expect(statuses).toEqual([403, 403])
  })
})

describe('without trusted proxies', () => {
  it('no header sets the source of a request', async () => {
    const records: AuditRecord[] = []
    const platform = await startPlatform({ server: { audit: (record) => void records.push(record) } })
    try {
      const headers = { 'x-forwarded-for': '192.0.2.7', forwarded: 'for=192.0.2.7' }
      await platform.ask('GET', '/api/v1/namespaces', { headers })
      expect(records.at(-1)?.sourceAddress).toBe(proxy)
    } finally {
      await platform.stop()
    }
  }, 240_000)
})
