import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLinkPlatform } from '../../link/support.ts'
import { group, management, type TestPlatform } from '../../platform/platform.ts'
import { type Kubernetes, startKubernetes } from '../../support/clusters/kubernetes.ts'
import { findKubernetes } from '../../support/clusters/kubernetes-programs.ts'
import { eventually } from '../../support/eventually.ts'

const found = findKubernetes()
const cluster = '/kubernetes/cluster/real'
const secrets = `${cluster}/api/v1/namespaces/default/secrets`
const tokenPath = `${cluster}/api/v1/namespaces/default/serviceaccounts/builder/token`

describe.skipIf(found.outcome === 'missing')('a key in a cluster of Kubernetes itself', () => {
  let platform: TestPlatform
  let kubernetes: Kubernetes
  let token = ''

  beforeAll(async () => {
    if (found.outcome === 'missing') return
    ;[platform, kubernetes] = await Promise.all([startLinkPlatform(), startKubernetes(found.programs)])
    await kubernetes.startControllers('serviceaccount-token')
    const kubeconfig = readFileSync(kubernetes.kubeconfig)
    await platform.must('POST', '/api/v1/namespaces/default/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'real' },
      data: { config: kubeconfig.toString('base64') },
    })
    await platform.must('POST', `${management}/clusters`, {
      apiVersion: `${group}/v1`,
      kind: 'Cluster',
      metadata: { name: 'real' },
      spec: { config: { secretName: 'real', secretNamespace: 'default' } },
    })
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'builder' } }
    await platform.must('POST', `${cluster}/api/v1/namespaces/default/serviceaccounts`, account)
    token = await platform.keyOf('admin')
  })

  afterAll(async () => {
    await platform?.stop()
    await kubernetes?.remove()
  })

  const tokenSecret = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: { name, annotations: { 'kubernetes.io/service-account.name': 'builder' } },
  })

  test('gets no token by a Secret, unlike an administrator without a key', async () => {
    expect((await platform.ask('POST', secrets, { token, body: tokenSecret('stolen') })).status).toBe(403)
    await platform.must('POST', secrets, tokenSecret('meant'))
    await eventually(async () => {
      expect((await platform.must('GET', `${secrets}/meant`)).data?.token).toBeDefined()
    }, 240_000)
    const patch = { metadata: { annotations: { 'kubernetes.io/service-account.name': 'default' } } }
    const asked = { token, body: patch, type: 'application/merge-patch+json' }
    expect((await platform.ask('PATCH', `${secrets}/meant`, asked)).status).toBe(403)
  })

  test('gets a token for one hour if it requests ten years', async () => {
    const spec = { expirationSeconds: 315_360_000 }
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }
    const answer = await platform.ask('POST', tokenPath, { token, body })
    expect(answer.status).toBe(201)
    expect(answer.warnings.join()).toContain('3600 seconds at most')
    const { exp, iat } = JSON.parse(Buffer.from(answer.body.status.token.split('.')[1], 'base64url').toString())
    expect(exp - iat).toBe(3600)
  })

  test.each([
    ['created', 'POST', 'application/json', ''],
    ['applied', 'PATCH', 'application/apply-patch+yaml', '/applied?fieldManager=test'],
  ])('is served as before where an ordinary Secret is %s', async (name, method, type, rest) => {
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { a: 'ü', b: '1e3' } }
    expect((await platform.ask(method, secrets + rest, { token, body, type })).status).toBe(201)
    const { data } = await platform.must('GET', `${secrets}/${name}`)
    expect(Object.values(data).map((value) => Buffer.from(String(value), 'base64').toString())).toEqual(['ü', '1e3'])
    const patch = [{ op: 'replace', path: '/data/b', value: 'eA==' }]
    const patched = { token, body: patch, type: 'application/json-patch+json' }
    expect((await platform.ask('PATCH', `${secrets}/${name}`, patched)).status).toBe(200)
  })
})
