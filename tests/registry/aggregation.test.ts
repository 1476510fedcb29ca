import { on } from 'node:events'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { APIService } from '../../src/api/types/apiregistration-v1.ts'
import { issueAuthority } from '../../src/base/certificates/issue.ts'
import { systemRandom } from '../../src/base/random.ts'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/network/call.ts'
import { type AggregationBackend, startAggregationBackend } from './aggregation-backend.ts'
import { askedMetrics, metricAnswers, metricApis } from './asked-metrics.ts'

let server: RunningApiServer
let backend: AggregationBackend

beforeAll(async () => {
  const users = [
    { token: 'admin-token', user: 'admin', groups: ['system:masters'] },
    { token: 'alice-token', user: 'alice', groups: ['dev'] },
  ]
  server = await startApiServer({ users })
  const proxies = await send('GET', '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication')
  backend = await startAggregationBackend(JSON.parse(proxies.text).data['requestheader-client-ca-file'])
  await post('/api/v1/namespaces/default/services', {
    metadata: { name: 'backend' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  })
  await register('example.com', { caBundle: backend.caBundle })
  await available('v1.example.com', 'True')
})
afterAll(async () => {
  backend.stop()
  await server.stop()
})

function send(method: string, path: string, options: { user?: string; headers?: object; body?: string } = {}) {
  const { user = 'admin', headers, body } = options
  const sent = { method, path, headers: { Authorization: `Bearer ${user}-token`, ...headers }, body }
  return call(Number(new URL(server.url).port), sent).then(async ({ status, text, headers }) => ({
    status,
    headers,
    text: await text,
  }))
}

const post = (path: string, body: object) => send('POST', path, { body: JSON.stringify(body) })

async function register(group: string, spec: Partial<APIService['spec']>, version = 'v1'): Promise<void> {
  const { port } = backend
  const service = { namespace: 'default', name: 'backend', port }
  const order = { groupPriorityMinimum: 100, versionPriority: 10 }
  const body = { metadata: { name: `${version}.${group}` }, spec: { group, version, ...order, service, ...spec } }
  const { status, text } = await post('/apis/apiregistration.k8s.io/v1/apiservices', body)
  expect(status, text).toBe(201)
}

async function available(name: string, status: string): Promise<string> {
  let message = ''
  await eventually(async () => {
    const { text } = await send('GET', `/apis/apiregistration.k8s.io/v1/apiservices/${name}`)
    const [condition] = JSON.parse(text).status.conditions ?? []
    expect(condition).toMatchObject({ status })
    message = condition.message
  })
  return message
}

const foos = '/apis/example.com/v1/namespaces/default/foos'
const last = () => backend.asked.at(-1)

it('OpenAPI v2 contains only the kinds of an aggregated server', async () => {
  const gvk = 'x-kubernetes-group-version-kind'
  const kindOf = (group: string, kind: string) => [{ group, kind, version: 'v1' }]
  const foo = (field: string) => ({
    type: 'object',
    description: 'A foo.',
    properties: { [field]: { type: 'string' }, metadata: { $ref: '#/definitions/io.k8s.api.core.v1.Pod' } },
    [gvk]: kindOf('v2.example.com', 'Foo'),
  })
  const definitions = {
    Foo: foo('bar'),
    'io.k8s.api.core.v1.Pod': { type: 'object', description: 'hostile', [gvk]: kindOf('', 'Pod') },
    Fake: { type: 'object', description: 'hostile', [gvk]: kindOf('apps', 'Deployment') },
  }
  const get = { operationId: 'foos', responses: { 200: { description: 'OK' } } }
  const paths = { '/apis/v2.example.com/v1/foos': { get }, '/api/v1/pods': { get: { operationId: 'hostile' } } }
  backend.v2Document = JSON.stringify({ swagger: '2.0', paths, definitions })
  await register('v2.example.com', { caBundle: backend.caBundle })
  await available('v1.v2.example.com', 'True')
  const v2 = async () => (await send('GET', '/openapi/v2')).text
  await eventually(async () => expect(JSON.parse(await v2()).definitions.Foo).toEqual(foo('bar')))
  const text = await v2()
  expect(text).not.toContain('hostile')
  expect(JSON.parse(text).paths['/apis/v2.example.com/v1/foos'].get.operationId).toBe('foos')
  const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
  const encoded = await send('GET', '/openapi/v2', { headers: { Accept: protobuf } })
  expect([encoded.status, encoded.text.includes('A foo.')]).toEqual([200, true])

  // Each change of an APIService triggers a new request.
  backend.v2Document = 'no document'
  const before = backend.documentAsked
  const patch = { 'Content-Type': 'application/merge-patch+json' }
  const changed = { headers: patch, body: JSON.stringify({ spec: { versionPriority: 11 } }) }
  await send('PATCH', '/apis/apiregistration.k8s.io/v1/apiservices/v1.v2.example.com', changed)
  await eventually(() => expect(backend.documentAsked).toBeGreaterThan(before))
  await eventually(async () => expect(JSON.parse(await v2()).definitions).not.toHaveProperty('Foo'))
  await send('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.v2.example.com')
})

it('OpenAPI v3 of an aggregated server is listed and forwarded, and that of this server is unchanged', async () => {
  const index = JSON.parse((await send('GET', '/openapi/v3')).text).paths
  const own = index['apis/apps/v1'].serverRelativeURL
  expect(index['apis/example.com/v1']).toEqual({ serverRelativeURL: '/openapi/v3/apis/example.com/v1' })
  backend.answer = (_, response) => response.end('{"openapi":"3.0.0","paths":{}}')
  const { status, text } = await send('GET', '/openapi/v3/apis/example.com/v1', { user: 'alice' })
  expect([status, text]).toEqual([200, '{"openapi":"3.0.0","paths":{}}'])
  expect(last()?.url).toBe('/openapi/v3/apis/example.com/v1')
  expect(last()?.headers['x-remote-user']).toBe('alice')
  backend.answer = (_, response) => response.destroy()
  expect((await send('GET', '/openapi/v3/apis/example.com/v1')).status).toBe(503)
  expect((await send('GET', own)).status).toBe(200)
  expect((await send('GET', '/openapi/v3/apis/absent.example.com/v1')).status).toBe(404)
  const { etag } = (await send('GET', '/openapi/v3')).headers
  expect((await send('GET', '/openapi/v3', { headers: { 'If-None-Match': etag } })).status).toBe(304)
})

it('an aggregated server is called in the name of the caller', async () => {
  const forged = {
    'X-Remote-User': 'root',
    'X-Remote-Group': 'system:masters',
    'X-Remote-Extra-Scopes': 'all',
    'X-Forwarded-For': '10.0.0.1',
    Cookie: 'a=b',
    Connection: 'X-Remote-User',
  }
  const body = JSON.stringify({ a: 1 })
  backend.answer = (_, response) =>
    response.writeHead(201, { 'Set-Cookie': 'x=y', Location: 'https://elsewhere' }).end(body)
  const answered = await send('POST', `${foos}?dryRun=All`, { headers: forged, body })
  expect(answered).toMatchObject({ status: 201, text: body })
  expect(answered.headers).not.toHaveProperty('set-cookie')
  expect(answered.headers).not.toHaveProperty('location')
  const { headers, url } = last() ?? expect.fail()
  expect(url).toBe(`${foos}?dryRun=All`)
  expect(headers['x-remote-user']).toBe('admin')
  expect(last()?.headersDistinct['x-remote-group']).toEqual(['system:masters', 'system:authenticated'])
  for (const name of ['authorization', 'cookie', 'x-remote-extra-scopes', 'x-forwarded-for']) {
    expect(headers).not.toHaveProperty(name)
  }
})

it('an impersonated user is the caller', async () => {
  backend.answer = (_, response) => response.end('{}')
  await send('GET', `${foos}/a`, { headers: { 'Impersonate-User': 'carol', 'Impersonate-Group': 'system:masters' } })
  expect(last()?.headers['x-remote-user']).toBe('carol')
  expect(last()?.headersDistinct['x-remote-group']).toEqual(['system:masters', 'system:authenticated'])
})

it('a caller without the right is refused before the server is called', async () => {
  const before = backend.asked.length
  expect((await send('GET', `${foos}/a`, { user: 'alice' })).status).toBe(403)
  expect(backend.asked).toHaveLength(before)
})

it.each(['/..%2f..%2fapi', '/a%252f..', '/%2e%2e/x'])('an ambiguous path is refused: %s', async (path) => {
  const before = backend.asked.length
  expect((await send('GET', `${foos}${path}`)).status).toBe(400)
  expect(backend.asked).toHaveLength(before)
})

it('a watch is streamed', async () => {
  let ended = false
  backend.answer = (request, response) => {
    request.on('close', () => {
      ended = true
    })
    response.write('{"type":"ADDED"}\n')
    setTimeout(() => response.write('{"type":"MODIFIED"}\n'), 20)
  }
  const port = Number(new URL(server.url).port)
  const headers = { Authorization: 'Bearer admin-token' }
  const { text } = await call(port, { method: 'GET', path: `${foos}?watch=true`, headers, lines: 2 })
  expect((await text).trim().split('\n')).toEqual(['{"type":"ADDED"}', '{"type":"MODIFIED"}'])
  await eventually(() => expect(ended).toBe(true))
})

it('an upgraded connection is forwarded', async () => {
  const { hostname: host, port } = new URL(server.url)
  const socket = connect({ host, port: Number(port), ca: server.certificateAuthority, ALPNProtocols: ['http/1.1'] })
  socket.write(
    `GET ${foos}/a/exec HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin-token\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  )
  let read = ''
  let isSent = false
  for await (const [chunk] of on(socket, 'data', { close: ['close'] })) {
    read += chunk
    if (read.includes('\r\n\r\n') && !isSent) isSent = socket.write('hello') || true
    if (read.includes('echo hello')) break
  }
  expect(read).toMatch(/^HTTP\/1.1 101/)
  expect(last()?.headers).not.toHaveProperty('authorization')
  socket.destroy()
})

it('discovery shows the resources of the server', async () => {
  const accept = { Accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }
  const { items } = JSON.parse((await send('GET', '/apis', { headers: accept })).text)
  const group = items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === 'example.com')
  expect(group.versions).toEqual([
    {
      version: 'v1',
      freshness: 'Current',
      resources: [
        {
          resource: 'foos',
          singularResource: 'foo',
          scope: 'Namespaced',
          shortNames: ['fo'],
          responseKind: { group: 'example.com', version: 'v1', kind: 'Foo' },
          verbs: ['get', 'list', 'watch'],
          subresources: [
            {
              subresource: 'status',
              responseKind: { group: 'example.com', version: 'v1', kind: 'Foo' },
              verbs: ['get'],
            },
          ],
        },
      ],
    },
  ])
})

it('a server that disconnects, or answers nonsense, affects no other', async () => {
  backend.answer = (request) => request.socket.destroy()
  const broken = await send('GET', `${foos}/a`)
  expect(broken).toMatchObject({ status: 503, text: expect.stringContaining('error trying to reach service') })
  expect(broken.text).not.toContain('127.0.0.1')
  backend.answer = (_, response) => response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n')
  expect((await send('GET', `${foos}/a`)).status).toBe(503)
  expect((await send('GET', '/apis')).status).toBe(200)
  expect((await send('GET', '/apis/apps/v1/deployments')).status).toBe(200)
})

it('a server leads no caller elsewhere', async () => {
  backend.answer = (_, response) => response.writeHead(302, { location: 'https://elsewhere.example.com/' }).end()
  expect(await send('GET', `${foos}/a`)).toMatchObject({
    status: 502,
    text: 'the backend attempted to redirect this request, which is not permitted',
  })
})

it('a server that does not answer times out', async () => {
  backend.answer = () => {}
  const { status, text } = await send('GET', `${foos}/a?timeout=100ms`)
  expect({ status, reason: JSON.parse(text).reason }).toEqual({ status: 504, reason: 'Timeout' })
})

it('a response that does not end is cut after a time limit', async () => {
  let isCut = false
  backend.answer = (_, response) => {
    response.on('close', () => {
      isCut = true
    })
    response.write('{')
  }
  // On a slow machine the time may be over before the backend is asked.
  await eventually(async () => {
    await send('GET', `${foos}/a?timeout=100ms`).catch(() => undefined)
    expect(isCut).toBe(true)
  })
})

it.each([
  `//kubernetes/management${foos}`,
  `/kubernetes/management/kubernetes/management${foos}`,
  '/apis/example.com/v1/watch',
])('a path that was not authorized as a resource is not forwarded: %s', async (path) => {
  const before = backend.asked.length
  expect((await send('GET', path)).status).toBe(404)
  expect(backend.asked).toHaveLength(before)
})

it('local APIs stay local', async () => {
  const before = backend.asked.length
  const { port } = backend
  const patch = { spec: { service: { namespace: 'default', name: 'backend', port }, insecureSkipTLSVerify: true } }
  const headers = { 'Content-Type': 'application/merge-patch+json' }
  const path = '/apis/apiregistration.k8s.io/v1/apiservices/v1.apps'
  expect((await send('PATCH', path, { headers, body: JSON.stringify(patch) })).status).toBe(200)
  expect((await send('GET', '/apis/apps/v1/deployments')).status).toBe(200)
  expect((await send('GET', '/apis/apps/v1/nothing')).status).toBe(404)
  expect(backend.asked).toHaveLength(before)
  await eventually(async () => expect(JSON.parse((await send('GET', path)).text).spec).not.toHaveProperty('service'))
})

it.each([
  [
    'that no authority vouches for',
    'system.example.com',
    {},
    /failing or missing response from https:\/\/backend.default.svc:\d+\/apis/,
  ],
  ['of another authority', 'other.example.com', { caBundle: 'other' }, /failing or missing response/],
])('a server with a certificate %s is not called', async (_, group, spec, message) => {
  const other = await issueAuthority('other', { notBeforeMs: 0, notAfterMs: Date.now() + 86_400_000 }, systemRandom)
  const bundle = 'caBundle' in spec ? { caBundle: Buffer.from(other.cert).toString('base64') } : {}
  await register(group, bundle)
  const problem = await available(`v1.${group}`, 'False')
  expect(problem).toMatch(message)
  expect(problem).not.toContain('127.0.0.1')
  const before = backend.asked.length
  expect(await send('GET', `/apis/${group}/v1/foos`)).toMatchObject({ status: 503, text: 'service unavailable\n' })
  expect(backend.asked).toHaveLength(before)
  await send('DELETE', `/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`)
})

it('a certificate is not checked if that is disabled', async () => {
  await register('unchecked.example.com', { insecureSkipTLSVerify: true })
  await available('v1.unchecked.example.com', 'True')
})

it('an API is removed with its APIService', async () => {
  await send('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.unchecked.example.com')
  expect(await send('GET', '/apis/unchecked.example.com/v1')).toMatchObject({ status: 404 })
  const { groups } = JSON.parse((await send('GET', '/apis')).text)
  expect(groups.map(({ name }: { name: string }) => name)).not.toContain('unchecked.example.com')
})

it('an autoscaler reads metrics from aggregated servers, in its own name', async () => {
  for (const [version = '', ...group] of metricApis.map((name) => name.split('.'))) {
    await register(group.join('.'), { caBundle: backend.caBundle }, version)
  }
  await Promise.all(metricApis.map((name) => available(name, 'True')))
  const labels = { app: 'scaled' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  const spec = { replicas: 1, selector: { matchLabels: labels }, template }
  await post('/apis/apps/v1/namespaces/default/replicasets', { metadata: { name: 'scaled' }, spec })
  let pod = ''
  await eventually(async () => {
    const { items } = JSON.parse((await send('GET', '/api/v1/namespaces/default/pods')).text)
    expect(items).toHaveLength(1)
    pod = items[0].metadata.name
  })
  const running = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }
  const headers = { 'Content-Type': 'application/merge-patch+json' }
  await send('PATCH', `/api/v1/namespaces/default/pods/${pod}/status`, { headers, body: JSON.stringify(running) })
  const answers = metricAnswers(pod)
  backend.answer = (request, response) => {
    const item = answers[request.url ?? '']
    response.statusCode = item === undefined ? 404 : 200
    response.end(JSON.stringify({ items: [item] }))
  }
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'scaled' }
  const autoscalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers'
  await post(autoscalers, {
    metadata: { name: 'scaled' },
    spec: { scaleTargetRef, maxReplicas: 4, metrics: askedMetrics },
  })
  await eventually(async () => {
    const { status } = JSON.parse((await send('GET', `${autoscalers}/scaled`)).text)
    expect(status).toMatchObject({
      desiredReplicas: 4,
      currentMetrics: [
        { resource: { current: { averageValue: '3145728' } } },
        { pods: { current: { averageValue: '4' } } },
        { object: { current: { value: '7' } } },
        { external: { current: { averageValue: '50' } } },
      ],
    })
  })
  expect(new Set(backend.asked.slice(-4).map((request) => request.headers['x-remote-user']))).toEqual(
    new Set(['system:serviceaccount:kube-system:horizontal-pod-autoscaler']),
  )
  await send('DELETE', `${autoscalers}/scaled`)
  for (const name of metricApis) await send('DELETE', `/apis/apiregistration.k8s.io/v1/apiservices/${name}`)
})

it('there can be at most a hundred aggregated servers', async () => {
  const service = { namespace: 'default', name: 'absent' }
  const order = { groupPriorityMinimum: 100, versionPriority: 10 }
  const create = (index: number) => {
    const group = `many-${index}.example.com`
    const body = { metadata: { name: `v1.${group}` }, spec: { group, version: 'v1', ...order, service } }
    return post('/apis/apiregistration.k8s.io/v1/apiservices', body)
  }
  for (let index = 0; index < 99; index += 1) expect((await create(index)).status).toBe(201)
  const refused = await create(99)
  expect(refused).toMatchObject({
    status: 403,
    text: expect.stringContaining('there are 100 APIServices with a service'),
  })
  expect((await send('GET', '/apis')).status).toBe(200)
})
