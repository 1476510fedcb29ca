import { once } from 'node:events'
import { request } from 'node:https'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { sendJson } from '../support/network/send-json.ts'
import { startWebhookServer, type WebhookServer } from '../support/network/webhook-server.ts'

interface Shop {
  readonly apiVersion: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly spec: { readonly host?: string; readonly hostPort?: string }
}

let server: TestServer
let hooks: WebhookServer
let asked = 0
let namespaces: (string | undefined)[] = []
let isBroken = false
/** The value in v2, if it is not that of v1. */
let inflated: string | undefined

const send = (method: string, path: string, body?: object) => sendJson(server.port, method, path, body)

/** `host` of v1 is `hostPort` of v2. */
function converted(shop: Shop, apiVersion: string): Shop {
  const { host, hostPort, ...spec } = shop.spec
  const isOlder = apiVersion.endsWith('v1')
  const value = isOlder ? (host ?? hostPort) : (inflated ?? host ?? hostPort)
  return { ...shop, apiVersion, spec: { ...spec, [isOlder ? 'host' : 'hostPort']: value } }
}

beforeAll(async () => {
  server = await startTestServer({ kinds: builtinKinds() })
  hooks = await startWebhookServer(({ body }) => {
    const { apiVersion, kind, request: question } = JSON.parse(body)
    asked += 1
    const { uid, desiredAPIVersion, objects } = question
    namespaces.push(...objects.map(({ metadata }: Shop) => metadata.namespace))
    const isPoisoned = objects.some(({ metadata }: Shop) => metadata.name === 'poison')
    if (isBroken || isPoisoned) return { status: 500, body: 'boom' }
    const convertedObjects = objects.map((shop: Shop) => converted(shop, desiredAPIVersion))
    return {
      body: JSON.stringify({ apiVersion, kind, response: { uid, result: { status: 'Success' }, convertedObjects } }),
    }
  })
  const rules = [{ rule: '!has(self.size) || self.size != 13', message: 'thirteen is unlucky' }]
  const version = (name: string, field: string, storage: boolean, more: object = {}) => ({
    name,
    served: true,
    storage,
    selectableFields: [{ jsonPath: `.spec.${field}` }],
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: { [field]: { type: 'string' }, size: { type: 'integer', minimum: 1 } },
            ...more,
          },
        },
      },
    },
  })
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'shops.e.com' },
    spec: {
      group: 'e.com',
      scope: 'Namespaced',
      names: { plural: 'shops', kind: 'Shop' },
      versions: [version('v1', 'host', true), version('v2', 'hostPort', false, { 'x-kubernetes-validations': rules })],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { url: `${hooks.url}/convert`, caBundle: hooks.caBundle },
          conversionReviewVersions: ['v1'],
        },
      },
    },
  }
  expect((await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status).toBe(201)
  await eventually(async () => expect((await send('GET', v2)).status).toBe(200))
})

afterAll(async () => {
  await server.stop()
  await hooks.stop()
})

beforeEach(async () => {
  isBroken = false
  inflated = undefined
  await send('DELETE', v1)
  asked = 0
  namespaces = []
})

const v1 = '/apis/e.com/v1/namespaces/default/shops'
const v2 = '/apis/e.com/v2/namespaces/default/shops'

function shop(version: 'v1' | 'v2', name: string, spec: object) {
  return { apiVersion: `e.com/${version}`, kind: 'Shop', metadata: { name }, spec }
}

describe('a version that a webhook converts', () => {
  it('is converted with the namespace of the request, also if the body omits it', async () => {
    const sent = shop('v2', 'a', { hostPort: 'h' })
    const { status, body } = await send('POST', v2, sent)
    expect(status).toBe(201)
    const { resourceVersion } = body.metadata as { resourceVersion: string }
    const changed = { ...sent, metadata: { name: 'a', resourceVersion }, spec: { hostPort: 'other' } }
    expect((await send('PUT', `${v2}/a`, changed)).status).toBe(200)
    expect((await send('APPLY', `${v2}/b?fieldManager=m`, shop('v2', 'b', { hostPort: 'h' }))).status).toBe(201)
    expect(new Set(namespaces)).toEqual(new Set(['default']))
  })

  it('shows objects written in another version, and can be written itself', async () => {
    await send('POST', v1, shop('v1', 'a', { host: 'h:1' }))
    const { body } = await send('GET', `${v2}/a`)
    expect(body).toMatchObject({ apiVersion: 'e.com/v2', metadata: { name: 'a' }, spec: { hostPort: 'h:1' } })
    const changed = { ...body, spec: { hostPort: 'h:2' } }
    expect((await send('PUT', `${v2}/a`, changed)).body).toMatchObject({ spec: { hostPort: 'h:2' } })
    expect((await send('GET', `${v1}/a`)).body.spec).toEqual({ host: 'h:2' })
    expect((await send('PUT', `${v2}/a`, changed)).status).toBe(409)
    expect((await send('POST', v2, shop('v2', 'b', { hostPort: 'h:3' }))).body).toMatchObject({
      apiVersion: 'e.com/v2',
    })
    expect((await send('GET', `${v1}/b`)).body.spec).toEqual({ host: 'h:3' })
    expect((await send('DELETE', `${v2}/b`)).status).toBe(200)
    expect((await send('GET', `${v1}/b`)).status).toBe(404)
  })

  it('can be patched and applied', async () => {
    await send('POST', v1, shop('v1', 'a', { host: 'h:1', size: 1 }))
    expect((await send('PATCH', `${v2}/a`, { spec: { size: 2 } })).body.spec).toEqual({ hostPort: 'h:1', size: 2 })
    const applied = await send('APPLY', `${v2}/c?fieldManager=m`, shop('v2', 'c', { hostPort: 'h:9' }))
    expect(applied).toMatchObject({ status: 201, body: { spec: { hostPort: 'h:9' } } })
    expect((await send('GET', `${v1}/c`)).body.spec).toEqual({ host: 'h:9' })
  })

  it('is validated against its own schema', async () => {
    const { status, body } = await send('POST', v2, shop('v2', 'a', { hostPort: 'h', size: 0 }))
    expect([status, body.message]).toEqual([422, expect.stringContaining('spec.size')])
    expect(asked).toBe(0)
  })

  it('is validated against its own rules, with every kind of write', async () => {
    const unlucky = shop('v2', 'a', { hostPort: 'h', size: 13 })
    const refusal = [422, expect.stringContaining('thirteen is unlucky')]
    const refused = async (method: string, path: string, body: object) => {
      const answer = await send(method, path, body)
      expect([answer.status, answer.body.message]).toEqual(refusal)
    }
    await refused('POST', v2, unlucky)
    await refused('APPLY', `${v2}/a?fieldManager=m`, unlucky)
    expect((await send('POST', v1, shop('v1', 'a', { host: 'h' }))).status).toBe(201)
    await refused('PATCH', `${v2}/a`, { spec: { size: 13 } })
    await refused('PUT', `${v2}/a`, unlucky)
    await refused('APPLY', `${v2}/a?fieldManager=m&force=true`, unlucky)
    expect((await send('PATCH', `${v1}/a`, { spec: { size: 13 } })).status).toBe(200)
  })

  it('refuses unknown fields if the caller of an apply requests that', async () => {
    const odd = shop('v2', 'a', { hostPort: 'h', host: 'h' })
    const strict = await send('APPLY', `${v2}/a?fieldManager=m&fieldValidation=Strict`, odd)
    expect([strict.status, strict.body.message]).toEqual([400, expect.stringContaining('spec.host')])
    expect((await send('APPLY', `${v2}/a?fieldManager=m`, shop('v2', 'a', { hostPort: 'h' }))).status).toBe(201)
  })

  it('calls the webhook once for an unchanged object, however many callers read it', async () => {
    for (const name of ['a', 'b', 'c']) await send('POST', v1, shop('v1', name, { host: 'h' }))
    for (let index = 0; index < 3; index += 1) {
      expect((await send('GET', v2)).body.items).toHaveLength(3)
      expect((await send('GET', `${v2}/a`)).status).toBe(200)
    }
    expect(asked).toBe(1)
  })

  it('calls the webhook once for concurrent readers', async () => {
    await send('POST', v1, shop('v1', 'a', { host: 'h' }))
    const answers = await Promise.all(Array.from({ length: 40 }, () => send('GET', `${v2}/a`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(asked).toBe(1)
  })

  it('can be watched', async () => {
    await send('POST', v1, shop('v1', 'a', { host: 'h:1' }))
    const lines = watched(v2)
    await eventually(() => expect(lines.seen).toEqual(['ADDED h:1']))
    await send('PATCH', `${v1}/a`, { spec: { host: 'h:2' } })
    await send('DELETE', `${v1}/a`)
    await eventually(() => expect(lines.seen).toEqual(['ADDED h:1', 'MODIFIED h:2', 'DELETED h:2']))
    lines.end()
  })
})

describe('a field of a version that a webhook converts', () => {
  const selecting = (value: string) => `fieldSelector=${encodeURIComponent(`spec.hostPort=${value}`)}`
  const names = ({ body }: Awaited<ReturnType<typeof send>>) =>
    (body.items as readonly Shop[]).map(({ metadata }) => metadata.name)

  beforeEach(async () => {
    for (const [name, host] of [
      ['a', 'h:1'],
      ['b', 'h:2'],
      ['c', 'h:1'],
    ] as const) {
      await send('POST', v1, shop('v1', name, { host }))
    }
  })

  it('selects from a list, and in each of its pages', async () => {
    expect(names(await send('GET', `${v2}?${selecting('h:1')}`))).toEqual(['a', 'c'])
    const first = await send('GET', `${v2}?limit=2&${selecting('h:1')}`)
    const { continue: token, ...rest } = first.body.metadata as { continue: string }
    expect([names(first), Object.keys(rest)]).toEqual([['a'], ['resourceVersion']])
    const next = `continue=${encodeURIComponent(token)}`
    expect(names(await send('GET', `${v2}?limit=2&${next}&${selecting('h:1')}`))).toEqual(['c'])
    expect(names(await send('GET', `${v2}?fieldSelector=metadata.name%3Db`))).toEqual(['b'])
  })

  it('selects from a collection to delete', async () => {
    expect((await send('DELETE', `${v2}?${selecting('h:1')}`)).status).toBe(200)
    expect(names(await send('GET', v2))).toEqual(['b'])
  })

  it('selects from a watch: what begins to match is new, and what no longer does is gone', async () => {
    const lines = watched(`${v2}?${selecting('h:1')}&watch=true`)
    await eventually(() => expect(lines.seen).toEqual(['ADDED h:1', 'ADDED h:1']))
    await send('PATCH', `${v1}/b`, { metadata: { labels: { looked: 'at' } } })
    await send('PATCH', `${v1}/b`, { spec: { host: 'h:1' } })
    await send('PATCH', `${v1}/b`, { metadata: { labels: { looked: 'again' } } })
    await send('PATCH', `${v1}/b`, { spec: { host: 'h:3' } })
    await send('DELETE', `${v1}/b`)
    await send('DELETE', `${v1}/a`)
    const changes = ['ADDED h:1', 'MODIFIED h:1', 'DELETED h:1', 'DELETED h:1']
    await eventually(() => expect(lines.seen.slice(2)).toEqual(changes))
    lines.end()
  })

  it('is not one of another version', async () => {
    const { status, body } = await send('GET', `${v2}?fieldSelector=spec.host%3Dh`)
    expect([status, body.message]).toEqual([400, 'field label not supported: spec.host'])
  })
})

describe('a conversion webhook that is broken', () => {
  it('is reported, and the stored version is served as before', async () => {
    await send('POST', v1, shop('v1', 'a', { host: 'h:1' }))
    isBroken = true
    const { status, body } = await send('GET', `${v2}/a`)
    const problem = 'conversion webhook for e.com/v1, Kind=Shop failed: an error on the server ("boom")'
    expect([status, body.message]).toEqual([500, `${problem} has prevented the request from succeeding`])
    expect((await send('GET', `${v1}/a`)).status).toBe(200)
    isBroken = false
    expect((await send('GET', `${v2}/a`)).status).toBe(200)
  })

  it('cannot grow an object beyond the size limit', async () => {
    await send('POST', v1, shop('v1', 'a', { host: 'h' }))
    inflated = 'x'.repeat(1_600_000)
    const { status, body } = await send('GET', `${v2}/a`)
    expect([status, body.message]).toEqual([500, expect.stringContaining('it returned an object that is too large')])
  })

  it('fails only for the requested objects', async () => {
    const host = 'h'.repeat(100_000)
    for (const name of ['a', 'b', 'poison']) await send('POST', v1, shop('v1', name, { host }))
    expect((await send('GET', v2)).status).toBe(500)
    expect(asked).toBe(3)
    for (const name of ['a', 'b']) expect((await send('GET', `${v2}/${name}`)).status).toBe(200)
    expect(asked).toBe(3)
  })

  it('ends watches with the reason', async () => {
    const lines = watched(v2)
    await lines.opened
    isBroken = true
    await send('POST', v1, shop('v1', 'a', { host: 'h:1' }))
    await eventually(() => expect(lines.seen).toEqual([expect.stringContaining('ERROR')]))
    await lines.ended
  })
})

describe('another storage version', () => {
  const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/shops.e.com'

  it('changes no object, and the old version is kept while objects use it', async () => {
    await send('POST', v1, shop('v1', 'a', { host: 'h:1' }))
    const { body } = await send('GET', definition)
    const spec = body.spec as { versions: { name: string }[] }
    const versions = spec.versions.map((version) => ({ ...version, storage: version.name === 'v2' }))
    expect((await send('PUT', definition, { ...body, spec: { ...spec, versions } })).status).toBe(200)
    const status = async () => (await send('GET', definition)).body.status as { storedVersions: string[] }
    await eventually(async () => expect((await status()).storedVersions).toEqual(['v1', 'v2']))
    await eventually(async () => expect((await send('GET', `${v2}/a`)).body.spec).toEqual({ hostPort: 'h:1' }))
    expect((await send('GET', `${v1}/a`)).body.spec).toEqual({ host: 'h:1' })
    const taken = { status: { storedVersions: ['v2'] } }
    const refused = await send('PATCH', `${definition}/status`, taken)
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringContaining('objects are still stored as v1 (1)'),
    ])
    const unconverted = await send('PATCH', definition, { spec: { conversion: { strategy: 'None', webhook: null } } })
    expect([unconverted.status, unconverted.body.message]).toEqual([
      422,
      expect.stringContaining('make it the storage version before the webhook is taken away'),
    ])
    await send('DELETE', v1)
    expect((await send('PATCH', `${definition}/status`, taken)).status).toBe(200)
    await send('POST', v2, shop('v2', 'b', { hostPort: 'h:2' }))
    await eventually(async () => expect((await send('GET', `${v1}/b`)).body.spec).toEqual({ host: 'h:2' }))
  })
})

/** The types of events, and their hosts. */
function watched(path: string) {
  const seen: string[] = []
  const headers = { Authorization: 'Bearer admin-token' }
  const options = {
    port: server.port,
    path: path.includes('?') ? path : `${path}?watch=true`,
    headers,
    rejectUnauthorized: false,
  }
  const asking = request({ host: '127.0.0.1', ...options })
  const opened = once(asking, 'response')
  const ended = new Promise<void>((resolve) => {
    asking.on('response', (response) => {
      let rest = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const { type, object } = JSON.parse(line)
          seen.push(`${type} ${object.spec?.hostPort ?? object.message}`)
        }
      })
      response.on('close', resolve)
    })
  })
  asking.on('error', () => {})
  asking.end()
  return { seen, opened, ended, end: () => asking.destroy() }
}
