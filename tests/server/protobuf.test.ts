import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configMap } from '../../src/api/core/config-map.ts'
import { gone } from '../../src/api/error.ts'
import { frameEncoder } from '../../src/server/verbs/frame-encoder.ts'
import { SharedFrames } from '../../src/server/verbs/shared-frames.ts'
import { protobufType, readAnswer, readFrames } from '../protobuf/read-answer.ts'
import { eventually } from '../support/eventually.ts'
import { type Asked, type OpenStream, startApi, type TestApi } from './ask.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const widgets = '/apis/things.example.com/v1/widgets'
const inProtobuf = { headers: { Accept: protobufType } }
const partial = (type: string, as: string) => ({ headers: { Accept: `${type};as=${as};g=meta.k8s.io;v=v1` } })

let api: TestApi
beforeAll(async () => {
  api = await startApi()
  for (const name of ['a', 'b']) await create(name, { data: { name } })
  await api.ask(widgets, {
    method: 'POST',
    body: { apiVersion: 'things.example.com/v1', kind: 'Widget', ...named('w') },
  })
})
afterAll(() => api.stop())

const named = (name: string) => ({ metadata: { name } })
const create = (name: string, more: object = {}, asked: Asked = {}) =>
  api.ask(configMaps, { ...asked, method: 'POST', body: { ...named(name), ...more } })

/** The answer in protobuf and in JSON. */
async function both(url: string, asked: Asked = {}) {
  const [binary, text] = [await api.ask(url, { ...asked, ...inProtobuf }), await api.ask(url, asked)]
  expect(binary.headers['content-type']).toBe(protobufType)
  expect(binary.status).toBe(text.status)
  return { binary: readAnswer(binary.bytes), json: withoutZeros(text.json) }
}

/** Protobuf leaves out empty values, and items of a list never name their kind. */
function withoutZeros(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, member) =>
    member === null || (name !== '' && ['{}', '[]', '""', 'false'].includes(JSON.stringify(member)))
      ? undefined
      : member,
  )
}

describe('an answer in protobuf', () => {
  it.each([
    ['an object', `${configMaps}/a`],
    ['a list', configMaps],
    ['a page of a list', `${configMaps}?labelSelector=x%3Dy`],
    ['a refusal', `${configMaps}/absent`],
    ['discovery of versions', '/api'],
    ['discovery of groups', '/apis'],
    ['discovery of a group', '/apis/things.example.com'],
    ['discovery of kinds', '/api/v1'],
  ])('to %s has the same content as in JSON', async (_, url) => {
    const { binary, json } = await both(url)
    expect(withoutZeros(binary)).toEqual(json)
  })

  it('is returned for writes, too', async () => {
    const created = await create('written', { data: { a: '1' } }, inProtobuf)
    expect(created).toMatchObject({ status: 201, headers: { 'content-type': protobufType } })
    expect(readAnswer(created.bytes)).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } })
    const patch = { method: 'PATCH', body: { data: { a: '2' } } }
    const headers = { ...inProtobuf.headers, 'Content-Type': 'application/merge-patch+json' }
    const patched = await api.ask(`${configMaps}/written`, { ...patch, headers })
    expect(readAnswer(patched.bytes)).toMatchObject({ data: { a: '2' } })
    const deleted = await api.ask(`${configMaps}/written`, { method: 'DELETE', ...inProtobuf })
    expect(readAnswer(deleted.bytes)).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'written' } })
    const again = await api.ask(`${configMaps}/written`, { method: 'DELETE', ...inProtobuf })
    expect(readAnswer(again.bytes)).toMatchObject({ kind: 'Status', code: 404, reason: 'NotFound' })
  })

  it('to an unknown or forbidden caller is a Status', async () => {
    const unknown = await api.ask(configMaps, { token: 'unknown', ...inProtobuf })
    expect(readAnswer(unknown.bytes)).toMatchObject({ kind: 'Status', code: 401 })
    const alice = await api.ask(configMaps, { token: 'alice-token', ...inProtobuf })
    expect(readAnswer(alice.bytes)).toMatchObject({ kind: 'Status', code: 403, details: { kind: 'configmaps' } })
  })

  it('shows the metadata of any kind', async () => {
    const one = await api.ask(`${widgets}/w`, partial(protobufType, 'PartialObjectMetadata'))
    expect(readAnswer(one.bytes)).toMatchObject({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'w' },
    })
    const all = await api.ask(configMaps, partial(protobufType, 'PartialObjectMetadataList'))
    const { items, kind } = Object(readAnswer(all.bytes))
    expect(kind).toBe('PartialObjectMetadataList')
    expect(items).toContainEqual({ metadata: expect.objectContaining({ name: 'a' }) })
    expect(JSON.stringify(items)).not.toContain('"data":')
  })
})

describe('a response without a protobuf form', () => {
  it('is JSON for a client that accepts it, too', async () => {
    const custom = await api.ask(`${widgets}/w`, { headers: { Accept: `${protobufType}, application/json` } })
    expect(custom).toMatchObject({ headers: { 'content-type': 'application/json' }, json: { kind: 'Widget' } })
    const table = 'application/json;as=Table;g=meta.k8s.io;v=v1'
    const accept = `${protobufType};as=Table;g=meta.k8s.io;v=v1, ${table}`
    expect((await api.ask(configMaps, { headers: { Accept: accept } })).json).toMatchObject({ kind: 'Table' })
    const version = await api.ask('/version', { headers: { Accept: `${protobufType}, application/json` } })
    expect(version.json).toMatchObject({ major: '1' })
    expect((await api.ask('/version', inProtobuf)).status).toBe(406)
  })

  it('is refused as JSON for a client that accepts nothing else', async () => {
    const custom = await api.ask(`${widgets}/w`, inProtobuf)
    expect(custom).toMatchObject({ status: 406, headers: { 'content-type': protobufType } })
    expect(readAnswer(custom.bytes)).toMatchObject({
      reason: 'NotAcceptable',
      message:
        'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    })
    const nothing = await api.ask(configMaps, { headers: { Accept: 'text/html' } })
    expect(nothing).toMatchObject({ status: 406, json: { reason: 'NotAcceptable' } })
    const list = await api.ask(configMaps, partial(protobufType, 'PartialObjectMetadata'))
    expect(list).toMatchObject({ status: 406, json: { message: expect.stringContaining('is a list') } })
  })
})

describe('a long list in protobuf', () => {
  it('has the announced length, is encoded in slices, and is streamed', async () => {
    const text = 'x'.repeat(100_000)
    for (let index = 0; index < 50; index++) {
      const metadata = { name: `long-${index}`, labels: { long: '' } }
      await api.ask(configMaps, { method: 'POST', body: { metadata, data: { text, index: String(index) } } })
    }
    const { bytes, headers } = await api.ask(`${configMaps}?labelSelector=long`, inProtobuf)
    const { items, metadata } = Object(readAnswer(bytes))
    expect(items).toHaveLength(50)
    expect(metadata.resourceVersion).toMatch(/^\d+$/)
    expect(items[49].data).toEqual({ text, index: '9' })
    expect(Number(headers['content-length'])).toBe(bytes.length)
  })
})

const events = (watch: OpenStream) => readFrames(Buffer.from(watch.chunks.join(''), 'latin1'))

describe('a watch in protobuf', () => {
  const started = `${configMaps}?watch=true&fieldSelector=metadata.name%3Dwatched`

  it('reports existing objects and then changes, one frame each', async () => {
    await create('watched', { data: { a: '1' } })
    const [watch, other] = [await api.open(started, inProtobuf), await api.open(started, inProtobuf)]
    await api.ask(`${configMaps}/watched`, { method: 'DELETE' })
    await eventually(() => expect(events(watch)).toHaveLength(2))
    expect(events(watch)).toMatchObject([
      { type: 'ADDED', object: { kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } } },
      { type: 'DELETED', object: { metadata: { name: 'watched' } } },
    ])
    expect(events(other)).toEqual(events(watch))
    for (const each of [watch, other]) each.disconnect()
  })

  it('reports expired history', () => {
    const { status } = gone('too old')
    const { encode, error } = frameEncoder(configMap, { format: 'protobuf', as: '', version: 'v1' }, new SharedFrames())
    expect(encode({ type: 'ERROR', status })).toEqual([error(status)])
    expect(readFrames(error(status))).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410 } }])
  })

  it('marks the end of the initial events with an empty list in protobuf', async () => {
    const url = `${started}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`
    const watch = await api.open(url, inProtobuf)
    await eventually(() => expect(events(watch)).toHaveLength(1))
    const [{ type, object } = { type: '', object: {} }] = events(watch)
    const { annotations } = Object(object).metadata
    expect({ type, annotations }).toMatchObject({
      type: 'BOOKMARK',
      annotations: { 'k8s.io/initial-events-end': 'true' },
    })
    const blueprint = Buffer.from(annotations['kubernetes.io/initial-events-list-blueprint'], 'base64')
    expect(readAnswer(blueprint)).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' })
    watch.disconnect()
  })

  it('shows the metadata of a custom resource, and is refused as YAML', async () => {
    const watch = await api.open(`${widgets}?watch=true`, partial(protobufType, 'PartialObjectMetadata'))
    await eventually(() => expect(events(watch)).toHaveLength(1))
    expect(events(watch)).toMatchObject([{ type: 'ADDED', object: { kind: 'PartialObjectMetadata', ...named('w') } }])
    watch.disconnect()
    const yaml = await api.ask(`${configMaps}?watch=true`, { headers: { Accept: 'application/yaml' } })
    expect(yaml).toMatchObject({ status: 406, text: expect.stringContaining('application/json;stream=watch') })
  })
})
