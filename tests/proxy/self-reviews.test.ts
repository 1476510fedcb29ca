import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { group, keysPath, management, startPlatform, type TestPlatform } from '../platform/platform.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'

let platform: TestPlatform
let host: TestServer
const inside = '/kubernetes/cluster/host'
const reviews = `${inside}/apis/authorization.k8s.io/v1`
const keys = new Map<string, string>()

beforeAll(async () => {
  ;[platform, host] = await Promise.all([startPlatform(), startTestServer()])
  const data = { config: Buffer.from(host.kubeconfig()).toString('base64') }
  await platform.must('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'host' }, data })
  await platform.must('POST', `${management}/clusters`, {
    apiVersion: `${group}/v1`,
    kind: 'Cluster',
    metadata: { name: 'host' },
    spec: { config: { secretName: 'host', secretNamespace: 'default' } },
  })
  const reading = {
    verbs: ['get', 'create'],
    resources: [
      { group: '', resources: ['configmaps'] },
      { group: 'authorization.k8s.io', resources: [] },
    ],
    requestTargets: ['Cluster'],
    nonResourceURLs: ['/version'],
  }
  await make('narrow', { rules: [reading] })
  await make('whole', { clusters: [{ cluster: 'host' }] })
  await make('unlimited', undefined)
})

afterAll(async () => {
  await Promise.all([platform.stop(), host.stop()])
})

async function make(name: string, scope: object | undefined): Promise<void> {
  const spec = { user: 'admin', ...(scope === undefined ? {} : { scope }) }
  keys.set(name, (await platform.must('POST', keysPath, { metadata: { name }, spec })).spec.key)
}

const ask = (key: string, method: string, path: string, body?: unknown, type?: string) =>
  platform.ask(method, path, { token: keys.get(key) ?? '', body, ...(type === undefined ? {} : { type }) })

async function mayI(key: string, verb: string, resource: string, type?: string) {
  const spec = { resourceAttributes: { verb, resource, namespace: 'default', name: 'c' } }
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec }
  const { status, body: answer } = await ask(key, 'POST', `${reviews}/selfsubjectaccessreviews`, body, type)
  expect(status).toBe(201)
  expect(answer).toMatchObject({ kind: 'SelfSubjectAccessReview', spec: { resourceAttributes: { verb, resource } } })
  return answer.status.allowed
}

describe('the rights of a key behind the platform', () => {
  it.each([
    ['narrow', 'get', 'configmaps', true],
    ['narrow', 'delete', 'configmaps', false],
    ['narrow', 'get', 'secrets', false],
    ['whole', 'delete', 'configmaps', true],
    ['unlimited', 'delete', 'secrets', true],
  ])('%s: a review of %s %s matches the real decision', async (key, verb, resource, allowed) => {
    expect(await mayI(key, verb, resource)).toBe(allowed)
    expect(await mayI(key, verb, resource, 'application/yaml')).toBe(allowed)
    const method = verb === 'get' ? 'GET' : 'DELETE'
    const path = `${inside}/api/v1/namespaces/default/${resource}/c`
    expect((await ask(key, method, path)).status).toBe(allowed ? 404 : 403)
  })

  it('are reported for paths too, and invalid requests are refused inside', async () => {
    const asked = (spec: object) =>
      ask('narrow', 'POST', `${reviews}/selfsubjectaccessreviews`, {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec,
      })
    const path = async (text: string) =>
      (await asked({ nonResourceAttributes: { verb: 'get', path: text } })).body.status.allowed
    expect([await path('/version'), await path('/metrics')]).toEqual([true, false])
    expect((await asked({})).status).toBe(422)
  })

  it.each([
    ['narrow', [{ verbs: ['get', 'create'], apiGroups: [''], resources: ['configmaps'] }]],
    ['whole', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]],
  ])('%s: are listed without what the scope excludes', async (key, expected) => {
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: { namespace: 'default' },
    }
    const { status, body: answer } = await ask(key, 'POST', `${reviews}/selfsubjectrulesreviews`, body)
    expect(status).toBe(201)
    expect(answer.kind).toBe('SelfSubjectRulesReview')
    expect(answer.status.resourceRules).toEqual(expect.arrayContaining(expected))
    const verbs = answer.status.resourceRules.flatMap((rule: { verbs: string[] }) => rule.verbs)
    expect(verbs.includes('*')).toBe(key === 'whole')
    expect(answer.status.nonResourceRules.length).toBeGreaterThan(0)
  })
})
