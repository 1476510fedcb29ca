import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import { startLinkPlatform } from '../link/support.ts'
import { group, keysPath, management, type TestPlatform, userNamed } from '../platform/platform.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'

let platform: TestPlatform
let host: TestServer
let member = ''

const secretIn = (name: string, text: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  data: { config: Buffer.from(text).toString('base64') },
})
const clusterNamed = (name: string) => ({
  apiVersion: `${group}/v1`,
  kind: 'Cluster',
  metadata: { name },
  spec: { config: { secretName: name, secretNamespace: 'default' } },
})

beforeAll(async () => {
  ;[platform, host] = await Promise.all([startLinkPlatform(), startTestServer()])
  await platform.must('POST', '/api/v1/namespaces/default/secrets', secretIn('host', host.kubeconfig('admin')))
  await platform.must('POST', `${management}/clusters`, clusterNamed('host'))
  await platform.must('POST', `${management}/users`, userNamed('member'))
  member = await platform.keyOf('member')
  await platform.ask('PATCH', `${management}/projects/default`, {
    body: { spec: { members: [{ kind: 'User', name: 'member', role: 'user' }] } },
    type: 'application/merge-patch+json',
  })
  await platform.must('POST', `${management}/namespaces/p-default/spaceinstances`, {
    apiVersion: `${group}/v1`,
    kind: 'SpaceInstance',
    metadata: { name: 'web' },
    spec: { clusterRef: { cluster: 'host', namespace: 'team-web' } },
  })
  for (const name of ['team-web', 'team-other']) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    await platform.must('POST', '/kubernetes/cluster/host/api/v1/namespaces', body)
  }
})

afterAll(() => Promise.all([platform.stop(), host.stop()]))

const space = '/kubernetes/project/default/space/web'
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } }
const asMember = (method: string, path: string, body?: object) => platform.ask(method, path, { token: member, body })

describe('a cluster with a kubeconfig in a Secret', () => {
  it('is reachable for users who may use it', async () => {
    expect((await platform.ask('GET', '/kubernetes/cluster/host/api/v1/namespaces/team-web')).status).toBe(200)
    expect((await asMember('GET', '/kubernetes/cluster/host/api/v1/namespaces')).status).toBe(403)
    expect((await platform.ask('GET', '/kubernetes/cluster/absent/version')).status).toBe(404)
  })

  it.each([
    ['exec', 'user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: touch } }'],
    ['tokenFile', 'user: { tokenFile: /etc/passwd }'],
    ['client-key', 'user: { client-key: /etc/passwd, client-certificate: /etc/passwd }'],
  ])('cannot make the platform use %s', async (field, user) => {
    const name = `bad-${field.toLowerCase()}`
    const text = `{ apiVersion: v1, kind: Config, current-context: a, contexts: [{ name: a, context: { cluster: a, user: a } }], clusters: [{ name: a, cluster: { server: "${host.url}" } }], users: [{ name: a, ${user} }] }`
    await platform.must('POST', '/api/v1/namespaces/default/secrets', secretIn(name, text))
    await platform.must('POST', `${management}/clusters`, clusterNamed(name))
    expect(await platform.ask('GET', `/kubernetes/cluster/${name}/version`)).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('is not allowed in a Secret') },
    })
  })

  it('is called with a changed Secret at once', async () => {
    const wrong = printKubeconfig([
      { name: 'wrong', server: host.url, certificateAuthority: host.authority, token: 'alice-token' },
    ])
    const put = (text: string) =>
      platform.ask('PATCH', '/api/v1/namespaces/default/secrets/host', {
        body: { data: secretIn('host', text).data },
        type: 'application/merge-patch+json',
      })
    await put(wrong)
    expect(await platform.ask('GET', '/kubernetes/cluster/host/api/v1/secrets')).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('a role could not be bound: clusterrolebindings') },
    })
    await put(host.kubeconfig('admin'))
    expect((await platform.ask('GET', '/kubernetes/cluster/host/api/v1/secrets')).status).toBe(200)
  })
})

describe('the scope that is advised for a key', () => {
  it('allows exactly what it did in a cluster', async () => {
    const cluster = '/kubernetes/cluster/host'
    const did = ['/api', '/apis', '/openapi/v3', '/api/v1/namespaces/team-web/configmaps'].map((path) => cluster + path)
    const others = ['/metrics', '/api/v1/configmaps', '/api/v1/namespaces'].map((path) => cluster + path)
    const key = { metadata: { name: 'roaming' }, spec: { user: 'admin' } }
    const token = (await platform.must('POST', keysPath, key)).spec.key
    const statuses = (paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => (await platform.ask('GET', path, { token })).status))
    expect(await statuses(did)).toEqual(did.map(() => 200))
    const question = { apiVersion: `${group}/v1`, kind: 'AccessKeyAdvice' }
    const { scope } = (await platform.must('POST', `${keysPath}/roaming/advise`, question)).status
    const type = 'application/merge-patch+json'
    await platform.ask('PATCH', `${keysPath}/roaming`, { body: { spec: { scope } }, type })
    expect(await statuses(did)).toEqual(did.map(() => 200))
    expect(await statuses(others)).toEqual(others.map(() => 403))
  })
})

describe('a space', () => {
  it('is its namespace, with the role that the project grants', async () => {
    expect((await asMember('POST', `${space}/api/v1/namespaces/team-web/configmaps`, configMap)).status).toBe(201)
    expect((await asMember('GET', `${space}/api/v1/namespaces/team-web/configmaps/made`)).status).toBe(200)
    expect((await asMember('GET', `${space}/api/v1/namespaces/team-web`)).status).toBeLessThan(404)
    expect((await asMember('GET', `${space}/apis`)).status).toBe(200)
    const role = `${space}/apis/rbac.authorization.k8s.io/v1/namespaces/team-web/roles`
    expect((await asMember('GET', role)).status).toBe(403)
  })

  it.each([
    ['GET', '/api/v1/namespaces/team-other/configmaps'],
    ['GET', '/api/v1/configmaps'],
    ['GET', '/api/v1/watch/namespaces/team-web/configmaps'],
    ['GET', '/api/v1/namespaces'],
    ['DELETE', '/api/v1/namespaces/team-web'],
    ['GET', '/api/v1/nodes'],
    ['GET', '/metrics'],
    ['GET', '/logs/kube-apiserver.log'],
  ])('reaches nothing outside: %s %s', async (method, path) => {
    expect(await platform.ask(method, space + path)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('outside of the space') },
    })
  })
})

describe('the place of a space or a cluster', () => {
  const spaces = `${management}/namespaces/p-default/spaceinstances`
  const spaceIn = (name: string, namespace: string) => ({
    apiVersion: `${group}/v1`,
    kind: 'SpaceInstance',
    metadata: { name },
    spec: { clusterRef: { cluster: 'host', namespace } },
  })
  const moved = { spec: { clusterRef: { namespace: 'kube-system' } } }
  const patch = (path: string, token: string, body: object) =>
    platform.ask('PATCH', path, { token, body, type: 'application/merge-patch+json' })

  it('cannot be chosen by members of a project', async () => {
    expect(await asMember('POST', spaces, spaceIn('grab', 'kube-system'))).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('cannot administer resource "clusters"') },
    })
    expect((await patch(`${spaces}/web`, member, moved)).status).toBe(403)
    expect((await patch(`${spaces}/web`, member, { spec: { displayName: 'Web' } })).status).toBe(200)
    const unplaced = { ...spaceIn('unplaced', ''), spec: {} }
    expect((await asMember('POST', spaces, unplaced)).status).toBe(201)
  })

  it.each([
    ['space', { spaces: [{ project: 'default', space: 'web' }] }, `${spaces}/web`, moved],
    ['project', { projects: [{ project: 'default' }] }, `${spaces}/web`, moved],
    [
      'cluster',
      { clusters: [{ cluster: 'host' }] },
      `${management}/clusters/host`,
      { spec: { config: { secretName: 'another' } } },
    ],
  ])('cannot be chosen by a key that is limited to the %s', async (kind, scope, path, body) => {
    const key = await platform.keyOf('admin', { scope })
    expect((await patch(path, key, { spec: { displayName: kind } })).status).toBe(200)
    expect((await patch(path, key, body)).status).toBe(403)
  })

  it('can be chosen by administrators of the cluster', async () => {
    expect((await platform.ask('POST', spaces, { body: spaceIn('more', 'team-other') })).status).toBe(201)
    const body = { spec: { config: { secretName: 'another' } } }
    expect((await patch(`${management}/clusters/host`, 'admin-token', body)).status).toBe(200)
    await patch(`${management}/clusters/host`, 'admin-token', { spec: { config: { secretName: 'host' } } })
  })

  it.each(['a/b', '../x', 'a?b'])('is the name of a namespace, not %j', async (namespace) => {
    const name = `odd-${namespace.length}-${namespace.charCodeAt(1)}`
    await platform.must('POST', spaces, spaceIn(name, namespace))
    expect(await platform.ask('GET', `/kubernetes/project/default/space/${name}/version`)).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('does not say where it is') },
    })
  })
})

describe('a virtual cluster that the platform is to deploy', () => {
  const instance = (name: string, spec: object) => ({
    apiVersion: `${group}/v1`,
    kind: 'VirtualClusterInstance',
    metadata: { name },
    spec,
  })
  const instances = `${management}/namespaces/p-default/virtualclusterinstances`
  const deployed = { external: false, clusterRef: { cluster: 'host', namespace: 'kube-system' }, config: '{}' }

  it('can be created only by administrators of its cluster', async () => {
    expect((await asMember('POST', instances, instance('mine', deployed))).status).toBe(403)
    const { cluster: _, ...nowhere } = deployed.clusterRef
    expect((await asMember('POST', instances, instance('mine', { ...deployed, clusterRef: nowhere }))).status).toBe(403)
    expect((await platform.ask('POST', instances, { body: instance('theirs', deployed) })).status).toBe(201)
  })

  it('can be created in its usual place by users who may deploy there, and nowhere else', async () => {
    const usual = { clusterRef: { cluster: 'host' } }
    const refused = await asMember('POST', instances, instance('web', usual))
    expect(refused).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('can allow it by the verb deploy in its spec.access') },
    })
    const access = [{ users: ['member'], verbs: ['deploy'] }]
    const type = 'application/merge-patch+json'
    await platform.ask('PATCH', `${management}/clusters/host`, { body: { spec: { access } }, type })
    const made = await asMember('POST', instances, instance('web', usual))
    expect(made, made.text).toMatchObject({
      status: 201,
      body: {
        spec: {
          clusterRef: {
            cluster: 'host',
            namespace: expect.stringMatching(/^tenant-default-web-[0-9a-f]{12}$/),
            virtualCluster: 'web',
          },
        },
      },
    })
    for (const more of [
      { config: 'sync: {fromHost: {}}' },
      { clusterRef: { cluster: 'host', namespace: 'kube-system' } },
      { clusterRef: { cluster: 'host', virtualCluster: 'theirs' } },
      { clusterRef: { cluster: 'absent' } },
      { external: false, clusterRef: {} },
    ]) {
      expect((await asMember('POST', instances, instance('other', { ...usual, ...more }))).status).toBe(403)
    }
    const configured = { body: { spec: { config: 'sync: {}' } }, type, token: member }
    expect((await platform.ask('PATCH', `${instances}/web`, configured)).status).toBe(403)
    expect((await asMember('DELETE', `${instances}/web`)).status).toBe(200)
    expect((await asMember('GET', '/kubernetes/cluster/host/api/v1/namespaces')).status).toBe(403)
    await platform.ask('PATCH', `${management}/clusters/host`, { body: { spec: { access: null } }, type })
  })

  it('cannot be made of an external one, nor get another configuration', async () => {
    expect((await asMember('POST', instances, instance('outside', { external: true }))).status).toBe(201)
    const patch = (name: string, spec: object) =>
      platform.ask('PATCH', `${instances}/${name}`, {
        token: member,
        body: { spec },
        type: 'application/merge-patch+json',
      })
    expect((await patch('outside', { external: false })).status).toBe(403)
    expect((await patch('outside', { displayName: 'Outside' })).status).toBe(200)
    expect((await patch('theirs', { config: 'sync: {}' })).status).toBe(403)
    expect((await patch('theirs', { displayName: 'Theirs' })).status).toBe(200)
  })
})

describe('the clusters that a project may use', () => {
  const change = (spec: object) =>
    platform.ask('PATCH', `${management}/projects/default`, { body: { spec }, type: 'application/merge-patch+json' })
  const instance = (kind: string, name: string) => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name },
    spec: { clusterRef: { cluster: 'host', namespace: `limited-${name}` } },
  })
  const make = async (plural: string, kind: string, name: string) => {
    const path = `${management}/namespaces/p-default/${plural}`
    const { status, body } = await platform.ask('POST', path, { body: instance(kind, name) })
    return status < 400 ? status : `${status} ${body.message}`
  }
  afterAll(() => change({ allowedClusters: null }))

  it.each([
    ['spaceinstances', 'SpaceInstance'],
    ['virtualclusterinstances', 'VirtualClusterInstance'],
  ])('are all by default: %s', async (plural, kind) => {
    await change({ allowedClusters: null })
    expect(await make(plural, kind, 'absent')).toBe(201)
    for (const [name, allowedClusters] of Object.entries({ none: [], other: ['elsewhere'] })) {
      await change({ allowedClusters })
      expect(await make(plural, kind, name)).toMatch(
        /^403 .* is forbidden: spec\.allowedClusters of project default does not name cluster host; admins of the project can add it$/,
      )
    }
    for (const [name, allowedClusters] of Object.entries({ named: ['elsewhere', 'host'], all: ['*'] })) {
      await change({ allowedClusters })
      expect(await make(plural, kind, name)).toBe(201)
    }
    await change({ allowedClusters: [] })
    const stays = { body: { spec: { displayName: 'Stays' } }, type: 'application/merge-patch+json' }
    const path = `${management}/namespaces/p-default/${plural}/absent`
    expect((await platform.ask('PATCH', path, stays)).status).toBe(200)
  })
})
