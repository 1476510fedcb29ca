import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import type { AuditRecord } from '../../src/server/contract.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { sendJson } from '../support/network/send-json.ts'
import { startWebhookServer, type WebhookServer } from '../support/network/webhook-server.ts'

let server: TestServer
let hooks: WebhookServer
let records: AuditRecord[] = []
let answer: Readonly<Record<string, unknown>> | undefined = {}

const apiVersion = 'admissionregistration.k8s.io/v1'
const group = `/apis/${apiVersion}`
const plurals = [
  ...['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'],
  ...['validatingadmissionpolicybindings', 'validatingadmissionpolicies'],
]

const send = (method: string, path: string, body?: object) => sendJson(server.port, method, path, body)
const must = async (method: string, path: string, body?: object) => {
  const { status, body: answered } = await send(method, path, body)
  if (status >= 300) throw new Error(JSON.stringify(answered))
}

beforeAll(async () => {
  server = await startTestServer({ kinds: builtinKinds(), server: { audit: (record) => records.push(record) } })
  hooks = await startWebhookServer(({ body }) => {
    const { apiVersion, kind, request } = JSON.parse(body)
    if (answer === undefined) return { status: 500, body: '' }
    return { body: JSON.stringify({ apiVersion, kind, response: { uid: request.uid, allowed: true, ...answer } }) }
  })
})

afterAll(async () => {
  await server.stop()
  await hooks.stop()
})

beforeEach(async () => {
  for (const plural of plurals) await must('DELETE', `${group}/${plural}`)
  answer = {}
})

/** The audit annotations of one request. */
async function recorded(method: string, path: string, body?: object): Promise<AuditRecord['annotations']> {
  records = []
  await send(method, path, body)
  expect(records).toHaveLength(1)
  return records[0]?.annotations
}

async function configure(kind: 'Mutating' | 'Validating', more: object = {}): Promise<void> {
  const webhook = {
    name: 'w.example.com',
    clientConfig: { url: `${hooks.url}/hook`, caBundle: hooks.caBundle },
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'secrets'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  }
  const object = { apiVersion, kind: `${kind}WebhookConfiguration`, metadata: { name: 'c' }, webhooks: [webhook] }
  await must('POST', `${group}/${kind.toLowerCase()}webhookconfigurations`, object)
}

async function bind(spec: object, ...bindings: readonly object[]): Promise<void> {
  const rules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'secrets'] }]
  const matchConstraints = { resourceRules: rules }
  const policy = { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name: 'p.example.com' } }
  await must('POST', `${group}/validatingadmissionpolicies`, { ...policy, spec: { matchConstraints, ...spec } })
  for (const [index, binding] of bindings.entries()) {
    const bound = { apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name: `b${index}` } }
    const named = { policyName: 'p.example.com', validationActions: ['Audit'], ...binding }
    await must('POST', `${group}/validatingadmissionpolicybindings`, { ...bound, spec: named })
  }
}

const configMaps = '/api/v1/namespaces/default/configmaps?dryRun=All'
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { k: 'v' } }
const secrets = '/api/v1/namespaces/default/secrets?dryRun=All'
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { password: 'hunter2' } }

describe('audit annotations of webhooks', () => {
  it('begin with the name of the webhook, even if it refuses', async () => {
    await configure('Validating')
    answer = { auditAnnotations: { why: 'seen', 'no key': 'x' } }
    expect(await recorded('POST', configMaps, configMap)).toEqual({ 'w.example.com/why': 'seen' })
    answer = { allowed: false, auditAnnotations: { why: 'bad' } }
    expect(await recorded('POST', configMaps, configMap)).toEqual({ 'w.example.com/why': 'bad' })
  })

  it('report which webhooks changed the object, but not how', async () => {
    await configure('Mutating')
    const key = 'mutation.webhook.admission.k8s.io/round_0_index_0'
    const told = (mutated: boolean) => ({
      [key]: JSON.stringify({ configuration: 'c', webhook: 'w.example.com', mutated }),
    })
    expect(await recorded('POST', configMaps, configMap)).toEqual(told(false))
    const patch = Buffer.from('[{"op":"add","path":"/data/x","value":"y"}]').toString('base64')
    answer = { patchType: 'JSONPatch', patch, auditAnnotations: { why: 'added' } }
    expect(await recorded('POST', configMaps, configMap)).toEqual({ ...told(true), 'w.example.com/why': 'added' })
  })

  it.each([
    ['Mutating', 'failed-open.mutation.webhook.admission.k8s.io/round_0_index_0'],
    ['Validating', 'failed-open.validating.webhook.admission.k8s.io/round_0_index_0'],
  ] as const)('report that a %s one failed open', async (kind, key) => {
    await configure(kind, { failurePolicy: 'Ignore' })
    answer = undefined
    expect(await recorded('POST', configMaps, configMap)).toMatchObject({ [key]: 'w.example.com' })
  })

  it('contain no values for a request about a Secret', async () => {
    await configure('Validating')
    answer = { auditAnnotations: { password: 'hunter2' } }
    expect(await recorded('POST', secrets, secret)).toEqual({ 'w.example.com/password': '[hidden]' })
  })

  it('are absent if no webhook sets any', async () => {
    await configure('Validating')
    expect(await recorded('POST', configMaps, configMap)).toBeUndefined()
  })
})

describe('audit annotations of policies', () => {
  const auditAnnotations = [{ key: 'who', valueExpression: "request.userInfo.username + ' ' + object.metadata.name" }]

  it('start with the name of the policy, even if it refuses', async () => {
    await bind(
      { auditAnnotations, validations: [{ expression: "object.metadata.name != 'bad'" }] },
      {
        validationActions: ['Deny'],
      },
    )
    expect(await recorded('POST', configMaps, configMap)).toEqual({ 'p.example.com/who': 'admin c' })
    const bad = { ...configMap, metadata: { name: 'bad' } }
    expect(await recorded('POST', configMaps, bad)).toEqual({ 'p.example.com/who': 'admin bad' })
    expect(records[0]?.code).toBe(422)
  })

  it('report a failed validation, if a binding says so, and allow the request', async () => {
    await bind({ validations: [{ expression: 'true' }, { expression: 'false', message: 'no' }] }, {})
    const key = 'validation.policy.admission.k8s.io/validation_failure'
    const failure = {
      message: 'no',
      policy: 'p.example.com',
      binding: 'b0',
      expressionIndex: 1,
      validationActions: ['Audit'],
    }
    expect(await recorded('POST', configMaps, configMap)).toEqual({ [key]: JSON.stringify([failure]) })
    expect(records[0]?.code).toBe(201)
  })

  it('join the results of several bindings', async () => {
    for (const name of ['one', 'two']) {
      const params = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value: name } }
      await must('POST', '/api/v1/namespaces/default/configmaps', params)
    }
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' }
    const refs = ['one', 'two', 'one'].map((name) => ({
      paramRef: { name, namespace: 'default', parameterNotFoundAction: 'Deny' },
    }))
    await bind({ paramKind, auditAnnotations: [{ key: 'k', valueExpression: 'string(params.data.value)' }] }, ...refs)
    expect(await recorded('POST', configMaps, configMap)).toEqual({ 'p.example.com/k': 'one, two' })
  })

  it('refuse the request if they cannot be evaluated, unless failures are ignored', async () => {
    const failing = [{ key: 'k', valueExpression: 'string(object.data.absent)' }]
    await bind({ auditAnnotations: failing }, {})
    expect(await recorded('POST', configMaps, configMap)).toBeUndefined()
    expect(records[0]?.code).toBe(422)
    await must('PATCH', `${group}/validatingadmissionpolicies/p.example.com`, { spec: { failurePolicy: 'Ignore' } })
    expect(await recorded('POST', configMaps, configMap)).toBeUndefined()
    expect(records[0]?.code).toBe(201)
  })

  it('contain no values for a request about a Secret', async () => {
    await bind({ auditAnnotations: [{ key: 'p', valueExpression: "'x' + string(object.data.password)" }] }, {})
    expect(await recorded('POST', secrets, secret)).toEqual({ 'p.example.com/p': '[hidden]' })
  })
})

describe('audit annotations of Pod Security', () => {
  const prefix = 'pod-security.kubernetes.io/'
  const spec = { containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }] }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec }
  const violations =
    'would violate PodSecurity "baseline:v1.30": privileged (container "c" must not set securityContext.privileged=true)'

  beforeAll(async () => {
    const labels = { [`${prefix}audit`]: 'baseline', [`${prefix}audit-version`]: 'v1.30' }
    await must('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'audited', labels },
    })
    const metadata = { name: 'refusing', labels: { ...labels, [`${prefix}enforce`]: 'restricted' } }
    await must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata })
  })

  it.each([
    ['default', { [`${prefix}enforce-policy`]: 'privileged:latest' }],
    ['audited', { [`${prefix}enforce-policy`]: 'privileged:latest', [`${prefix}audit-violations`]: violations }],
    ['refusing', { [`${prefix}enforce-policy`]: 'restricted:latest', [`${prefix}audit-violations`]: violations }],
  ])('in the namespace %s: the policy that was enforced, and what it would violate', async (namespace, told) => {
    expect(await recorded('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, pod)).toEqual(told)
  })

  it('report a changed image, and no other change', async () => {
    const path = '/api/v1/namespaces/audited/pods/changed'
    await must('POST', '/api/v1/namespaces/audited/pods', { ...pod, metadata: { name: 'changed' } })
    expect(await recorded('PATCH', path, { metadata: { labels: { a: 'b' } } })).toBeUndefined()
    const changed = { ...pod, metadata: { name: 'changed' }, spec: { containers: [{ name: 'c', image: 'j' }] } }
    expect(await recorded('APPLY', `${path}?fieldManager=m&force=true`, changed)).toMatchObject({
      [`${prefix}audit-violations`]: violations,
    })
  })

  it('cover templates, too', async () => {
    const labels = { app: 'a' }
    const template = { metadata: { labels }, spec }
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: labels }, template },
    }
    const path = '/apis/apps/v1/namespaces/audited/deployments?dryRun=All'
    expect(await recorded('POST', path, deployment)).toEqual({ [`${prefix}audit-violations`]: violations })
  })
})
