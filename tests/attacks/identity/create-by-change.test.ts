import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { protocols, rawAsk } from '../support/raw-ask.ts'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const inDefault = '/api/v1/namespaces/default'
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
const json = 'application/json'
const applyPatch = 'application/apply-patch+yaml'

const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'made' }, spec: { ports: [{ port: 80 }] } }
const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'made' }, spec: {} }
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } })

describe('the right to change objects is not the right to create them', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'update', 'patch'] }]
    await sent('POST', `${rbac}/clusterroles`, { metadata: { name: 'changing' }, rules }, 'admin-token')
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'changing' }
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }]
    await sent('POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'alice' }, roleRef, subjects }, 'admin-token')
    await sent('POST', `${inDefault}/configmaps`, configMap('there'), 'admin-token')
  })
  afterAll(() => server?.stop())

  const [, protocol] = protocols
  const sent = (method: string, url: string, body: object, token = 'alice-token', type = json) =>
    rawAsk(protocol, server.port, {
      method,
      url,
      token,
      body: JSON.stringify(body),
      headers: [['Content-Type', type]],
    })

  test.each([
    ['an apply', 'PATCH', `${inDefault}/configmaps/made?fieldManager=alice`, configMap('made'), applyPatch],
    [
      'an apply that is a dry run',
      'PATCH',
      `${inDefault}/configmaps/made?fieldManager=a&dryRun=All`,
      configMap('made'),
      applyPatch,
    ],
    ['a PUT', 'PUT', `${leases}/made`, lease, json],
    ['a PUT of a Service, which gets an address', 'PUT', `${inDefault}/services/made`, service, json],
  ])('%s creates nothing', async (_, method, url, object, type) => {
    const answer = await sent(method, url, object, 'alice-token', type)
    expect(answer.text).toContain('User \\"alice\\" cannot create resource')
    expect(answer.status).toBe(403)
    const [path = ''] = url.split('?')
    expect((await rawAsk(protocol, server.port, { url: path })).status).toBe(404)
  })

  test('existing objects are still changed', async () => {
    const url = `${inDefault}/configmaps/there?fieldManager=alice&force=true`
    expect((await sent('PATCH', url, configMap('there'), 'alice-token', applyPatch)).status).toBe(200)
  })

  test('a caller with the right to create objects can create one by an apply', async () => {
    const url = `${inDefault}/configmaps/new?fieldManager=admin`
    expect((await sent('PATCH', url, configMap('new'), 'admin-token', applyPatch)).status).toBe(201)
  })
})
