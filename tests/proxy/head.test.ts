import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { embedded, inside, link, startLinkPlatform, type TestLink, tenantKey } from '../link/support.ts'
import { group, management, type TestPlatform } from '../platform/platform.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'

let platform: TestPlatform
let virtual: TestServer
let linked: TestLink

beforeAll(async () => {
  ;[platform, virtual] = await Promise.all([startLinkPlatform(), startTestServer()])
  const { url, authority } = platform.server
  const accessKey = await tenantKey(platform, 'tenant')
  linked = link({ name: 'dev', accessKey, url, authority, virtualApi: embedded(virtual) })
  await linked.linked()
  const config = Buffer.from(virtual.kubeconfig('admin')).toString('base64')
  await platform.must('POST', '/api/v1/namespaces/default/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'host' },
    data: { config },
  })
  await platform.must('POST', `${management}/clusters`, {
    apiVersion: `${group}/v1`,
    kind: 'Cluster',
    metadata: { name: 'host' },
    spec: { config: { secretName: 'host', secretNamespace: 'default' } },
  })
})

afterAll(async () => {
  await linked.stop()
  await Promise.all([platform.stop(), virtual.stop()])
})

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

function ask(method: 'GET' | 'HEAD', path: string): Promise<Answer> {
  const { url, authority } = platform.server
  const headers = { authorization: 'Bearer admin-token', 'accept-encoding': 'identity' }
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { method, ca: authority, headers, agent: false }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode, headers: incoming.headers, text }))
    })
      .on('error', reject)
      .end()
  })
}

it.each([
  ['a virtual cluster', `${inside('dev')}/apis`],
  ['a cluster', '/kubernetes/cluster/host/apis'],
  ['a virtual cluster that refuses', `${inside('dev')}/apis/none`],
  ['a cluster with a long answer', '/kubernetes/cluster/host/openapi/v2'],
])('HEAD gets the head of the answer of %s, without a body', async (_, path) => {
  const [whole, head] = [await ask('GET', path), await ask('HEAD', path)]
  expect(head.status).toBe(whole.status)
  expect(head.headers['content-type']).toBe(whole.headers['content-type'])
  expect(head.text).toBe('')
  const length = head.headers['content-length']
  expect(length === undefined || Number(length) === Buffer.byteLength(whole.text)).toBe(true)
  expect(length).not.toBe('0')
})
