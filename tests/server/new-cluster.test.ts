import { createLocalJWKSet, jwtVerify } from 'jose'
import { type Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { apiEndpoints } from '../../src/cluster/controllers/api-address.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { patientAgent } from '../support/network/patient-agent.ts'

let server: TestServer
let dispatcher: Agent

beforeAll(async () => {
  server = await startTestServer({ kinds: builtinKinds() })
  dispatcher = patientAgent({ ca: server.authority })
})

afterAll(async () => {
  await dispatcher.close()
  await server.stop()
})

async function ask(path: string, token: string, object?: object) {
  const answer = await request(`${server.url}${path}`, {
    dispatcher,
    method: object === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(object && { body: JSON.stringify(object) }),
  })
  return { status: answer.statusCode, type: answer.headers['content-type'], body: JSON.parse(await answer.body.text()) }
}

describe('a new cluster', () => {
  it('publishes the token keys to service accounts, and to no other user', async () => {
    const path = '/api/v1/namespaces/default/serviceaccounts'
    await ask(path, 'admin-token', { metadata: { name: 'reader' } })
    const { body: foreign } = await ask(`${path}/reader/token`, 'admin-token', { spec: { audiences: ['elsewhere'] } })
    const { body: own } = await ask(`${path}/reader/token`, 'admin-token', { spec: {} })
    const settings = await ask('/.well-known/openid-configuration', own.status.token)
    expect(settings).toMatchObject({
      status: 200,
      type: 'application/json',
      body: { subject_types_supported: ['public'] },
    })
    const keys = await ask('/openid/v1/jwks', own.status.token)
    expect(keys).toMatchObject({ status: 200, type: 'application/jwk-set+json' })
    const { issuer } = settings.body
    const { payload } = await jwtVerify(foreign.status.token, createLocalJWKSet(keys.body), {
      issuer,
      audience: 'elsewhere',
    })
    expect(payload.sub).toBe('system:serviceaccount:default:reader')
    expect((await ask('/openid/v1/jwks', 'alice-token')).status).toBe(403)
    expect(Object.keys(keys.body.keys[0]).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })

  it('has an EndpointSlice for its own API if others can reach it', () => {
    const slices = (host: string) => apiEndpoints({ host, port: 6443 }).filter(({ kind }) => kind === 'EndpointSlice')
    expect(slices('10.1.2.3')).toMatchObject([
      {
        metadata: { name: 'kubernetes', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true } }],
        ports: [{ name: 'https', port: 6443, protocol: 'TCP' }],
      },
    ])
    expect(slices('127.0.0.1')).toEqual([])
  })

  it.each([
    ['10.1.2.3', 443, 'IPv4'],
    ['10.1.2.4', 6443, 'IPv4'],
    ['fd00::2', 443, 'IPv6'],
  ])('tells where its API is reached from now on: %s, port %i', async (host, port, addressType) => {
    await server.engine.advertise({ host, port })
    const read = async (path: string) => (await ask(path, 'admin-token')).body
    expect((await read('/api/v1/namespaces/default/endpoints/kubernetes')).subsets).toEqual([
      { addresses: [{ ip: host }], ports: [{ name: 'https', port, protocol: 'TCP' }] },
    ])
    expect(await read('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes')).toMatchObject({
      addressType,
      endpoints: [{ addresses: [host] }],
      ports: [{ name: 'https', port, protocol: 'TCP' }],
    })
  })

  it.each([
    ['system:kube-scheduler', 'create', '', 'pods', 'binding', true],
    ['system:kube-scheduler', 'delete', '', 'nodes', '', false],
    ['system:kube-controller-manager', 'list', 'apps', 'deployments', '', true],
    ['system:kube-controller-manager', 'delete', '', 'namespaces', '', false],
    ['system:serviceaccount:kube-system:replicaset-controller', 'create', '', 'pods', '', true],
    ['system:serviceaccount:kube-system:replicaset-controller', 'get', '', 'secrets', '', false],
    ['system:serviceaccount:default:replicaset-controller', 'create', '', 'pods', '', false],
    ['system:kube-proxy', 'watch', 'discovery.k8s.io', 'endpointslices', '', true],
    ['system:node:a', 'get', '', 'secrets', '', false],
  ])('lets %s %s %s/%s/%s: %s', async (user, verb, group, resource, subresource, isAllowed) => {
    const spec = { user, resourceAttributes: { verb, group, resource, subresource, namespace: 'default' } }
    const { body } = await ask('/apis/authorization.k8s.io/v1/subjectaccessreviews', 'admin-token', { spec })
    expect(body.status.allowed).toBe(isAllowed)
  })

  it('lets schedulers read the authentication configuration', async () => {
    const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'
    expect((await ask(path, 'admin-token')).status).toBe(200)
    const resourceAttributes = {
      verb: 'get',
      resource: 'configmaps',
      name: 'extension-apiserver-authentication',
      namespace: 'kube-system',
    }
    const spec = { user: 'system:kube-scheduler', resourceAttributes }
    const { body } = await ask('/apis/authorization.k8s.io/v1/subjectaccessreviews', 'admin-token', { spec })
    expect(body.status.allowed).toBe(true)
  })
})
