import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configMaps, startApiWithObjects, widgets } from './api-with-objects.ts'
import type { TestApi } from './ask.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'

let api: TestApi
beforeAll(async () => {
  api = await startApiWithObjects()
})
afterAll(() => api.stop())

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
