import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditRecord } from '../../src/server/contract.ts'
import { startApi, type TestApi } from './ask.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const widgets = '/apis/things.example.com/v1/widgets'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const audited: AuditRecord[] = []

let api: TestApi
beforeAll(async () => {
  api = await startApi({
    audit: (record) => audited.push(record),
    healthChecks: [
      { name: 'store', check: () => {} },
      { name: 'broken', check: () => Promise.reject(new Error('secret reason')), only: ['readyz'] },
    ],
    extraRoutes: [
      ({ info }) =>
        info.path === '/extra' ? () => ({ status: 418, headers: [], body: Buffer.from('extra') }) : undefined,
    ],
  })
  for (const name of ['a', 'b', 'c']) {
    await api.ask(configMaps, { method: 'POST', body: { metadata: { name, labels: { name } }, data: { key: name } } })
  }
  await api.ask(widgets, {
    method: 'POST',
    body: { apiVersion: 'things.example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { color: 'red' } },
  })
})
afterAll(() => api.stop())

describe('authentication', () => {
  it('refuses an unknown token everywhere, even where strangers are allowed', async () => {
    for (const path of ['/healthz', '/version', configMaps]) {
      const answer = await api.ask(path, { token: 'wrong' })
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      })
      expect(answer.headers).not.toHaveProperty('www-authenticate')
    }
  })

  it('reports a forbidden request before a missing resource', async () => {
    const answer = await api.ask('/api/v1/nosuch', { token: 'alice-token' })
    expect(answer.status).toBe(403)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.json).toMatchObject({
      message: 'nosuch is forbidden: User "alice" cannot list resource "nosuch" in API group "" at the cluster scope',
    })
  })

  it('treats missing credentials as a stranger, and a doubled space as missing, with a warning', async () => {
    for (const headers of [{}, { Authorization: 'Basic YTpi' }, { Authorization: 'Bearer  admin-token' }]) {
      const answer = await api.ask(configMaps, { token: '', headers })
      expect(answer.json).toMatchObject({ code: 403, message: expect.stringContaining('User "system:anonymous"') })
    }
    const { warnings } = await api.ask(configMaps, { token: '', headers: { Authorization: 'Bearer  admin-token' } })
    expect(warnings[0]).toContain('contains extra space before the bearer token')
  })
})

describe('absent resources', () => {
  it.each([
    '/nosuch',
    '/apis/nosuch.example.com/v1',
    '/apis/things.example.com/v1/nosuch',
    '/apis/things.example.com/v2/widgets',
    '/apis/things.example.com/v1/namespaces/default/widgets',
    '/livez/nosuch',
  ])('%s is a plain 404', async (path) => {
    const answer = await api.ask(path)
    expect(answer).toMatchObject({ status: 404, text: '404 page not found\n' })
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache, private',
    })
  })

  it.each([
    '/api/v1/nosuch',
    '/api/v2',
    '/api/v1/namespaces/default/configmaps/a/nosuch',
    '/api/v1/namespaces/default/configmaps/a/status',
    '/api/v1/configmaps/a',
    '/api/v1/namespaces/default/pods/p/proxy/x',
  ])('%s, in a group of builtin kinds, is a Status', async (path) => {
    const message = 'the server could not find the requested resource'
    expect((await api.ask(path)).json).toMatchObject({ code: 404, reason: 'NotFound', message, details: {} })
  })

  it('a missing subresource of a custom kind reports the object as not found', async () => {
    expect((await api.ask(`${widgets}/w/scale`)).json).toMatchObject({
      code: 404,
      message: 'widgets.things.example.com "w" not found',
      details: { name: 'w', group: 'things.example.com', kind: 'widgets' },
    })
  })

  it.each([
    ['POST', `${configMaps}/a`, 405, 'the server does not allow this method on the requested resource'],
    ['PUT', configMaps, 405, 'the server does not allow this method on the requested resource'],
    ['DELETE', '/api/v1/configmaps', 405, 'the server does not allow this method on the requested resource'],
    ['POST', '/api/v1/configmaps', 405, 'the server does not allow this method on the requested resource'],
    ['DELETE', '/api/v1/namespaces', 405, 'the server does not allow this method on the requested resource'],
    ['TRACE', `${configMaps}/a`, 405, 'the server does not allow this method on the requested resource'],
    ['PUT', widgets, 400, 'name must be provided'],
    ['POST', `${widgets}/w`, 405, 'create is not supported on resources of kind "widgets.things.example.com"'],
    ['DELETE', `${widgets}/w/status`, 405, 'delete is not supported on resources of kind "widgets.things.example.com"'],
    ['POST', '/version', 405, 'the server does not allow this method on the requested resource'],
  ])('%s %s is %d: %s', async (method, path, code, message) => {
    expect((await api.ask(path, { method, body: {} })).json).toMatchObject({ code, message })
  })
})

describe('the form of an answer', () => {
  it('is the object and a newline', async () => {
    const answer = await api.ask(`${configMaps}/a`)
    expect(answer.text.endsWith('}\n')).toBe(true)
    expect(answer.json).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { key: 'a' } })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
      'content-length': String(answer.text.length),
    })
    expect(answer.headers).not.toHaveProperty('x-content-type-options')
  })

  it('is the same under the prefix of the platform', async () => {
    const alias = await api.ask(`/kubernetes/management${configMaps}/a`)
    expect(alias.text).toBe((await api.ask(`${configMaps}/a`)).text)
  })

  it('is indented for browsers', async () => {
    const answer = await api.ask(`${configMaps}/a`, { headers: { 'User-Agent': 'curl/8' } })
    expect(answer.text).toBe(`${JSON.stringify(answer.json, null, 2)}\n`)
    expect((await api.ask(`${configMaps}/a?pretty=true`)).text).toBe(answer.text)
    expect((await api.ask(`${configMaps}/a?pretty=0`, { headers: { 'User-Agent': 'curl/8' } })).text).not.toBe(
      answer.text,
    )
  })

  it('is YAML on request, also for errors', async () => {
    const headers = { Accept: 'application/yaml' }
    const found = await api.ask(`${configMaps}/a`, { headers })
    expect(found.headers['content-type']).toBe('application/yaml')
    expect(found.text).toMatch(/^apiVersion: v1\ndata:\n {2}key: a\nkind: ConfigMap\n/)
    expect((await api.ask(`${configMaps}/nope`, { headers })).text).toContain('reason: NotFound\n')
  })

  it('is refused if no accepted type is available', async () => {
    const answer = await api.ask(`${configMaps}/a`, { headers: { Accept: 'text/html' } })
    const message =
      '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf'
    expect(answer.json).toMatchObject({ code: 406, reason: 'NotAcceptable', message, details: {} })
    const any = await api.ask(configMaps, { headers: { Accept: 'application/*' } })
    const streams = ', application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch'
    expect(any.json).toMatchObject({ code: 406, message: message + streams })
    const view = { Accept: 'application/json;as=Table;g=meta.k8s.io;v=v2' }
    const watch = await api.ask(`${configMaps}?watch=1`, { headers: view })
    expect(watch.json).toMatchObject({
      message:
        'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    })
    expect(answer.text).toContain('\n  "code": 406')
  })

  it('has no body for HEAD, and the length it would have', async () => {
    const answer = await api.ask('/apis', { method: 'HEAD' })
    const { text } = await api.ask('/apis')
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers['content-length']).toBe(String(text.length))
  })

  it.each([
    ['HEAD', `${configMaps}/a`, 405],
    ['HEAD', configMaps, 405],
    ['HEAD', '/version', 405],
    ['HEAD', '/api/v1', 405],
    ['PUT', '/api', 405],
    ['OPTIONS', '/api/v1', 405],
    ['PUT', '/version', 405],
    ['PUT', '/apis', 200],
    ['OPTIONS', '/apis', 200],
    ['POST', '/livez', 200],
    ['HEAD', '/livez', 200],
    ['PUT', '/', 200],
  ])('to %s %s has the status of Kubernetes', async (method, path, status) => {
    expect((await api.ask(path, { method })).status).toBe(status)
  })

  it('is a Table of rows with partial objects', async () => {
    const answer = await api.ask(`${configMaps}?limit=2`, { headers: { Accept: table } })
    expect(answer.json).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { remainingItemCount: 1, continue: expect.any(String) },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', priority: 0 },
        { name: 'Data' },
        { name: 'Age' },
      ],
      rows: [
        { cells: ['a', 1, '0s'], object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } } },
        { cells: ['b', 1, '0s'] },
      ],
    })
  })

  it.each([
    ['None', null],
    ['Object', expect.objectContaining({ kind: 'Widget', spec: { color: 'red' } })],
    ['Metadata', expect.objectContaining({ kind: 'PartialObjectMetadata' })],
  ])('is a Table whose rows include %s', async (included, object) => {
    const answer = await api.ask(`${widgets}/w?includeObject=${included}`, { headers: { Accept: table } })
    expect(answer.json).toMatchObject({ rows: [{ cells: ['w', '0s'], object }] })
  })

  it('is partial metadata, of one or many objects', async () => {
    const accept = (as: string) => ({ headers: { Accept: `application/json;as=${as};g=meta.k8s.io;v=v1` } })
    const one = await api.ask(`${configMaps}/a`, accept('PartialObjectMetadata'))
    expect(one.json).toMatchObject({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'a' },
    })
    expect(one.json).not.toHaveProperty('data')
    const many = await api.ask(configMaps, accept('PartialObjectMetadataList'))
    expect(many.json).toMatchObject({ kind: 'PartialObjectMetadataList', items: [{}, {}, {}] })
    expect((await api.ask(configMaps, accept('PartialObjectMetadata'))).status).toBe(406)
    expect((await api.ask(`${configMaps}/a`, accept('PartialObjectMetadataList'))).status).toBe(406)
  })

  it('is a list whose items have a kind only if it is custom', async () => {
    expect((await api.ask(configMaps)).json).toMatchObject({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: { resourceVersion: expect.stringMatching(/^[0-9]+$/) },
      items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }, { metadata: { name: 'c' } }],
    })
    expect((await api.ask(configMaps)).text).not.toContain('"kind":"ConfigMap"')
    expect((await api.ask(widgets)).json).toMatchObject({ kind: 'WidgetList', items: [{ kind: 'Widget' }] })
    expect((await api.ask('/api/v1/namespaces/nons/configmaps')).text).toMatch(/"items":\[\]\}\n$/)
  })
})

describe('a list that was sent before', () => {
  it('is cached while nothing changes, and rebuilt after a write', async () => {
    const before = await api.ask(`${configMaps}?labelSelector=fresh`)
    expect((await api.ask(`${configMaps}?labelSelector=fresh`)).text).toBe(before.text)
    const body = { metadata: { name: 'fresh', labels: { fresh: '' } } }
    await api.ask(configMaps, { method: 'POST', body })
    expect((await api.ask(`${configMaps}?labelSelector=fresh`)).json).toMatchObject({
      items: [{ metadata: { name: 'fresh' } }],
    })
    await api.ask(`${configMaps}/fresh`, { method: 'DELETE' })
    expect((await api.ask(`${configMaps}?labelSelector=fresh`)).json).toMatchObject({ items: [] })
  })
})

describe('every response', () => {
  it('has an Audit-Id, that of the client if it sent one', async () => {
    const headers = { 'Audit-ID': 'mine' }
    expect((await api.ask(`${configMaps}/a`, { headers })).headers['audit-id']).toBe('mine')
    expect((await api.ask('/nosuch')).headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('has an audit line, without bodies and credentials', async () => {
    audited.length = 0
    await api.ask(`${configMaps}/a?pretty=1`, { headers: { 'Audit-ID': 'seen' } })
    expect(audited).toEqual([
      {
        auditId: 'seen',
        verb: 'get',
        requestUri: `${configMaps}/a?pretty=1`,
        user: { name: 'admin', groups: ['system:masters', 'system:authenticated'] },
        sourceAddress: '192.0.2.1',
        userAgent: 'test/1.0',
        objectRef: {
          group: '',
          version: 'v1',
          resource: 'configmaps',
          subresource: '',
          namespace: 'default',
          name: 'a',
        },
        code: 200,
        receivedAtMs: api.clock.now(),
        finishedAtMs: api.clock.now(),
        decision: '',
        isAuthorized: true,
      },
    ])
  })

  it('has a Warning for each complaint about the body', async () => {
    const body = { metadata: { name: 'warned' }, bogus: 1 }
    const answer = await api.ask(`${configMaps}?dryRun=All`, { method: 'POST', body })
    expect(answer.warnings).toEqual(['299 - "unknown field \\"bogus\\""'])
  })
})

describe('bodies', () => {
  it.each([
    ['application/yaml', 'metadata:\n  name: named\ndata:\n  a: "1"\n'],
    ['application/json; charset=utf-8', '{"metadata":{"name":"named"},"data":{"a":"1"}}'],
    ['', '{"metadata":{"name":"named"},"data":{"a":"1"}}'],
  ])('%s is read', async (type, body) => {
    const headers: Record<string, string> = type === '' ? {} : { 'Content-Type': type }
    const answer = await api.ask(`${configMaps}?dryRun=All`, { method: 'POST', headers, body })
    expect(answer.json).toMatchObject({ kind: 'ConfigMap', data: { a: '1' } })
  })

  it.each([
    [
      'POST',
      configMaps,
      'text/plain',
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    ],
    [
      'PATCH',
      `${widgets}/w`,
      'application/strategic-merge-patch+json',
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    ],
    ['PATCH', `${configMaps}/a`, 'application/json', '415: Unsupported Media Type'],
  ])('%s %s as %s is refused', async (method, path, type, message) => {
    const answer = await api.ask(path, { method, headers: { 'Content-Type': type }, body: '{}' })
    expect(answer.json).toMatchObject({ code: 415, message })
  })

  it('of a delete may be empty, JSON or YAML', async () => {
    for (const [body, type] of [
      ['', ''],
      ['{"propagationPolicy":"Background"}', 'application/json'],
      ['propagationPolicy: Background', 'application/yaml'],
    ] as const) {
      await api.ask(configMaps, { method: 'POST', body: { metadata: { name: 'gone' } } })
      const answer = await api.ask(`${configMaps}/gone`, { method: 'DELETE', body, headers: { 'Content-Type': type } })
      expect(answer.json).toMatchObject({ status: 'Success', details: { name: 'gone', kind: 'configmaps' } })
    }
  })
})

describe('requests that take too long', () => {
  it('are refused if the requested timeout is invalid', async () => {
    expect((await api.ask(`${configMaps}?timeout=abc`)).json).toMatchObject({
      code: 400,
      message: 'invalid timeout specified in the request URL - time: invalid duration "abc"',
    })
  })
})

describe('health', () => {
  it.each([
    ['/healthz', 200, 'ok'],
    ['/livez', 200, 'ok'],
    ['/livez/store', 200, 'ok'],
    ['/livez?verbose', 200, '[+]ping ok\n[+]store ok\nlivez check passed\n'],
    ['/readyz', 500, '[+]ping ok\n[+]store ok\n[-]broken failed: reason withheld\nreadyz check failed\n'],
    ['/readyz?exclude=broken', 200, 'ok'],
    ['/readyz?verbose&exclude=broken', 200, '[+]ping ok\n[+]store ok\n[+]broken excluded: ok\nreadyz check passed\n'],
    ['/readyz/broken', 500, '[-]broken failed: reason withheld\nreadyz check failed\n'],
  ])('%s is %d', async (path, status, text) => {
    expect(await api.ask(path)).toMatchObject({ status, text })
  })
})

describe('other paths', () => {
  it('return the version', async () => {
    expect((await api.ask('/version?timeout=5s')).json).toMatchObject({
      major: '1',
      minor: '32',
      gitVersion: 'v1.32.4',
    })
    expect((await api.ask('/version/')).status).toBe(200)
  })

  it('list themselves at the root', async () => {
    const { paths } = (await api.ask('/')).json as { paths: string[] }
    expect(paths).toEqual(
      expect.arrayContaining(['/api', '/api/v1', '/apis', '/apis/things.example.com', '/livez', '/metrics']),
    )
  })

  it('can be added', async () => {
    expect(await api.ask('/extra')).toMatchObject({ status: 418, text: 'extra' })
  })

  it('count requests by verb, resource and status', async () => {
    await api.ask(`${configMaps}/nope`)
    const { text } = await api.ask('/metrics')
    expect(text).toMatch(/^apiserver_request_total\{verb="get",resource="configmaps",code="404"\} [1-9]/m)
    expect(text).toMatch(
      /^apiserver_request_duration_seconds_bucket\{verb="list",resource="configmaps",code="200",le="\+Inf"\} [1-9]/m,
    )
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m)
    expect((await api.ask('/metrics', { token: 'alice-token' })).status).toBe(403)
  })
})
