import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtinKinds } from '../../../src/api/builtin-kinds.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { rawAsk } from '../support/raw-ask.ts'

const count = 25
const large = 100_000
const annotations = { padding: 'x'.repeat(large) }
const inDefault = '/namespaces/default'
const policies = '/apis/admissionregistration.k8s.io/v1'
const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['endpoints'] }]
const podSpec = { containers: [{ name: 'main', image: 'app:1' }] }

describe('objects that many requests read', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ kinds: builtinKinds() })
  })
  afterAll(() => server?.stop())

  async function write(method: string, url: string, object: object, type = 'application/json') {
    const body = JSON.stringify(object)
    return rawAsk('HTTP/2', server.port, { method, url, body, headers: [['Content-Type', type]] })
  }
  const create = async (url: string, object: object) => expect((await write('POST', url, object)).status).toBe(201)
  const pod = (name: string) =>
    create(`/api/v1${inDefault}/pods`, { metadata: { name, labels: { a: 'b' } }, spec: podSpec })

  /** How often something as large as one of the objects is parsed in the meantime. */
  async function largeParses(act: () => Promise<unknown>): Promise<number> {
    const parse = vi.spyOn(JSON, 'parse')
    try {
      await act()
      return parse.mock.calls.filter(([text]) => text.length > large).length
    } finally {
      parse.mockRestore()
    }
  }

  test.each<[string, string, object, () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'PriorityClasses, with a Pod',
      '/apis/scheduling.k8s.io/v1/priorityclasses',
      { value: 5 },
      () => pod('first'),
      () => pod('second'),
    ],
    [
      'IngressClasses, with an Ingress',
      '/apis/networking.k8s.io/v1/ingressclasses',
      { spec: { controller: 'example.com/any' } },
      () => ingress('first'),
      () => ingress('second'),
    ],
    [
      'PodDisruptionBudgets, with an eviction',
      `/apis/policy/v1${inDefault}/poddisruptionbudgets`,
      { spec: { selector: { matchLabels: { of: 'others' } } } },
      () => evict('evicted'),
      () => evict('evicted'),
    ],
    [
      'policies, with a write after one has changed',
      `${policies}/validatingadmissionpolicies`,
      { spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: 'true' }] } },
      () => create(`/api/v1${inDefault}/configmaps`, { metadata: { name: 'first' } }),
      async () => {
        await create(`${policies}/validatingadmissionpolicies`, {
          metadata: { name: 'small' },
          spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: 'true' }] },
        })
        await create(`/api/v1${inDefault}/configmaps`, { metadata: { name: 'second' } })
      },
    ],
  ])('are not parsed with each: %s', async (_, url, fields, first, again) => {
    for (let index = 0; index < count; index += 1) {
      await create(url, { metadata: { name: `many-${index}`, annotations }, ...fields })
    }
    await first()
    expect(await largeParses(again)).toBeLessThan(count)
  })

  test.each(['mutating', 'validating'])('are parsed when they arrive: configurations of %s webhooks', async (type) => {
    const configMap = (name: string) => create(`/api/v1${inDefault}/configmaps`, { metadata: { name } })
    await configMap(`${type}-first`)
    const webhook = {
      name: 'policy.example.com',
      rules,
      clientConfig: { url: 'https://203.0.113.1/' },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    }
    for (let index = 0; index < count; index += 1) {
      const object = { metadata: { name: `many-${index}`, annotations }, webhooks: [webhook] }
      await create(`${policies}/${type}webhookconfigurations`, object)
    }
    expect(await largeParses(() => configMap(`${type}-second`))).toBe(0)
  })

  const ingress = (name: string) =>
    create(`/apis/networking.k8s.io/v1${inDefault}/ingresses`, {
      metadata: { name },
      spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } },
    })

  /** Evicts a running Pod: for Pods that do not run, budgets are not checked. */
  async function evict(name: string) {
    await pod(name).catch(() => {})
    const running = { status: { phase: 'Running' } }
    await write('PATCH', `/api/v1${inDefault}/pods/${name}/status`, running, 'application/merge-patch+json')
    const url = `/api/v1${inDefault}/pods/${name}/eviction?dryRun=All`
    const { status } = await write('POST', url, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } })
    expect(status).toBe(201)
  }

  test.each([
    ['ResourceQuotas', 'resourcequotas', { spec: { hard: { pods: '9' } } }, 'may take 1048576 bytes together'],
  ])('%s, which every write reads, have a size limit', async (_, plural, fields, words) => {
    const answers: string[] = []
    for (let index = 0; index < 12; index += 1) {
      const { text } = await write('POST', `/api/v1/namespaces/kube-public/${plural}`, {
        metadata: { name: `many-${index}`, annotations },
        ...fields,
      })
      answers.push(text)
    }
    expect(answers.at(-1)).toContain(words)
  })

  test('LimitRanges that are too large are reported to the creator of a Pod', async () => {
    for (let index = 0; index < 6; index += 1) {
      const limits = [{ type: 'Container', max: { cpu: '9' } }]
      const object = { metadata: { name: `many-${index}`, annotations }, spec: { limits } }
      await create('/api/v1/namespaces/kube-public/limitranges', object)
    }
    const { text } = await write('POST', '/api/v1/namespaces/kube-public/pods', {
      metadata: { name: 'a' },
      spec: podSpec,
    })
    expect(text).toContain('524288 is the most that is looked at')
  })
})
