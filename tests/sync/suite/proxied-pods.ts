import { request } from 'node:https'
import { beforeAll, describe, expect, it } from 'vitest'
import { tlsClient } from '../../server/raw-client.ts'
import { endpoints, services } from '../support/objects.ts'
import { forgedRefusal, openAnswers } from '../support/proxied-host.ts'
import { soon } from '../support/soon.ts'
import { accessIn, type TenantOnHost } from '../support/tenant-on-host.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

const inDefault = '/api/v1/namespaces/default'

/** HTTP answers of a Pod `web`, on a host that answers like a hostile Pod. */
export function proxiedPods(given: () => TenantOnHost): void {
  describe('serve HTTP through the proxy', () => {
    let tenant: TenantOnHost

    beforeAll(async () => {
      tenant = given()
      const metadata = (name: string) => ({ namespace: 'default', name })
      const addresses = [
        { ip: '10.1.2.3' },
        { ip: '10.1.2.4', targetRef: { kind: 'Pod', namespace: 'default', name: 'gone' } },
        { ip: '10.1.2.5', targetRef: { kind: 'Pod', namespace: 'default', name: 'web' } },
      ]
      for (const [name, listed] of [
        ['served', addresses],
        ['outside', addresses.slice(0, 1)],
      ] as const) {
        await tenant.virtual.create(services, {
          metadata: metadata(name),
          spec: { ports: [{ name: 'http', port: 80 }] },
        })
        const subsets = [{ addresses: listed, ports: [{ name: 'http', port: 8080 }] }]
        await tenant.virtual.create(endpoints, { metadata: metadata(name), subsets })
      }
    })

    const ask = (path: string, options = {}) => askAt(`${inDefault}/${path}`, options)

    const askAt = (path: string, { method = 'GET', body = '', headers = {} } = {}): Promise<Answer> => {
      const { url, token, authority: ca } = accessIn(tenant.syncer.kubeconfig)
      const sent = { authorization: `Bearer ${token}`, 'content-length': Buffer.byteLength(body), ...headers }
      return new Promise((resolve, reject) => {
        // A URL would be normalized before it is sent.
        const asked = request(url, { path, method, ca, headers: sent }, (response) => {
          let text = ''
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
        })
        asked.on('error', reject).end(body)
      })
    }

    const messageOf = ({ text }: Answer) => JSON.parse(text).message

    it.each([
      ['GET', '/api/v1/nodes/node-1/proxy/pods', 403, 'nodes "node-1" is forbidden: nodes of a virtual cluster'],
      ['POST', '/api/v1/nodes/node-1:10250/proxy/run/a/b/c', 403, 'nodes "node-1:10250" is forbidden: nodes of a'],
      ['GET', '/api/v1/nodes/no-such-node/proxy', 403, 'nodes "no-such-node" is forbidden: nodes of a virtual'],
      ['OPTIONS', '/api/v1/nodes/node-1/proxy/pods', 405, 'the server does not allow this method'],
      ['OPTIONS', `${inDefault}/pods/web/proxy/`, 405, 'the server does not allow this method'],
      ['OPTIONS', `${inDefault}/services/served:http/proxy/`, 405, 'the server does not allow this method'],
    ])('but not to %s %s', async (method, path, status, message) => {
      const answer = await askAt(path, { method })
      expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringContaining(message)])
    })

    it.each([
      ['GET', 'pods/web/proxy', 'http', 80, '/'],
      ['POST', 'pods/web:8080/proxy/a/b?c=d', 'http', 8080, '/a/b?c=d'],
      ['PUT', 'pods/https:web:8443/proxy/a/', 'https', 8443, '/a/'],
      ['PATCH', 'services/served:http/proxy/a', 'http', 8080, '/a'],
      ['DELETE', 'services/http:served:80/proxy/a', 'http', 8080, '/a'],
      ['HEAD', 'pods/web:8080/proxy/a', 'http', 8080, '/a'],
    ])('to %s %s', async (method, path, scheme, port, behind) => {
      const hidden = { cookie: 'a=b', 'x-remote-user': 'root', 'x-forwarded-for': '10.0.0.1', via: '1.1 other' }
      const { status, text } = await ask(path, { method, body: 'sent', headers: { ...hidden, 'content-type': 'a/b' } })
      expect(status).toBe(200)
      if (method === 'HEAD') return
      const told = JSON.parse(text)
      const place = `/api/v1/namespaces/${tenant.hostNamespace}/pods/${scheme}:${tenant.hostName('web')}:${port}/proxy`
      expect(told).toMatchObject({ method, url: place + behind, body: 'sent' })
      expect(told.headers.join()).toContain('content-type,a/b')
      expect(told.headers.join().toLowerCase()).not.toMatch(/cookie|x-remote-user|x-forwarded-for|^via/)
    })

    it.each([
      ['pods/web/proxy/../../../secrets', 400, 'plain form'],
      ['pods/web/proxy/%2e%2e/%2e%2e/log', 400, 'plain form'],
      ['pods/web/proxy/a%2F..%2Fb', 400, 'plain form'],
      ['pods/other/proxy/', 404, 'pods "other" not found'],
      ['pods/web:99999/proxy/', 400, 'invalid port "99999" of pod web'],
      ['services/outside:80/proxy/', 503, 'is a Pod of its namespace'],
      ['services/kubernetes:443/proxy/', 503, 'endpoint'],
      ['services/served:81/proxy/', 503, 'no service port 81'],
    ])('but not through %s', async (path, status, message) => {
      const answer = await ask(path)
      expect([answer.status, messageOf(answer)]).toEqual([status, expect.stringContaining(message)])
    })

    it('and cannot set cookies, redirect, or respond in the name of the API server', async () => {
      const { status, headers, text } = await ask('pods/web/proxy/page')
      expect([status, text]).toEqual([302, '<script>fetch("/api/v1/secrets")</script>'])
      for (const name of ['set-cookie', 'location', 'warning', 'www-authenticate', 'access-control-allow-origin'])
        expect([name, headers[name]]).toEqual([name, undefined])
      expect(headers).toMatchObject({
        'content-type': 'text/html',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      })
    })

    it('and a forged refusal of the host is not trusted', async () => {
      const { status, text } = await ask('pods/web/proxy/forged')
      expect([status, JSON.parse(text)]).toEqual([403, forgedRefusal])
    })

    it('and an endless response ends with its reader', async () => {
      const client = await raw('GET', 'pods/web/proxy/endless')
      await client.until('xxxx')
      expect(openAnswers.size).toBe(1)
      client.destroy()
      await soon(async () => expect(openAnswers.size).toBe(0))
    })

    it('over WebSockets, and no other protocol', async () => {
      const upgrade = (protocol: string) => `Connection: Upgrade\r\nUpgrade: ${protocol}\r\nSec-WebSocket-Key: eA==\r\n`
      const client = await raw('GET', 'services/served:80/proxy/socket', upgrade('websocket'))
      const head = await client.until('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1\.1 101 /)
      expect(head).toContain('Sec-WebSocket-Accept: x')
      expect(head.toLowerCase()).not.toContain('set-cookie')
      client.send('both ways')
      await client.until('both ways')
      client.destroy()
      const refused = await raw('GET', 'pods/web/proxy/', upgrade('h2c'))
      expect(await refused.until('can be upgraded only to a WebSocket')).toMatch(/^HTTP\/1\.1 400 /)
      refused.destroy()
    })

    it('as discovery lists it', async () => {
      const { body } = await tenant.virtual.request('GET', '/api/v1')
      const { resources } = body as { resources: { name: string }[] }
      const verbs = ['create', 'delete', 'get', 'patch', 'update']
      const entry = (name: string, kind: string) => ({ name, singularName: '', namespaced: true, kind, verbs })
      // nodes/proxy exists as in Kubernetes, and is refused to all.
      expect(resources.filter(({ name }) => name.endsWith('/proxy'))).toEqual([
        { ...entry('nodes/proxy', 'NodeProxyOptions'), namespaced: false },
        entry('pods/proxy', 'PodProxyOptions'),
        entry('services/proxy', 'ServiceProxyOptions'),
      ])
      const ways = resources.filter(({ name }) => /^pods\/(attach|exec|log|portforward)$/.test(name))
      expect(ways).toHaveLength(4)
    })

    async function raw(method: string, path: string, more = '') {
      const { url, token } = accessIn(tenant.syncer.kubeconfig)
      const client = await tlsClient(Number(new URL(url).port))
      client.send(`${method} ${inDefault}/${path} HTTP/1.1\r\nHost: v\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`)
      return client
    }
  })
}
