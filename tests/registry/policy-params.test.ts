import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/network/call.ts'

let server: TestServer

async function send(token: string, method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const { status, text } = await call(server.port, { method, path, headers, body: body && JSON.stringify(body) })
  return { status, body: JSON.parse(await text) as { readonly message?: string } }
}

const group = '/apis/admissionregistration.k8s.io/v1'
const roles = '/apis/rbac.authorization.k8s.io/v1'

const role = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'policy-writer' },
  rules: [
    { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'create'] },
  ],
}
const roleBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'policy-writer' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'policy-writer' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
}

function policy(name: string, paramKind: object | undefined, resource = 'configmaps', apiGroup = '') {
  const rules = [{ apiGroups: [apiGroup], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] }]
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      ...(paramKind && { paramKind }),
      matchConstraints: { resourceRules: rules },
      validations: [{ expression: "object.metadata.name != 'refused'", message: 'not this one' }],
    },
  }
}

function binding(name: string, policyName: string, paramRef?: object) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName, validationActions: ['Deny'], ...(paramRef && { paramRef }) },
  }
}

const secrets = { apiVersion: 'v1', kind: 'Secret' }
const all = { namespace: 'kube-system', selector: {}, parameterNotFoundAction: 'Allow' }

beforeAll(async () => {
  server = await startTestServer({ kinds: builtinKinds() })
  await send('admin-token', 'POST', `${roles}/clusterroles`, role)
  await send('admin-token', 'POST', `${roles}/clusterrolebindings`, roleBinding)
  await eventually(async () => {
    expect((await send('alice-token', 'GET', `${group}/validatingadmissionpolicies`)).status).toBe(200)
  })
})

afterAll(() => server.stop())

describe('a user without the right to read params', () => {
  it('cannot write a policy with their kind, also not in a dry run or an update', async () => {
    const path = `${group}/validatingadmissionpolicies`
    for (const query of ['', '?dryRun=All']) {
      const { status, body } = await send('alice-token', 'POST', `${path}${query}`, policy('steal', secrets))
      expect(status).toBe(422)
      expect(body.message).toContain(
        'spec.paramKind: Forbidden: user alice must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)',
      )
    }
    expect((await send('alice-token', 'POST', path, policy('changed', undefined))).status).toBe(201)
    expect((await send('alice-token', 'PUT', `${path}/changed`, policy('changed', secrets))).status).toBe(422)
    const readable = policy('readable', { apiVersion: 'v1', kind: 'ConfigMap' })
    expect((await send('alice-token', 'POST', path, readable)).status).toBe(201)
  })

  it('cannot bind a policy to them', async () => {
    await send('admin-token', 'POST', `${group}/validatingadmissionpolicies`, policy('of-secrets', secrets))
    const path = `${group}/validatingadmissionpolicybindings`
    const { status, body } = await send('alice-token', 'POST', path, binding('steal', 'of-secrets', all))
    expect(status).toBe(422)
    expect(body.message).toContain(
      'spec.paramRef: Forbidden: user alice does not have "list" permission on the object referenced by paramRef',
    )
    const one = { namespace: 'kube-system', name: 'ca', parameterNotFoundAction: 'Allow' }
    expect((await send('alice-token', 'POST', path, binding('steal', 'of-secrets', one))).body.message).toContain(
      '"get"',
    )
    expect((await send('alice-token', 'POST', path, binding('steal', 'missing', all))).status).toBe(422)
    expect((await send('alice-token', 'POST', path, binding('readable', 'readable', all))).status).toBe(201)
  })
})

describe('policies apply to', () => {
  it('webhook configurations, with params only of served versions', async () => {
    const kind = 'validatingwebhookconfigurations'
    const path = `${group}/validatingadmissionpolicies`
    await send('admin-token', 'POST', path, policy('hooks', undefined, kind, 'admissionregistration.k8s.io'))
    await send('admin-token', 'POST', `${group}/validatingadmissionpolicybindings`, binding('hooks', 'hooks'))
    const configuration = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'refused' },
    }
    const { body } = await send('admin-token', 'POST', `${group}/${kind}`, configuration)
    expect(body.message).toContain('denied request: not this one')
    await send('admin-token', 'POST', path, policy('unserved', { apiVersion: 'v9', kind: 'ConfigMap' }))
    await send(
      'admin-token',
      'POST',
      `${group}/validatingadmissionpolicybindings`,
      binding('unserved', 'unserved', all),
    )
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }
    const refused = await send('admin-token', 'POST', '/api/v1/namespaces/default/configmaps', object)
    expect(refused.body.message).toContain(
      "denied request: failed to configure policy: failed to find resource referenced by paramKind: 'v9, Kind=ConfigMap'",
    )
  })
})
