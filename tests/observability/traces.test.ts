import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTracing, tracesUrl } from '../../src/base/tracing/open-tracing.ts'
import type { Tracing } from '../../src/base/tracing/tracing.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { type ReceivedSpan, startTraceReceiver } from './support/trace-receiver.ts'
import { startWorld, type World } from './support/world.ts'

let receiver: Awaited<ReturnType<typeof startTraceReceiver>>
let tracing: Tracing
let world: World

beforeAll(async () => {
  receiver = await startTraceReceiver()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '50' }
  const opened = await openTracing(env, 'test')
  if (opened === undefined) throw new Error('traces are to be sent')
  tracing = opened
  world = await startWorld({ tracing: { tracing, parents: 'none' } })
})
afterAll(async () => {
  await world?.stop()
  await tracing?.stop()
  receiver?.stop()
})

const strangersTrace = 'a'.repeat(32)
const traceparent = `00-${strangersTrace}-${'b'.repeat(16)}-01`

async function found(server: string, path: string): Promise<ReceivedSpan> {
  const search = () =>
    receiver.spans().find(({ attributes }) => attributes['tenant.server'] === server && attributes['url.path'] === path)
  await eventually(() => expect(search(), `a span of ${server} for ${path}`).toBeDefined())
  const span = search()
  if (span === undefined) throw new Error('it was there')
  return span
}

describe('a trace', () => {
  it('starts at the platform and continues over the link in the virtual cluster', async () => {
    const path = '/api/v1/namespaces/default/configmaps'
    const headers = { traceparent, tracestate: 'x=1' }
    const { status } = await world.platform.ask('GET', `${world.inside}${path}?labelSelector=a%3Dsecret-query`, {
      headers,
    })
    expect(status).toBe(200)
    const [outer, inner] = [await found('platform', `${world.inside}${path}`), await found('virtual cluster', path)]
    expect(inner).toMatchObject({
      traceId: outer.traceId,
      parentSpanId: outer.spanId,
      name: 'list configmaps',
      kind: 2,
    })
    expect(outer.traceId).not.toBe(strangersTrace)
    expect(outer.parentSpanId ?? '').toBe('')
    expect(outer.name).toBe('list configmaps')
    expect(outer.attributes).toMatchObject({ 'http.response.status_code': 200, 'tenant.target': 'virtual-cluster' })
  })

  it('continues on the host when the tenant forwards a request of a caller', async () => {
    const pods = '/api/v1/namespaces/default/pods'
    const spec = { containers: [{ name: 'main', image: 'app:1' }], automountServiceAccountToken: false }
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'traced' }, spec }
    expect((await world.platform.ask('POST', `${world.inside}${pods}`, { body })).status).toBe(201)
    await eventually(async () => {
      const { text } = await world.platform.ask('GET', `${world.inside}${pods}/traced`)
      expect(JSON.parse(text).spec.nodeName).toEqual(expect.any(String))
    })
    await world.platform.ask('GET', `${world.inside}${pods}/traced/log`)
    const inner = await found('virtual cluster', `${pods}/traced/log`)
    await eventually(() => {
      const hosts = receiver.spans().filter(({ parentSpanId }) => parentSpanId === inner.spanId)
      expect(hosts).toEqual([expect.objectContaining({ traceId: inner.traceId })])
      expect(hosts[0]?.attributes).toMatchObject({
        'tenant.server': 'host',
        'url.path': expect.stringMatching(/\/log$/),
      })
    })
  })

  it('starts at the syncer for its writes to the host', async () => {
    await eventually(() => {
      const spans = receiver.spans()
      const writes = spans.filter(({ kind, attributes }) => kind === 3 && attributes['http.request.method'] === 'POST')
      const onHost = spans.filter(({ parentSpanId }) => writes.some(({ spanId }) => spanId === parentSpanId))
      const created = expect.objectContaining({ 'tenant.server': 'host', 'http.response.status_code': 201 })
      expect(onHost.map(({ attributes }) => attributes)).toContainEqual(created)
    })
  })

  it('is continued if the sender is trusted', async () => {
    await world.host.ask('GET', '/api/v1/namespaces/believed/services', { headers: { traceparent } })
    const span = await found('host', '/api/v1/namespaces/believed/services')
    expect(span).toMatchObject({ traceId: strangersTrace, parentSpanId: 'b'.repeat(16) })
  })

  it.each(['', 'x', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`, `${traceparent}x`])(
    'begins a new trace after an invalid parent: %s',
    async (broken) => {
      const path = `/api/v1/namespaces/n${broken.length}/secrets`
      await world.host.ask('GET', path, { headers: { traceparent: broken } })
      expect((await found('host', path)).traceId).not.toBe(strangersTrace)
    },
  )

  it('contains no key, query or body', async () => {
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'kept' }, stringData: { a: 'secret-body' } }
    await world.platform.ask('POST', `${world.inside}/api/v1/namespaces/default/secrets`, { body })
    await found('virtual cluster', '/api/v1/namespaces/default/secrets')
    expect(receiver.text()).toContain('"secrets"')
    for (const secret of [world.adminKey, 'secret-query', 'secret-body', 'labelSelector']) {
      expect(receiver.text()).not.toContain(secret)
    }
  })
})

describe('tracing', () => {
  it('buffers little while the receiver is unavailable, and does not keep the process alive', async () => {
    const away = await openTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` }, 'test')
    for (let count = 0; count < 20_000; count++)
      away?.start('server').end('get', { 'url.path': 'x'.repeat(1_000) }, 200)
    const beganMs = performance.now()
    await away?.stop()
    expect(performance.now() - beganMs).toBeLessThan(8_000)
  })

  it.each([
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:4318' }, 'http://a:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:4318/b/' }, 'http://a:4318/b/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://a/c' }, 'http://a/c'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_SDK_DISABLED: 'true' }, undefined],
  ])('with %j sends to %s', (env, url) => {
    expect(tracesUrl(env)).toBe(url)
  })

  it('is loaded only when it is enabled', () => {
    const root = join(import.meta.dirname, '../../src')
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    const withText = (text: string) => files.filter((file) => readFileSync(join(root, file), 'utf8').includes(text))
    expect(withText("from '@opentelemetry/")).toEqual(['base/tracing/otlp-tracing.ts'])
    expect(withText('otlp-tracing.ts')).toEqual(['base/tracing/open-tracing.ts'])
    expect(readFileSync(join(root, 'base/tracing/open-tracing.ts'), 'utf8')).toContain(
      "await import('./otlp-tracing.ts')",
    )
  })
})
