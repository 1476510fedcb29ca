import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyRequest, bodyBytes, json, jsonPatch, nearlyValidObject, selector, strategicPatch } from './arbitraries.ts'
import { type FuzzAnswer, type FuzzRequest, type FuzzServer, startFuzzServer } from './fuzz-server.ts'

/** The number of requests for each property; `npm run fuzz` sends many more, with its own seed. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 300)
const seed = Number(process.env.FUZZ_SEED ?? 20_261_115)
/** Sent concurrently, so that they also race. */
const together = 10
const timeoutMs = 300_000 + requests * 20

let fuzz: FuzzServer
let heldAtStart = 0

beforeAll(async () => {
  heldAtStart = heldBytes()
  fuzz = await startFuzzServer()
  await fuzz.send(write('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' }, data: { k: 'v' } }))
  const spec = { ports: [{ name: 'p', port: 80 }] }
  await fuzz.send(write('POST', '/api/v1/namespaces/default/services', { metadata: { name: 'a' }, spec }))
})

afterAll(() => fuzz.stop())

/** The memory of this thread after a garbage collection: earlier suites leave garbage and their own memory. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function write(method: string, path: string, body: unknown, type = 'application/json'): FuzzRequest {
  return { method, path, headers: { 'content-type': type }, body: Buffer.from(JSON.stringify(body) ?? 'null') }
}

/** The caller can act on every answer: never a 500, and a refusal is a Status or plain text. */
async function holdsFor(arbitrary: fc.Arbitrary<FuzzRequest>): Promise<void> {
  const batch = fc.array(arbitrary, { minLength: together, maxLength: together })
  const outcome = await fc.check(
    fc.asyncProperty(batch, async (each) => {
      const answers = await Promise.all(each.map((request) => fuzz.send(request)))
      for (const [index, answer] of answers.entries()) {
        const request = each[index]
        if (answer.status >= 500 && request !== undefined) throw new Error(told(request, answer))
      }
    }),
    { numRuns: Math.ceil(requests / together), seed, endOnFailure: true },
  )
  if (outcome.failed)
    throw new Error(`seed ${outcome.seed}, path ${outcome.counterexamplePath}: ${outcome.errorInstance}`)
  expect((await fuzz.send({ method: 'GET', path: '/livez', headers: {} })).text).toBe('ok')
}

function told({ method, path, headers, body }: FuzzRequest, { status, text }: FuzzAnswer): string {
  const sent = body === undefined ? '' : Buffer.from(body).toString().slice(0, 1_000)
  return `${method} ${path} (${headers['content-type']}) ${sent} gave ${status}: ${text.slice(0, 300)}`
}

const configMaps = '/api/v1/namespaces/default/configmaps'
const service = '/api/v1/namespaces/default/services/a'

describe('no request causes a 500', () => {
  it('any method, path, header and body', () => holdsFor(anyRequest), timeoutMs)

  it(
    'nearly valid objects',
    async () => {
      const paths = {
        ConfigMap: configMaps,
        Secret: '/api/v1/namespaces/default/secrets',
        Service: '/api/v1/namespaces/default/services',
        Endpoints: '/api/v1/namespaces/default/endpoints',
        Pod: '/api/v1/namespaces/default/pods',
        Namespace: '/api/v1/namespaces',
        Role: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
        OwnedAccessKey: '/apis/management.fuzz.example/v1/ownedaccesskeys',
      }
      const pathOf = (object: unknown): string =>
        Object.entries(paths).find(([kind]) => JSON.stringify(object).includes(`"kind":"${kind}"`))?.[1] ?? configMaps
      await holdsFor(
        fc
          .tuple(
            nearlyValidObject,
            fc.constantFrom('POST', 'PUT'),
            fc.constantFrom('', '?dryRun=All', '?fieldValidation=Strict'),
          )
          .map(([object, method, query]) =>
            write(method, `${pathOf(object)}${method === 'PUT' ? '/a' : ''}${query}`, object),
          ),
      )
    },
    timeoutMs,
  )

  it(
    'nearly random bodies',
    async () => {
      const types = fc.constantFrom('application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf')
      const request = fc.tuple(bodyBytes, types).map(([body, type]) => ({
        method: 'POST',
        path: configMaps,
        headers: { 'content-type': type },
        body,
      }))
      await holdsFor(request)
    },
    timeoutMs,
  )

  it.each([
    ['json-patch', 'application/json-patch+json', fc.oneof(jsonPatch, json)],
    ['merge patch', 'application/merge-patch+json', fc.oneof(nearlyValidObject, json)],
    ['strategic merge patch', 'application/strategic-merge-patch+json', fc.oneof(strategicPatch, json)],
    ['apply', 'application/apply-patch+yaml', fc.oneof(nearlyValidObject, strategicPatch, json)],
  ] as const)(
    '%s',
    async (_, type, patch) => {
      const target = fc.constantFrom(service, `${configMaps}/a`, `${service}/status`)
      await holdsFor(
        fc.tuple(patch, target).map(([body, path]) => write('PATCH', `${path}?fieldManager=f&force=true`, body, type)),
      )
    },
    timeoutMs,
  )

  it(
    'selectors',
    async () => {
      const names = fc.constantFrom('labelSelector', 'fieldSelector')
      const query = fc
        .tuple(names, selector)
        .map(([name, value]) => `${configMaps}?${name}=${encodeURIComponent(Buffer.from(value).toString())}`)
      await holdsFor(query.map((path) => ({ method: 'GET', path, headers: {} })))
    },
    timeoutMs,
  )

  it('and memory stays bounded', () => {
    expect(heldBytes() - heldAtStart).toBeLessThan(200 * 1024 * 1024)
  })
})
