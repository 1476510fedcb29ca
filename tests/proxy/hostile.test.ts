import { connect, type IncomingHttpHeaders } from 'node:http2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import type { LinkRequest } from '../../src/tenant/link/contract.ts'
import { inside, link, startLinkPlatform, type TestLink, tenantKey } from '../link/support.ts'
import { group, management, type TestPlatform } from '../platform/platform.ts'
import { eventually } from '../support/eventually.ts'
import { type HostileApi, startHostileApi } from './hostile-api.ts'

let platform: TestPlatform
let linked: TestLink
let hostile: HostileApi

/** Claims that the connection switches to another protocol, or sends nothing at all. */
const unruly = {
  serve: ({ stream, headers }: LinkRequest) => {
    if (headers[':path'] === '/silent') return
    stream.respond({ ':status': 200, 'tenant-upgrade': 'websocket' })
    stream.end('{}')
  },
  bindClusterRole: async () => {},
}

beforeAll(async () => {
  ;[platform, hostile] = await Promise.all([startLinkPlatform(), startHostileApi()])
  const { url, authority } = platform.server
  linked = link({ accessKey: await tenantKey(platform, 'tenant'), url, authority, virtualApi: unruly })
  const kubeconfig = printKubeconfig([
    { name: 'a', server: hostile.url, certificateAuthority: hostile.authority, token: 'of-the-platform' },
  ])
  await platform.must('POST', '/api/v1/namespaces/default/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'hostile' },
    data: { config: Buffer.from(kubeconfig).toString('base64') },
  })
  await platform.must('POST', `${management}/clusters`, {
    apiVersion: `${group}/v1`,
    kind: 'Cluster',
    metadata: { name: 'hostile' },
    spec: { config: { secretName: 'hostile', secretNamespace: 'default' } },
  })
  await linked.linked()
})

afterAll(async () => {
  await linked.stop()
  await Promise.all([platform.stop(), hostile.stop()])
})

const cluster = '/kubernetes/cluster/hostile/api/v1/pods'
const virtualCluster = `${inside('dev')}/api/v1/pods`

async function overHttp1(path: string): Promise<number> {
  return (await platform.ask('GET', path, { headers: { te: 'trailers' } })).status
}

async function overPlainHttp1(path: string): Promise<number> {
  return (await platform.ask('GET', path)).status
}

async function overHttp2(path: string): Promise<number> {
  return (await headersOverHttp2(path))[':status'] ?? 0
}

function headersOverHttp2(path: string): Promise<IncomingHttpHeaders & { readonly ':status'?: number }> {
  const session = connect(platform.server.url, { ca: platform.server.authority })
  return new Promise<IncomingHttpHeaders>((resolve, reject) => {
    session.on('error', reject)
    const stream = session.request({ ':path': path, authorization: 'Bearer admin-token' })
    stream.on('error', reject).on('response', resolve).resume()
    stream.on('close', () => reject(new Error('no answer')))
  }).finally(() => session.close())
}

describe.each([
  ['HTTP/1.1', overPlainHttp1],
  ['HTTP/1.1 with unusual headers', overHttp1],
  ['HTTP/2', overHttp2],
])('an API behind the platform with nonsensical answers, over %s', (_, statusOf) => {
  it('upgrades no request that did not ask for it', async () => {
    expect(await statusOf(virtualCluster)).toBe(503)
  })

  it.each([
    ['HTTP/1.1 099 Odd', 503],
    ['HTTP/1.1 999 Odd', 503],
    ['HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket', 503],
    ['HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Type: text/plain', 200],
    ['HTTP/1.1 200 OK\r\nconstructor: a\r\ntoString: b', 200],
  ])('does no harm: %j', async (head, status) => {
    hostile.say(head)
    expect(await statusOf(cluster)).toBe(status)
  })
})

describe('an API behind the platform', () => {
  it.each([
    'nel: {"report_to":"a","max_age":31536000}',
    'report-to: {"group":"a","max_age":31536000,"endpoints":[{"url":"https://elsewhere.example"}]}',
    'refresh: 0; url=https://elsewhere.example',
    'location: https://elsewhere.example',
    'set-cookie: __Host-tenant-session=other; Path=/; Secure',
    'clear-site-data: "cookies"',
    'service-worker-allowed: /',
    'access-control-allow-origin: *',
  ])("cannot instruct browsers in the platform's name: %s", async (line) => {
    const [name = ''] = line.split(':')
    hostile.say(`HTTP/1.1 200 OK\r\n${line}`)
    const headers = await headersOverHttp2(cluster)
    expect(headers[':status']).toBe(200)
    expect(headers[name]).toBeUndefined()
    expect(headers['content-security-policy']).toContain('sandbox')
  })

  it('serves its own pages, not the console of the platform', async () => {
    hostile.say('HTTP/1.1 200 OK\r\nContent-Type: text/html')
    const answer = await platform.ask('GET', '/kubernetes/cluster/hostile/', { headers: { accept: 'text/html' } })
    expect(answer.text).toBe('{}')
  })
})

describe('a virtual cluster that never answers', () => {
  it('does not occupy the slots of requests for others', async () => {
    const session = connect(platform.server.url, { ca: platform.server.authority })
    const ask = (path: string) => {
      const stream = session.request({ ':path': path, authorization: 'Bearer admin-token' })
      const status = new Promise<number>((resolve) => {
        stream.on('response', (headers) => resolve(headers[':status'] ?? 0)).on('error', () => {})
      })
      return { status, cancel: () => stream.close() }
    }
    const waiting = Array.from({ length: 900 }, () => ask(`${inside('dev')}/silent`))
    const refused = await Promise.race(waiting.map(({ status }) => status))
    expect(refused).toBe(429)
    expect((await platform.ask('GET', '/api/v1/namespaces')).status).toBe(200)
    for (const { cancel } of waiting) cancel()
    await eventually(async () => expect((await platform.ask('GET', virtualCluster)).status).toBe(503))
    session.close()
  })
})
