import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { call } from '../support/network/call.ts'
import { sendJson } from '../support/network/send-json.ts'

let server: TestServer

const apiVersion = 'admissionregistration.k8s.io/v1'
const group = `/apis/${apiVersion}`
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
const configMaps = '/api/v1/namespaces/default/configmaps?dryRun=All'

const must = async (path: string, body: object) => {
  const { status, body: answered } = await sendJson(server.port, 'POST', path, body)
  if (status !== 201) throw new Error(JSON.stringify(answered))
}

beforeAll(async () => {
  server = await startTestServer({ kinds: builtinKinds() })
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }]
  await must(`${rbac}/roles`, { metadata: { name: 'maker' }, rules })
  await must(`${rbac}/rolebindings`, {
    metadata: { name: 'maker' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'maker' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
  })
})

afterAll(() => server.stop())

beforeEach(async () => {
  for (const plural of ['validatingadmissionpolicybindings', 'validatingadmissionpolicies']) {
    await sendJson(server.port, 'DELETE', `${group}/${plural}`)
  }
})

async function bind(name: string, action: 'Deny' | 'Warn', ...expressions: readonly string[]): Promise<void> {
  const resourceRules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }]
  const validations = expressions.map((expression) => ({ expression, message: `${name}: ${expression}` }))
  const spec = { matchConstraints: { resourceRules }, validations }
  await must(`${group}/validatingadmissionpolicies`, { metadata: { name }, spec })
  const binding = { metadata: { name }, spec: { policyName: name, validationActions: [action] } }
  await must(`${group}/validatingadmissionpolicybindings`, binding)
}

async function create(user: 'admin' | 'alice') {
  const headers = { Authorization: `Bearer ${user}-token`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ metadata: { name: 'c' } })
  const {
    status,
    headers: answered,
    text,
  } = await call(server.port, { method: 'POST', path: configMaps, headers, body })
  const { message = '' }: { message?: string } = JSON.parse(await text)
  return { status, message, warnings: String(answered.warning ?? '') }
}

describe('of several policies', () => {
  it('the first denial is returned, and the warnings of the others', async () => {
    await bind('a', 'Deny', 'object.metadata.name != "c"', 'object.metadata.name == "d"')
    await bind('b', 'Warn', 'object.metadata.name == "e"')
    await bind('c', 'Deny', 'object.metadata.name == "f"')
    const { status, message, warnings } = await create('admin')
    expect(status).toBe(422)
    expect(message).toContain(
      `ValidatingAdmissionPolicy 'a' with binding 'a' denied request: a: object.metadata.name != "c"`,
    )
    expect(warnings).toContain("Validation failed for ValidatingAdmissionPolicy 'b' with binding 'b'")
    expect(warnings).not.toContain("'c'")
  })
})

describe('authorizer.requestResource', () => {
  it('checks the resource of the request', async () => {
    await bind('a', 'Deny', 'authorizer.requestResource.check("update").allowed()')
    expect(await create('admin')).toMatchObject({ status: 201 })
    expect(await create('alice')).toMatchObject({ status: 422 })
  })

  it('has its group, namespace and resource', async () => {
    await bind('a', 'Deny', 'authorizer.requestResource.check("create").allowed()')
    expect(await create('alice')).toMatchObject({ status: 201 })
  })
})
