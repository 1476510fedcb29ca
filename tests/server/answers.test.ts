import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditRecord } from '../../src/server/contract.ts'
import { configMaps, startApiWithObjects, widgets } from './api-with-objects.ts'
import type { TestApi } from './ask.ts'

const audited: AuditRecord[] = []

let api: TestApi
beforeAll(async () => {
  api = await startApiWithObjects({ audit: (record) => audited.push(record) })
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
