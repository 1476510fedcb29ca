import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inside, link, startLinkPlatform, type TestLink, tenantKey } from '../link/support.ts'
import { keysPath, management, type TestPlatform, userNamed } from '../platform/platform.ts'
import { tlsClient } from '../server/raw-client.ts'
import { type EchoApi, type Received, startEchoApi, valuesOf } from './echo-api.ts'

let platform: TestPlatform
let echo: EchoApi
const links: TestLink[] = []
const keys = new Map<string, string>()
const roleGroup = 'platform:cluster-role:'

beforeAll(async () => {
  ;[platform, echo] = await Promise.all([startLinkPlatform(), startEchoApi()])
  const { url, authority } = platform.server
  await platform.must('POST', `${management}/projects`, { metadata: { name: 'other' } })
  for (const name of ['boss', 'worker', 'reader', 'stranger', 'guest']) {
    await platform.must('POST', `${management}/users`, userNamed(name))
    keys.set(name, await platform.keyOf(name))
  }
  const members = [
    { kind: 'User', name: 'boss', role: 'admin' },
    { kind: 'User', name: 'worker', role: 'user' },
    { kind: 'User', name: 'reader', role: 'viewer' },
  ]
  await platform.ask('PATCH', `${management}/projects/default`, {
    body: { spec: { members } },
    type: 'application/merge-patch+json',
  })
  const accessKey = await tenantKey(platform, 'tenant')
  for (const [name, project] of [
    ['dev', 'default'],
    ['test', 'default'],
    ['dev', 'other'],
  ] as const) {
    const serviceUid = `${project}-${name}`
    links.push(link({ name, project, serviceUid, accessKey, url, authority, virtualApi: echo.virtualApi }))
  }
  await Promise.all(links.map((each) => each.linked()))
})

afterAll(async () => {
  await Promise.all(links.map((each) => each.stop()))
  await Promise.all([platform.stop(), echo.stop()])
})

const as = (user: string, path: string, headers: Record<string, string> = {}) =>
  platform.ask('GET', path, { token: keys.get(user) ?? '', headers })
const pods = `${inside('dev')}/api/v1/namespaces/default/pods`

function last(): Received {
  const received = echo.received.at(-1)
  if (received === undefined) throw new Error('nothing arrived')
  return received
}

/** The request that reaches the virtual cluster, if any does. */
async function arrives(user: string, path: string, headers: Record<string, string> = {}) {
  const before = echo.received.length
  const { status } = await as(user, path, headers)
  return { status, arrived: echo.received.slice(before).filter(({ method }) => method === 'GET') }
}

describe('access to a virtual cluster', () => {
  it.each([
    ['boss', 'cluster-admin'],
    ['worker', 'edit'],
    ['reader', 'view'],
  ])('%s of the project is %s inside', async (user, role) => {
    expect((await as(user, pods)).status).toBe(200)
    expect(valuesOf(last(), 'impersonate-user')).toEqual([user])
    expect(valuesOf(last(), 'impersonate-group')).toEqual([
      `${roleGroup}${role}`,
      `platform:user:${user}`,
      'system:authenticated',
    ])
  })

  it('a stranger is refused, with the missing right', async () => {
    expect(await as('stranger', pods)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('not allowed to "use" the virtual cluster "dev" of project "default"') },
    })
    expect((await platform.ask('GET', pods, { token: '' })).status).toBe(403)
    expect((await platform.ask('GET', pods, { token: 'nobody-knows-this' })).status).toBe(401)
  })

  it('spec.access admits other users, with the given role', async () => {
    const access = [{ verbs: ['use'], clusterRole: 'pod-reader', users: ['guest'] }]
    await platform.ask('PATCH', `${management}/namespaces/p-default/virtualclusterinstances/test`, {
      body: { spec: { access } },
      type: 'application/merge-patch+json',
    })
    expect((await as('guest', `${inside('test')}/api/v1/pods`)).status).toBe(200)
    expect(valuesOf(last(), 'impersonate-group')).toContain(`${roleGroup}pod-reader`)
    expect(echo.received.some(({ method, url }) => method === 'POST' && url.endsWith('/clusterrolebindings'))).toBe(
      true,
    )
    expect((await as('guest', pods)).status).toBe(403)
  })

  it('names reserved by Kubernetes have no meaning inside', async () => {
    const headers = { 'impersonate-user': 'system:kube-controller-manager', 'impersonate-group': 'system:masters' }
    expect((await platform.ask('GET', pods, { headers })).status).toBe(200)
    expect(valuesOf(last(), 'impersonate-user')).toEqual(['platform:system:kube-controller-manager'])
    expect(valuesOf(last(), 'impersonate-group')).not.toContain('system:masters')
  })

  it.each([{ 'impersonate-group': 'system:masters' }, { 'impersonate-uid': 'u' }, { 'impersonate-extra-a': 'b' }])(
    'a service account has no identity but its own: %j',
    async (more) => {
      const { status, arrived } = await arrives('boss', pods, {
        'impersonate-user': 'system:serviceaccount:kube-system:root',
        ...more,
      })
      expect([status, arrived]).toEqual([400, []])
    },
  )

  it('no service account is impersonated unless the virtual cluster allows it', async () => {
    const headers = { 'impersonate-user': 'system:serviceaccount:kube-system:root' }
    expect(await arrives('boss', pods, headers)).toEqual({ status: 403, arrived: [] })
    const asked = echo.received.at(-1)
    expect([asked?.url, asked && valuesOf(asked, 'impersonate-user')]).toEqual([
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      ['boss'],
    ])
    expect(await arrives('stranger', pods, headers)).toEqual({ status: 403, arrived: [] })
  })
})

describe('a scoped key', () => {
  const scoped = async (name: string, scope: object) => {
    const made = await platform.must('POST', keysPath, { metadata: { name }, spec: { user: 'boss', scope } })
    keys.set(name, made.spec.key)
  }

  it('reaches the virtual cluster that it names and no other', async () => {
    await scoped('only-dev', { virtualClusters: [{ project: 'default', virtualCluster: 'dev' }] })
    expect((await as('only-dev', pods)).status).toBe(200)
    expect((await as('only-dev', `${inside('test')}/api/v1/pods`)).status).toBe(403)
    expect((await as('only-dev', `${inside('dev', 'other')}/api/v1/pods`)).status).toBe(403)
  })

  it('reaches everything in a project that it names', async () => {
    await scoped('only-project', { projects: [{ project: 'default' }] })
    for (const name of ['dev', 'test']) expect((await as('only-project', `${inside(name)}/version`)).status).toBe(200)
    expect((await as('only-project', `${inside('dev', 'other')}/version`)).status).toBe(403)
  })

  it('cannot impersonate a service account that its rules exclude', async () => {
    const rules = [{ verbs: ['get', 'list'], requestTargets: ['ProjectVirtualCluster'] }]
    await scoped('only-reads', { rules })
    expect((await as('only-reads', pods)).status).toBe(200)
    const headers = { 'impersonate-user': 'system:serviceaccount:default:robot' }
    expect(await arrives('only-reads', pods, headers)).toEqual({ status: 403, arrived: [] })
  })

  it('for tenants only reaches none', async () => {
    await scoped('tenant-only', { roles: [{ role: 'tenant', projects: ['*'] }] })
    expect((await as('tenant-only', pods)).status).toBe(403)
  })

  it('with rules has exactly their rights there', async () => {
    const rules = [
      {
        verbs: ['get', 'list'],
        resources: [{ group: '', resources: ['pods'] }],
        requestTargets: ['ProjectVirtualCluster'],
      },
    ]
    await scoped('ruled', { rules })
    expect((await as('ruled', pods)).status).toBe(200)
    expect((await as('ruled', `${inside('dev')}/api/v1/namespaces/default/secrets`)).status).toBe(403)
    expect((await platform.ask('DELETE', `${pods}/x`, { token: keys.get('ruled') ?? '' })).status).toBe(403)
  })
})

describe('attempts to act as another user', () => {
  it.each([
    ['impersonate-user', 'admin'],
    ['impersonate-group', 'system:masters'],
    ['impersonate-uid', '1'],
    ['impersonate-extra-scopes', 'all'],
  ])('%s is decided by the platform and not forwarded', async (name, value) => {
    const headers = name === 'impersonate-user' ? { [name]: value } : { 'impersonate-user': 'reader', [name]: value }
    const { status, arrived } = await arrives('reader', pods, headers)
    expect(status).toBe(403)
    expect(arrived).toEqual([])
  })

  it.each([
    ['x-remote-user', 'admin'],
    ['x-remote-group', 'system:masters'],
    ['cookie', 'tenant-session=stolen'],
    ['proxy-authorization', 'Basic x'],
    ['tenant-relayed-impersonate-user', 'admin'],
    ['tenant-upgrade', 'websocket'],
    ['x-forwarded-for', '10.0.0.1'],
  ])('%s is not forwarded', async (name, value) => {
    const { status, arrived } = await arrives('reader', pods, { [name]: value })
    expect(status).toBe(200)
    expect(arrived.flatMap((each) => valuesOf(each, name))).toEqual([])
  })

  it('the Connection header cannot remove the headers of the platform', async () => {
    const client = await tlsClient(platform.server.port)
    client.send(
      `GET ${pods} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.get('reader')}\r\nConnection: close, impersonate-user, authorization\r\n\r\n`,
    )
    await client.until('HTTP/1.1 200')
    client.destroy()
    expect(valuesOf(last(), 'impersonate-user')).toEqual(['reader'])
  })

  it.each([
    `${inside('dev')}/../test/api/v1/pods`,
    `${inside('dev')}/%2e%2e/test/api`,
    `${inside('dev')}/api/v1/namespaces/default%2fpods`,
    `${inside('dev')}/api/v1/..%2f..%2fapis`,
    '/kubernetes/project/default/virtualcluster/%2e%2e/api',
    '/kubernetes/relay/default/dev/api/v1/pods',
    '//kubernetes/project/other/virtualcluster/dev/api',
    '/kubernetes//project/other/virtualcluster/dev/api',
    '/kubernetes/management/../project/other/virtualcluster/dev/api',
  ])('%s reaches no API', async (path) => {
    const before = echo.received.length
    const client = await tlsClient(platform.server.port)
    client.send(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.get('boss')}\r\nConnection: close\r\n\r\n`,
    )
    await client.closed
    expect(client.received).toMatch(/^HTTP\/1\.1 40[034] /)
    expect(echo.received).toHaveLength(before)
  })
})

describe('a response', () => {
  it('cannot set cookies or be a page of the platform', async () => {
    const client = await tlsClient(platform.server.port)
    client.send(
      `GET ${pods} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.get('boss')}\r\nConnection: close\r\n\r\n`,
    )
    await client.closed
    const head = client.received.split('\r\n\r\n')[0]?.toLowerCase() ?? ''
    expect(head).not.toContain('set-cookie')
    expect(head).toMatch(/content-security-policy: [^\r]*sandbox/)
  })

  it('does not ask for other credentials when the platform itself is refused', async () => {
    expect(await as('boss', `${inside('dev')}/refused`)).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('does not accept the credentials it is reached with') },
    })
  })

  it('is aborted upstream when the client disconnects, however much is left', async () => {
    const client = await tlsClient(platform.server.port)
    client.send(`GET ${inside('dev')}/endless HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.get('boss')}\r\n\r\n`)
    await client.until('xxxx')
    expect(echo.openConnections()).toBe(1)
    client.destroy()
    await expect.poll(() => echo.openConnections(), { timeout: 240_000 }).toBe(0)
  })

  it('reports that a virtual cluster is unknown, or has never been linked', async () => {
    expect((await as('boss', `${inside('absent')}/version`)).status).toBe(404)
    const body = { metadata: { name: 'planned' }, spec: {} }
    await platform.must('POST', `${management}/namespaces/p-default/virtualclusterinstances`, body)
    expect(await as('boss', `${inside('planned')}/version`)).toMatchObject({
      status: 503,
      body: { reason: 'ServiceUnavailable', message: expect.stringContaining('it has not linked itself yet') },
    })
  })
})
