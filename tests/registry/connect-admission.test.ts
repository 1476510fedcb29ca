import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { textResponse } from '../../src/server/responses/responses.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { sendJson } from '../support/network/send-json.ts'
import { startWebhookServer, type WebhookServer } from '../support/network/webhook-server.ts'

let server: TestServer
let hooks: WebhookServer
let asked: { readonly request: Readonly<Record<string, unknown>> }[] = []
let answer: Readonly<Record<string, unknown>> = {}
let connected = 0

const group = '/apis/admissionregistration.k8s.io/v1'
const pod = '/api/v1/namespaces/default/pods/web'
const send = (method: string, path: string, body?: object) => sendJson(server.port, method, path, body)

beforeAll(async () => {
  server = await startTestServer({
    kinds: builtinKinds(),
    server: {
      extraRoutes: [
        ({ info }) => {
          if (info.form !== 'resource' || !['exec', 'attach', 'portforward', 'proxy'].includes(info.subresource))
            return undefined
          return () => {
            connected += 1
            return textResponse(200, '{}')
          }
        },
      ],
    },
  })
  hooks = await startWebhookServer(({ body }) => {
    const review = JSON.parse(body)
    asked.push(review)
    const { apiVersion, kind } = review
    return {
      body: JSON.stringify({ apiVersion, kind, response: { uid: review.request.uid, allowed: true, ...answer } }),
    }
  })
})

afterAll(async () => {
  await server.stop()
  await hooks.stop()
})

beforeEach(async () => {
  for (const plural of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations']) {
    await send('DELETE', `${group}/${plural}`)
  }
  asked = []
  answer = {}
  connected = 0
})

async function configure(kind: 'Mutating' | 'Validating', more: object = {}): Promise<void> {
  const webhook = {
    name: 'w.example.com',
    clientConfig: { url: `${hooks.url}/hook`, caBundle: hooks.caBundle },
    rules: [{ operations: ['CONNECT'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/*'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  }
  const type = { apiVersion: 'admissionregistration.k8s.io/v1', kind: `${kind}WebhookConfiguration` }
  const path = `${group}/${kind.toLowerCase()}webhookconfigurations`
  expect((await send('POST', path, { ...type, metadata: { name: 'w' }, webhooks: [webhook] })).status).toBe(201)
}

it.each([
  [
    'exec?command=sh&command=-c&container=main&stdin=true&stdout=1&stderr=false&tty',
    {
      kind: 'PodExecOptions',
      apiVersion: 'v1',
      stdin: true,
      stdout: true,
      tty: true,
      container: 'main',
      command: ['sh', '-c'],
    },
  ],
  ['attach?stdout=true', { kind: 'PodAttachOptions', apiVersion: 'v1', stdout: true }],
  ['proxy/a/b/?path=/c&stdin=true', { kind: 'PodProxyOptions', apiVersion: 'v1', path: '/a/b/' }],
  ['portforward?ports=80,8080&ports=9', { kind: 'PodPortForwardOptions', apiVersion: 'v1', ports: [80, 8080, 9] }],
])('a webhook is called before %s, as in Kubernetes', async (path, object) => {
  await configure('Validating')
  expect((await send('POST', `${pod}/${path}`)).status).toBe(200)
  const [subresource = ''] = path.split(/[?/]/)
  expect(asked).toHaveLength(1)
  expect(asked[0]?.request).toMatchObject({
    kind: { group: '', version: 'v1', kind: object.kind },
    resource: { group: '', version: 'v1', resource: 'pods' },
    subResource: subresource,
    name: 'web',
    namespace: 'default',
    operation: 'CONNECT',
    dryRun: false,
  })
  expect(asked[0]?.request).toMatchObject({
    object: expect.toSatisfy((told) => JSON.stringify(told) === JSON.stringify(object)),
  })
  expect(asked[0]?.request).toMatchObject({ oldObject: null, options: null })
})

it('a webhook can refuse a connection', async () => {
  await configure('Validating')
  answer = { allowed: false, status: { code: 403, message: 'no shells here' } }
  const { status, body } = await send('POST', `${pod}/exec?command=sh`)
  expect([status, body.message, connected]).toEqual([
    403,
    'admission webhook "w.example.com" denied the request: no shells here',
    0,
  ])
})

it('a webhook that tries to change a connection refuses it', async () => {
  await configure('Mutating')
  const patch = Buffer.from('[{"op":"replace","path":"/command","value":["true"]}]').toString('base64')
  answer = { patchType: 'JSONPatch', patch }
  const { status, body } = await send('POST', `${pod}/exec?command=sh`)
  expect([status, connected]).toEqual([500, 0])
  expect(body.message).toContain('attempted to modify the object, which is not supported for this operation')
})

it('connect options have no labels, so an object selector does not match them', async () => {
  const objectSelector = { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }
  await configure('Validating', { objectSelector })
  expect((await send('POST', `${pod}/exec?command=sh`)).status).toBe(200)
  expect([asked.length, connected]).toEqual([0, 1])
})

async function bindPolicy(name: string, rule: object, expression: string): Promise<void> {
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], ...rule }]
  const spec = { matchConstraints: { resourceRules: rules }, validations: [{ expression, message: `not by ${name}` }] }
  const policy = { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec }
  const binding = { policyName: name, validationActions: ['Deny'] }
  const bound = { apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name }, spec: binding }
  expect((await send('POST', `${group}/validatingadmissionpolicies`, policy)).status).toBe(201)
  expect((await send('POST', `${group}/validatingadmissionpolicybindings`, bound)).status).toBe(201)
}

it('a policy can refuse connections by their options', async () => {
  await bindPolicy('shells', { operations: ['CONNECT'], resources: ['pods/exec'] }, "object.command[0] != 'sh'")
  await eventually(async () => expect((await send('POST', `${pod}/exec?command=sh`)).status).toBe(422))
  const refused = await send('POST', `${pod}/exec?command=sh`)
  expect(refused.body.message).toContain(
    "ValidatingAdmissionPolicy 'shells' with binding 'shells' denied request: not by shells",
  )
  expect(connected).toBe(0)
  expect((await send('POST', `${pod}/exec?command=ls`)).status).toBe(200)
  expect((await send('POST', `${pod}/attach`)).status).toBe(200)
})

it('a policy can refuse the creation of a subresource', async () => {
  await bindPolicy(
    'tokens',
    { operations: ['CREATE'], resources: ['serviceaccounts/token'] },
    "request.name != 'default'",
  )
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  await eventually(async () => {
    const { status, body } = await send('POST', '/api/v1/namespaces/default/serviceaccounts/default/token', review)
    expect(status).toBe(422)
    expect(body.message).toContain('not by tokens')
  })
})
