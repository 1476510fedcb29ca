import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { openAnyFormat } from '../../src/cluster/store/open-store.ts'
import { agreeOnFormat } from '../../src/storage/format/agree-on-format.ts'
import { eventually } from '../support/eventually.ts'
import { startWebhookServer, type WebhookServer } from '../support/network/webhook-server.ts'

const largest = 2n ** 63n - 1n
const smallest = -(2n ** 63n)
const v1 = '/apis/e.com/v1/namespaces/default/counters'
const v2 = '/apis/e.com/v2/namespaces/default/counters'

let directory: string
let server: RunningApiServer
let hooks: WebhookServer
/** The last request to the mutating webhook. */
let shown = ''
const agent = new Agent({ keepAlive: true })

interface Asked {
  readonly body?: string
  readonly type?: string
  readonly accept?: string
}

/** Sends and returns text: JavaScript would round the numbers. */
async function ask(method: string, path: string, { body, type = 'application/json', accept }: Asked = {}) {
  const headers = {
    authorization: `Bearer ${server.token}`,
    'content-type': type,
    accept: accept ?? 'application/json',
  }
  const sent = request(`${server.url}${path}`, { method, headers, ca: server.certificateAuthority, agent })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  return { status: answer.statusCode as number, text }
}

const integer = (more: object = {}) => ({ type: 'integer', format: 'int64', ...more })

const spec = {
  type: 'object',
  properties: {
    id: integer(),
    next: integer(),
    small: { type: 'integer', format: 'int32' },
    bounded: integer({ maximum: 2 ** 60, multipleOf: 2 }),
    wide: integer({ maximum: 'LARGEST' }),
    real: { type: 'number' },
    either: { 'x-kubernetes-int-or-string': true },
    ids: { type: 'array', items: integer(), 'x-kubernetes-list-type': 'set' },
    parts: {
      type: 'array',
      items: { type: 'object', required: ['key'], properties: { key: integer(), text: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['key'],
    },
    rest: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
  'x-kubernetes-validations': [{ rule: '!has(self.next) || self.next == self.id + 1', message: 'next is not next' }],
}

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  selectableFields: [{ jsonPath: '.spec.id' }],
  additionalPrinterColumns: [
    { name: 'Id', type: 'integer', jsonPath: '.spec.id' },
    { name: 'Parts', type: 'string', jsonPath: '.spec.parts' },
  ],
})

/** Converts by editing the text of the request. */
function conversionAnswer(body: string): string {
  const { uid, desiredAPIVersion } = JSON.parse(body).request
  const objects = body.slice(body.indexOf('"objects":') + '"objects":'.length, -2)
  const converted = objects.replaceAll(/"apiVersion":"e\.com\/v\d"/g, `"apiVersion":"${desiredAPIVersion}"`)
  return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"${uid}","result":{"status":"Success"},"convertedObjects":${converted}}}`
}

/** Adds one more integer to the object, the largest. */
function admissionAnswer(body: string): string {
  shown = body
  const { uid } = JSON.parse(body).request
  const patch = Buffer.from(`[{"op":"add","path":"/spec/rest","value":{"added":${largest}}}]`).toString('base64')
  const response = { uid, allowed: true, patchType: 'JSONPatch', patch }
  return JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response })
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-large-'))
  hooks = await startWebhookServer(({ body }) => ({
    body: body.includes('"ConversionReview"') ? conversionAnswer(body) : admissionAnswer(body),
  }))
  server = await startApiServer({ dataDir: directory, controllers: 'none' })
  const clientConfig = { url: `${hooks.url}/hook`, caBundle: hooks.caBundle }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'counters.e.com' },
    spec: {
      group: 'e.com',
      scope: 'Namespaced',
      names: { plural: 'counters', kind: 'Counter' },
      versions: [version('v1', true), version('v2', false)],
      conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
    },
  }
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'adds' },
    webhooks: [
      {
        name: 'adds.e.com',
        clientConfig,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        rules: [{ apiGroups: ['e.com'], apiVersions: ['v1'], resources: ['counters'], operations: ['CREATE'] }],
        objectSelector: { matchLabels: { adds: 'yes' } },
      },
    ],
  }
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const hooksPath = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'
  expect(
    await ask('POST', definitions, { body: JSON.stringify(definition).replaceAll('"LARGEST"', String(largest)) }),
  ).toMatchObject({ status: 201 })
  expect(await ask('POST', hooksPath, { body: JSON.stringify(configuration) })).toMatchObject({ status: 201 })
  await eventually(async () => expect((await ask('GET', v2)).status).toBe(200))
})

afterAll(async () => {
  agent.destroy()
  await server?.stop()
  await hooks?.stop()
  await rm(directory, { recursive: true, force: true })
})

const counter = (name: string, content: string, metadata = '') =>
  `{"apiVersion":"e.com/v1","kind":"Counter","metadata":{"name":"${name}"${metadata}},"spec":{${content}}}`

const mergePatch = 'application/merge-patch+json'
const jsonPatch = 'application/json-patch+json'
const applyPatch = 'application/apply-patch+yaml'
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io'

/** Integers of all sizes, and the limits of a double. */
const integers = fc.oneof(
  fc.bigInt({ min: smallest, max: largest }),
  fc.constantFrom(largest, smallest, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 60n, 10n ** 18n, 42n, 0n),
)

let count = 0

describe('an integer of 64 bits of a custom resource', () => {
  it('has the same digits in every output', async () => {
    await fc.assert(
      fc.asyncProperty(integers, integers, async (first, second) => {
        const name = `p${++count}`
        const content = `"id":${first},"ids":[${first}],"either":${first},"real":${first},"rest":{"deep":[{"er":${first}}]},"parts":[{"key":${first}}]`
        const path = `${v1}/${name}`
        const holds = (text: string, value: bigint) => {
          for (const place of [
            `"id":${value},`,
            `"ids":[${value}]`,
            `"either":${value},`,
            `"er":${value}}`,
            `"key":${value}}`,
          ])
            expect(text).toContain(place)
        }
        const created = await ask('POST', v1, { body: counter(name, content) })
        expect(created.status).toBe(201)
        for (const { text } of [
          created,
          await ask('GET', path),
          await ask('GET', `${v2}/${name}`),
          await ask('GET', `${v1}?fieldSelector=spec.id%3D${first}`),
          await ask('GET', v2),
        ])
          holds(text, first)
        expect((await ask('GET', path, { accept: 'application/yaml' })).text).toContain(`  id: ${first}\n`)
        const table = (await ask('GET', path, { accept: asTable })).text
        expect(table).toContain(`"cells":["${name}",${first},"[{\\"key\\":${first}}]"]`)

        const labeled = '{"metadata":{"labels":{"a":"b"}}}'
        holds((await ask('PATCH', path, { type: mergePatch, body: labeled })).text, first)
        const test = `{"op":"test","path":"/spec/id","value":${first}}`
        const others = ['id', 'either'].map((member) => `{"op":"replace","path":"/spec/${member}","value":${second}}`)
        const operations = `[${[test, ...others].join()}]`
        const patched = await ask('PATCH', path, { type: jsonPatch, body: operations })
        expect(patched.text).toContain(`"id":${second},`)
        if (first !== second) expect((await ask('PATCH', path, { type: jsonPatch, body: operations })).status).toBe(422)

        const replaced = `{"spec":{"ids":[${second}],"rest":{"deep":[{"er":${second}}]},"parts":[{"key":${second}}]}}`
        holds((await ask('PATCH', path, { type: mergePatch, body: replaced })).text, second)
        const dry = `${path}?dryRun=All&fieldManager=a`
        const version = /"resourceVersion":"(\d+)"/.exec((await ask('GET', path)).text)?.[1]
        const put = counter(name, content, `,"resourceVersion":"${version}"`)
        holds((await ask('PUT', dry, { body: put, type: 'application/yaml' })).text, first)
        holds((await ask('GET', `${v2}/${name}`)).text, second)
      }),
      { numRuns: 12 },
    )
  })

  it('can be a key of a shared list', async () => {
    const [one, two] = [largest, largest - 1n]
    const path = (manager: string) => `${v1}/shared?fieldManager=${manager}`
    const applied = (manager: string, key: bigint) =>
      ask('PATCH', path(manager), {
        type: applyPatch,
        body: counter('shared', `"ids":[${key}],"parts":[{"key":${key},"text":"${manager}"}]`),
      })
    expect((await applied('a', one)).status).toBe(201)
    const { text } = await applied('b', two)
    expect(text).toContain(`"ids":[${one},${two}]`)
    expect(text).toContain(`"parts":[{"key":${one},"text":"a"},{"key":${two},"text":"b"}]`)
    expect(text).toContain(`"k:{\\"key\\":${one}}":{`)
    expect(text).toContain(`"v:${two}":{}`)
    expect((await applied('a', two)).text).toContain('conflict')
    const repeated = counter('repeated', `"ids":[${one},${one}]`)
    expect((await ask('POST', v1, { body: repeated })).text).toContain(`Duplicate value: ${one}`)
    expect((await ask('POST', v1, { body: counter('close', `"ids":[${one},${two}]`) })).status).toBe(201)
  })

  it('is computed exactly', async () => {
    const near = (next: bigint) => ask('POST', v1, { body: counter(`n${++count}`, `"id":${2n ** 60n},"next":${next}`) })
    expect((await near(2n ** 60n + 1n)).status).toBe(201)
    expect((await near(2n ** 60n + 2n)).text).toContain('next is not next')
  })

  it.each([
    // Kubernetes 1.32.4 does not check numbers against their format.
    ['small', largest, undefined],
    ['bounded', 2n ** 60n + 2n, 'spec.bounded in body should be less than or equal to'],
    ['bounded', 2n ** 60n - 1n, 'spec.bounded in body should be a multiple of 2'],
    ['bounded', 2n ** 60n, undefined],
    ['wide', largest, undefined],
    ['id', largest + 1n, 'only integers up to 9223372036854775807 are kept exactly'],
    ['id', smallest - 1n, 'only integers up to 9223372036854775807 are kept exactly'],
  ])('%s: %s is validated against its schema', async (field, value, problem) => {
    const { status, text } = await ask('POST', v1, { body: counter(`h${++count}`, `"${field}":${value}`) })
    if (problem === undefined) expect(status).toBe(201)
    else expect(text).toContain(problem)
  })

  it('is exact in requests and responses of webhooks', async () => {
    const body = counter('hooked', `"id":${smallest}`, ',"labels":{"adds":"yes"}')
    const { text } = await ask('POST', v1, { body })
    expect(shown).toContain(`"id":${smallest}`)
    expect(text).toContain(`"id":${smallest},`)
    expect(text).toContain(`"added":${largest}}`)
  })

  it('is exact in watch events, in each version', async () => {
    for (const path of [v1, v2]) {
      const { text } = await ask('GET', `${path}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dhooked`)
      expect(text).toContain(`{"type":"ADDED","object":{`)
      expect(text).toContain(`"id":${smallest},`)
    }
  })

  it('survives a restart, and a program that would round it refuses the store', async () => {
    const before = await ask('GET', `${v1}/hooked`)
    await server.stop()
    agent.destroy()
    const store = await openAnyFormat(`file:${join(directory, 'apiserver')}`)
    try {
      await expect(agreeOnFormat(store, 'it', { version: 1, migrations: [] })).rejects.toThrow('store format 2')
    } finally {
      await store.close()
    }
    server = await startApiServer({ dataDir: directory, controllers: 'none' })
    await eventually(async () => expect(await ask('GET', `${v1}/hooked`)).toEqual(before))
    const patched = await ask('PATCH', `${v1}/hooked`, { type: mergePatch, body: '{"metadata":{"labels":{"c":"d"}}}' })
    expect(patched.text).toContain(`"id":${smallest},`)
    expect(patched.text).toContain(`"added":${largest}}`)
  })
})

it('a default that a double cannot represent is refused', async () => {
  const schema = `{"openAPIV3Schema":{"type":"object","properties":{"a":{"type":"object","default":{"maximum":${largest}}}}}}`
  const versions = `[{"name":"v1","served":true,"storage":true,"schema":${schema}}]`
  const body = `{"spec":{"group":"f.com","scope":"Cluster","names":{"plural":"as","kind":"A"},"versions":${versions}},"metadata":{"name":"as.f.com"}}`
  const { status, text } = await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body })
  expect(status).toBe(400)
  expect(text).toContain('default.maximum cannot be represented')
})

it('built-in kinds refuse integers that a double cannot represent, with their path', async () => {
  const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"activeDeadlineSeconds":${2n ** 60n}}}`
  for (const type of ['application/json', 'application/yaml']) {
    const { status, text } = await ask('POST', '/api/v1/namespaces/default/pods', { body: pod, type })
    expect(status).toBe(400)
    expect(text).toContain(
      `the number ${2n ** 60n} at spec.activeDeadlineSeconds cannot be represented: only integers up to 9007199254740991 are kept exactly`,
    )
  }
})
