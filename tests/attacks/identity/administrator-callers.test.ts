import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccessKeyScope } from '../../../src/api/types/management.ts'
import { embedded, inside, link, startLinkPlatform, type TestLink, tenantKey } from '../../link/support.ts'
import { overHttp1, signIn } from '../../platform/browser-client.ts'
import { grant, group, management, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'

const demo = { project: 'default', virtualCluster: 'demo' }
const ofDemo = `${inside('demo')}/backup`
/** Other spellings of the same path. */
const paths = ['/backup', '/backup/', '//backup', '/%62ackup', '/kubernetes/management/backup', ofDemo]
const ofDemoRotation = `${inside('demo')}/certificates/rotate`
const rotations = [
  '/certificates/rotate',
  '/certificates/rotate?overlapSeconds=0',
  '//certificates/rotate',
  ofDemoRotation,
]

const scopes: readonly [string, AccessKeyScope][] = [
  [
    'a rule for objects',
    { rules: [{ verbs: ['get'], resources: [{ resources: ['configmaps'] }], namespaces: ['x'] }] },
  ],
  ['a rule for everything', { rules: [{}] }],
  ['a rule for all paths', { rules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }],
  [
    'a rule that names it',
    { rules: [{ verbs: ['get', 'post'], nonResourceURLs: ['/backup', '/certificates/rotate'] }] },
  ],
  ['a project', { projects: [{ project: '*' }] }],
  ['a virtual cluster', { virtualClusters: [demo] }],
  ['a cluster', { clusters: [{ cluster: '*' }] }],
  ['every role', { roles: [{ role: 'platformCLI' }, { role: 'metrics-reader' }, { role: 'agent' }] }],
]

describe('a backup or a rotation of certificates requires an administrator with a direct credential', () => {
  let platform: TestPlatform
  let tenant: TestServer
  let linked: TestLink
  let own = ''

  beforeAll(async () => {
    ;[platform, tenant] = await Promise.all([startLinkPlatform(), startTestServer()])
    const { url, authority } = platform.server
    const accessKey = await tenantKey(platform, 'tenants')
    linked = link({ name: 'demo', accessKey, url, authority, virtualApi: embedded(tenant) })
    await linked.linked()
    own = await platform.keyOf('admin')
  })

  afterAll(async () => {
    await linked.stop()
    await Promise.all([platform.stop(), tenant.stop()])
  })

  const send = overHttp1(() => platform.server)
  const asked = (path: string, token: string, headers = {}) =>
    send('GET', path, { authorization: `Bearer ${token}`, ...headers })
  const rotated = (path: string, token: string, headers = {}) =>
    send('POST', path, { authorization: `Bearer ${token}`, ...headers })

  it.each(['/backup', ofDemo])('an access key without a scope gets %s', async (path) => {
    const { status, text } = await asked(path, own)
    expect(status, text).toBe(200)
    expect(text).toContain('kube-system')
  })

  it.each(scopes)('a key with a scope for %s gets neither', async (_, scope) => {
    const key = await platform.keyOf('admin', { scope })
    const { headers } = await signIn(send, key)
    for (const path of paths) {
      expect((await asked(path, key)).status, path).toBe(403)
      expect((await send('GET', path, headers)).status, `a session of it: ${path}`).toBe(403)
    }
    for (const path of rotations) expect((await rotated(path, key)).status, path).toBe(403)
  })

  it('a browser session gets no backup of the platform, and a connection key gets none', async () => {
    const { headers } = await signIn(send, own)
    expect((await send('GET', ofDemo, headers)).status).toBe(200)
    expect((await send('GET', '/backup', headers)).status).toBe(403)
    const body = { apiVersion: `${group}/v1`, kind: 'ConnectionKey', spec: demo }
    const made = await platform.ask('POST', `${management}/connectionkeys`, { token: own, body })
    for (const path of paths) expect((await asked(path, made.body.status.key)).status, path).toBe(403)
  })

  it('an impersonating caller gets neither', async () => {
    const asAdministrator = { 'impersonate-user': 'root', 'impersonate-group': 'system:masters' }
    const asLink = { 'impersonate-user': 'system:tenant-link', 'impersonate-group': 'system:masters' }
    for (const path of paths)
      for (const headers of [asAdministrator, asLink]) {
        const { status, text } = await asked(path, own, headers)
        expect(status, path).toBe(403)
        expect(text).toContain('impersonate another user')
      }
    for (const path of rotations) expect((await rotated(path, own, asAdministrator)).status, path).toBe(403)
  })

  it('a service account gets neither, even with all rights', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts'
    const named = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } }
    await platform.must('POST', accounts, named)
    await grant(platform, 'system:serviceaccount:default:robot', [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ])
    const wanted = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    const { token } = (await platform.must('POST', `${accounts}/robot/token`, wanted)).status
    expect((await asked('/api/v1/secrets', token)).status).toBe(200)
    const { status, text } = await asked('/backup', token)
    expect(status).toBe(403)
    expect(text).toContain('service accounts')
    expect((await rotated('/certificates/rotate', token)).status).toBe(403)
  })

  it('the right to all paths is not sufficient', async () => {
    await platform.must('POST', `${management}/users`, userNamed('ann'))
    await grant(platform, 'ann', [{ nonResourceURLs: ['*'], verbs: ['*'] }])
    const ann = await platform.keyOf('ann')
    expect((await asked('/metrics', ann)).status).toBe(200)
    const { status, text } = await asked('/backup', ann)
    expect(status).toBe(403)
    expect(text).toContain('requires all rights')
    expect((await rotated('/certificates/rotate', ann)).status).toBe(403)
  })
})
