import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { byCopiedAddress, byEndpoints } from '../../src/registry/webhooks/service-routes.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { sendJson } from '../support/network/send-json.ts'
import {
  type HookRequest,
  type HookResponse,
  startWebhookServer,
  type WebhookServer,
} from '../support/network/webhook-server.ts'

interface Review {
  readonly uid: string
  readonly operation: string
  readonly name: string
  readonly resource: { readonly resource: string }
  readonly object: { readonly metadata: { readonly labels?: Record<string, string> } } | null
  readonly oldObject: { readonly data?: unknown; readonly metadata: { readonly resourceVersion: string } } | null
}

type Answer = Record<string, unknown> | HookResponse

let server: TestServer
let hooks: WebhookServer
let connections = 0
let asked: Review[] = []
let answer: (review: Review, request: HookRequest) => Answer | Promise<Answer>

beforeAll(async () => {
  server = await startTestServer({ kinds: builtinKinds() })
  hooks = await startWebhookServer(
    async (request) => {
      const { request: review } = JSON.parse(request.body) as { request: Review }
      asked.push(review)
      const given = await answer(review, request)
      if (typeof given.body === 'string') return given as HookResponse
      const response = { uid: review.uid, allowed: true, ...given }
      return { body: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }) }
    },
    ['hooks.default.svc'],
  )
  hooks.server.on('secureConnection', () => {
    connections += 1
  })
})

afterAll(async () => {
  await server.stop()
  await hooks.stop()
})

beforeEach(async () => {
  for (const plural of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations']) {
    await send('DELETE', `/apis/admissionregistration.k8s.io/v1/${plural}`)
  }
  asked = []
  answer = () => ({})
})

const send = (method: string, path: string, body?: object) => sendJson(server.port, method, path, body)

const configMaps = '/api/v1/namespaces/default/configmaps'

function configMap(name: string, labels: Record<string, string> = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data: { k: 'v' } }
}

/** A configuration with one webhook; by default for ConfigMaps with the label `asked`. */
async function configure(kind: 'Mutating' | 'Validating', change: object = {}): Promise<void> {
  const webhook = {
    name: 'w.example.com',
    clientConfig: { url: `${hooks.url}/hook`, caBundle: hooks.caBundle },
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { asked: 'yes' } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...change,
  }
  const object = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: 'w' },
    webhooks: [webhook],
  }
  const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`
  expect((await send('POST', path, object)).status).toBe(201)
}

const patchOf = (...operations: object[]) => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
})
const askedLabel = { asked: 'yes' }
const everything = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }]

describe('webhooks are called', () => {
  it('with a Pod, and a container that one adds gets all defaults', async () => {
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }]
    await configure('Mutating', { rules })
    answer = () => patchOf({ op: 'add', path: '/spec/containers/-', value: { name: 'sidecar', image: 'b' } })
    const spec = { containers: [{ name: 'main', image: 'a' }] }
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'injected', labels: askedLabel }, spec }
    const { status, body } = await send('POST', '/api/v1/namespaces/default/pods', pod)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      spec: {
        containers: [
          { name: 'main' },
          {
            name: 'sidecar',
            imagePullPolicy: 'Always',
            volumeMounts: [{ mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
          },
        ],
      },
    })
    expect(asked.length).toBe(1)
  })

  it('for each object of a deleted collection', async () => {
    for (const name of ['d1', 'd2']) await send('POST', configMaps, configMap(name, askedLabel))
    await configure('Validating')
    expect((await send('DELETE', `${configMaps}?labelSelector=asked=yes`)).status).toBe(200)
    expect(asked.map(({ operation, name }) => `${operation} ${name}`).sort()).toEqual(['DELETE d1', 'DELETE d2'])
  })

  it('again, after a conflict with another write', async () => {
    await send('POST', configMaps, configMap('raced', askedLabel))
    await configure('Validating', { rules: [{ ...everything[0], operations: ['UPDATE'], resources: ['configmaps'] }] })
    answer = async () => {
      if (asked.length === 1) await send('PATCH', `${configMaps}/raced`, { data: { other: 'x' } })
      return {}
    }
    const { body } = await send('PATCH', `${configMaps}/raced`, { data: { k: 'mine' } })
    expect(body.data).toEqual({ k: 'mine', other: 'x' })
    expect(asked.map(({ oldObject }) => oldObject?.data)).toEqual([{ k: 'v' }, { k: 'v' }, { k: 'v', other: 'x' }])
    await send('DELETE', `${configMaps}/raced`)
  })

  it('with the namespace of the request, also if the body of a change omits it', async () => {
    await send('POST', configMaps, configMap('placed', askedLabel))
    const namespaced = { operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }
    await configure('Mutating', { rules: [{ ...namespaced, scope: 'Namespaced' }] })
    expect((await send('PUT', `${configMaps}/placed`, configMap('placed', askedLabel))).status).toBe(200)
    expect(asked).toMatchObject([{ namespace: 'default', object: { metadata: { namespace: 'default' } } }])
  })

  it('with the namespace of an action in its object', async () => {
    await configure('Mutating', { rules: everything, objectSelector: {} })
    const token = '/api/v1/namespaces/default/serviceaccounts/default/token'
    await send('POST', token, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec: {} })
    expect(asked).toMatchObject([{ namespace: 'default', object: { metadata: { namespace: 'default' } } }])
  })

  it('with a Binding, whichever path it is sent to', async () => {
    await configure('Validating', { rules: [{ ...everything[0], resources: ['bindings'] }], objectSelector: {} })
    const target = { kind: 'Node', name: 'n' }
    await send('POST', '/api/v1/namespaces/default/bindings', { ...configMap('bound'), kind: 'Binding', target })
    expect(asked).toMatchObject([{ name: 'bound', resource: { resource: 'bindings' }, object: { target } }])
    expect(asked[0]).not.toHaveProperty('subResource')
  })

  it('unless the caller has the right that a condition asks for', async () => {
    const expression =
      '!authorizer.group("admissionregistration.k8s.io").resource("validatingwebhookconfigurations").name("w").check("breakglass").allowed()'
    await configure('Validating', { matchConditions: [{ name: 'breakglass', expression }] })
    expect((await send('POST', `${configMaps}?dryRun=All`, configMap('r', askedLabel))).status).toBe(201)
    expect(asked).toEqual([])
  })

  it('over a reused connection', async () => {
    await configure('Validating')
    connections = 0
    for (let index = 0; index < 5; index += 1)
      await send('POST', `${configMaps}?dryRun=All`, configMap('r', askedLabel))
    expect(asked.length).toBe(5)
    expect(connections).toBeLessThanOrEqual(1)
  })

  it('by the name of a Service', async () => {
    const spec = { type: 'ExternalName', externalName: 'localhost' }
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'hooks' }, spec }
    await send('POST', '/api/v1/namespaces/default/services', service)
    const reference = { namespace: 'default', name: 'hooks', port: hooks.port, path: '/hook' }
    await configure('Validating', { clientConfig: { service: reference, caBundle: hooks.caBundle } })
    const { status, body } = await send('POST', `${configMaps}?dryRun=All`, configMap('s', askedLabel))
    expect([status, body.message, asked.length]).toEqual([201, undefined, 1])
  })
})

describe('a Service as the address of webhooks', () => {
  const services = '/api/v1/namespaces/default/services'
  const reference = { namespace: 'default', name: 'behind', port: 443 }

  it('is resolved by its endpoints, or by the address that the host assigned to its copy', async () => {
    const spec = { clusterIP: '10.96.77.8', ports: [{ name: 'https', port: 443, targetPort: 8443 }] }
    const metadata = { name: 'behind' }
    await send('POST', services, { apiVersion: 'v1', kind: 'Service', metadata, spec })
    const { engine } = server.engine.registry
    expect(() => byEndpoints(engine)(reference)).toThrow('no endpoints available for service "behind"')
    const subsets = [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ name: 'https', port: 8443 }] }]
    await send('POST', '/api/v1/namespaces/default/endpoints', {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata,
      subsets,
    })
    expect(byEndpoints(engine)(reference)).toEqual({ host: '192.0.2.7', port: 8443, isAssigned: false })
    const copied = byCopiedAddress(({ name }) => (name === 'behind' ? '10.43.0.9' : undefined))
    expect(copied(engine)(reference)).toEqual({ host: '10.43.0.9', port: 443, isAssigned: true })
    const wrong = { ...reference, port: 80 }
    expect(() => copied(engine)(wrong)).toThrow('no service port 80 found for service "behind"')
    const uncopied = byCopiedAddress(() => undefined)
    expect(() => uncopied(engine)(reference)).toThrow('service "behind" has no address on the host yet')
  })

  it('is not resolved without an address', async () => {
    const spec = { clusterIP: 'None', ports: [{ port: 443 }] }
    await send('POST', services, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'headless' }, spec })
    const resolve = byCopiedAddress(() => 'None')(server.engine.registry.engine)
    expect(() => resolve({ ...reference, name: 'headless' })).toThrow('cannot route to service with ClusterIP "None"')
    expect(() => resolve({ ...reference, name: 'missing' })).toThrow('service "missing" not found')
  })
})

describe('a broken webhook cannot', () => {
  it('block its own deletion', async () => {
    const clientConfig = { url: 'https://127.0.0.1:1/' }
    await configure('Validating', { rules: everything, objectSelector: {}, clientConfig })
    await configure('Mutating', { rules: everything, objectSelector: {}, clientConfig })
    expect((await send('POST', configMaps, configMap('kept-out'))).status).toBe(500)
    for (const plural of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations']) {
      const path = `/apis/admissionregistration.k8s.io/v1/${plural}/w`
      expect((await send('PATCH', path, { metadata: { labels: { a: 'b' } } })).status).toBe(200)
      expect((await send('DELETE', path)).status).toBe(200)
    }
    expect((await send('POST', `${configMaps}?dryRun=All`, configMap('let-in'))).status).toBe(201)
  })

  it('use up a quota', async () => {
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'few' },
      spec: { hard: { services: '1' } },
    }
    await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'few' } })
    await send('POST', '/api/v1/namespaces/few/resourcequotas', quota)
    await configure('Validating', { rules: [{ ...everything[0], resources: ['services'] }] })
    answer = () => ({ allowed: false })
    const spec = { ports: [{ port: 80 }], clusterIP: '10.96.77.7' }
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's', labels: askedLabel }, spec }
    for (let index = 0; index < 3; index += 1) {
      const { status, body } = await send('POST', '/api/v1/namespaces/few/services', service)
      expect([status, body.message]).toEqual([400, expect.stringContaining('denied the request')])
    }
    answer = () => ({})
    expect((await send('POST', '/api/v1/namespaces/few/services', service)).status).toBe(201)
  })

  it.each<[string, () => Answer, string]>([
    ['send more than is read', () => ({ body: 'x'.repeat(5 * 1024 * 1024) }), 'larger than 262144 bytes'],
    ['compress', () => ({ body: '', headers: { 'content-encoding': 'gzip' } }), 'compressed an answer'],
    [
      'lead elsewhere',
      () => ({ body: '', status: 307, headers: { location: `${hooks.url}/elsewhere` } }),
      'the status code 307',
    ],
    ['be silent', () => new Promise<Answer>(() => {}) as never, 'context deadline exceeded'],
  ])('%s', async (_, given, message) => {
    await configure('Validating', { timeoutSeconds: 1 })
    answer = given
    const { status, body } = await send('POST', configMaps, configMap('hostile', askedLabel))
    expect([status, body.message]).toEqual([500, expect.stringContaining(message)])
    expect(asked.length).toBe(1)
  })

  it.each<[string, object[], string]>([
    ['rename an existing object', [{ op: 'replace', path: '/metadata/name', value: 'x' }], 'metadata.name'],
    ['move an object', [{ op: 'replace', path: '/metadata/namespace', value: 'x' }], 'metadata.namespace'],
    ['make it another', [{ op: 'replace', path: '/kind', value: 'Secret' }], 'cannot be applied'],
    [
      'make it too large',
      Array.from({ length: 30_000 }, (_, index) => ({ op: 'add', path: `/data/k${index}`, value: 'v' })),
      'cannot be applied',
    ],
  ])('%s', async (_, operations, message) => {
    await send('POST', configMaps, configMap('patched', askedLabel))
    await configure('Mutating')
    answer = () => patchOf(...operations)
    const { status, body } = await send('PATCH', `${configMaps}/patched`, { data: { k: 'new' } })
    expect([status >= 400, body.message]).toEqual([true, expect.stringContaining(message)])
  })

  it('rename an object that the request names', async () => {
    await configure('Mutating')
    answer = () => patchOf({ op: 'replace', path: '/metadata/name', value: 'other' })
    const { status, body } = await send('APPLY', `${configMaps}/named?fieldManager=m`, configMap('named', askedLabel))
    expect([status, body.message]).toEqual([400, expect.stringContaining('may not be changed by an admission webhook')])
  })

  it('change a deleted object', async () => {
    await send('POST', configMaps, configMap('patched', askedLabel))
    await configure('Mutating')
    answer = () => patchOf({ op: 'add', path: '/data/x', value: 'y' })
    const { status, body } = await send('DELETE', `${configMaps}/patched`)
    const what = 'attempted to modify the object, which is not supported for this operation'
    expect([status, body.message]).toEqual([500, expect.stringContaining(what)])
  })

  it('block more than the requests that it is called for, nor be bypassed with a flood', async () => {
    await configure('Validating', { failurePolicy: 'Ignore', timeoutSeconds: 30 })
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    answer = async () => {
      await released
      return {}
    }
    const statuses: number[] = []
    const flood = Array.from({ length: 70 }, async (_, index) => {
      const { status } = await send('POST', `${configMaps}?dryRun=All`, configMap(`f${index}`, askedLabel))
      statuses.push(status)
    })
    await eventually(() => expect([asked.length, statuses]).toEqual([64, Array(6).fill(429)]))
    expect((await send('POST', `${configMaps}?dryRun=All`, configMap('other'))).status).toBe(201)
    release()
    await Promise.all(flood)
    expect(statuses.filter((status) => status === 201).length).toBe(64)
  })
})
