import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inside } from '../../link/support.ts'
import { management, type TestPlatform } from '../../platform/platform.ts'
import { type EchoApi, type Received, valuesOf } from '../../proxy/echo-api.ts'
import { http2Client } from '../../server/raw-client.ts'
import { missingEtcd } from '../../support/stores/etcd.ts'
import { type RelayedTenant, startRelayedTenant } from '../support/relayed-tenant.ts'

const withoutEtcd = missingEtcd()
const path = `${inside('dev')}/api/v1/namespaces/default/configmaps`

describe.skipIf(withoutEtcd)('the identity of a caller in a virtual cluster does not depend on the replica', () => {
  let tenant: RelayedTenant
  let echo: EchoApi
  let direct: TestPlatform
  let relaying: TestPlatform
  let ann = ''

  beforeAll(async () => {
    tenant = await startRelayedTenant(async (platform) => {
      for (const team of ['blue', 'red']) {
        await platform.must('POST', `${management}/teams`, { ...teamNamed(team), spec: { users: ['ann'] } })
      }
      await letAllUsersUse(platform)
    })
    ;({ direct, relaying, echo, ann } = tenant)
  })

  afterAll(() => tenant?.stop())

  /** The requests that the virtual cluster received, without the parts that differ for each request. */
  const receivedBy = async (platform: TestPlatform, ask: (platform: TestPlatform) => Promise<unknown>) => {
    const before = echo.received.length
    await ask(platform)
    const received = echo.received.slice(before).filter(({ url }) => !url.includes('clusterrolebindings'))
    expect(received).toHaveLength(1)
    return received.map(comparable)[0]
  }
  const bothSee = async (ask: (platform: TestPlatform) => Promise<unknown>) => {
    const [one, other] = [await receivedBy(direct, ask), await receivedBy(relaying, ask)]
    expect(other).toEqual(one)
    return one ?? { method: '', url: '', headers: [] }
  }
  const overHttp2 = (headers: Record<string, string | string[]>) => (platform: TestPlatform) =>
    askHttp2(platform, { authorization: `Bearer ${ann}`, ...headers })

  test('all groups of a member of two teams are passed on', async () => {
    const seen = await bothSee((platform) => platform.ask('GET', path, { token: ann }))
    expect(valuesOf(seen, 'impersonate-group')).toEqual(
      expect.arrayContaining([
        'platform:cluster-role:cluster-admin',
        'platform:user:ann',
        'platform:team:blue',
        'platform:team:red',
        'system:authenticated',
      ]),
    )
  })

  test('a user whom an administrator impersonates has the same groups', async () => {
    const headers = { 'Impersonate-User': 'bob', 'Impersonate-Group': 'platform:team:green' }
    const seen = await bothSee((platform) => platform.ask('GET', path, { headers }))
    expect(valuesOf(seen, 'impersonate-user')).toEqual(['bob'])
    expect(valuesOf(seen, 'impersonate-group')).toContain('platform:team:green')
  })

  test('several impersonated groups are all passed on', async () => {
    const groups = ['platform:team:a', 'platform:team:b', 'platform:team:c,d', 'platform:team:ü']
    const seen = await bothSee((platform) =>
      askHttp2(platform, {
        authorization: 'Bearer admin-token',
        'impersonate-user': 'bob',
        'impersonate-group': groups.map((group) => Buffer.from(group).toString('latin1')),
      }),
    )
    const inBytes = valuesOf(seen, 'impersonate-group').map((group) => Buffer.from(group, 'latin1').toString())
    expect(inBytes).toEqual(expect.arrayContaining(groups))
  })

  test.each([
    ['a space', 'an na'],
    ['letters beyond ASCII', 'änn'],
    ['a name that Kubernetes keeps for itself', 'system:kube-controller-manager'],
    ['signs of headers', 'ann: "x", y; z'],
  ])('a user whose name has %s is the same', async (_, name) => {
    const headers = { authorization: 'Bearer admin-token', 'impersonate-user': Buffer.from(name).toString('latin1') }
    const seen = await bothSee((platform) => askHttp2(platform, headers))
    const [user = ''] = valuesOf(seen, 'impersonate-user')
    expect(Buffer.from(user, 'latin1').toString()).toBe(name.startsWith('system:') ? `platform:${name}` : name)
  })

  test('headers that claim another identity are not passed on by either', async () => {
    const seen = await bothSee(
      overHttp2({
        'tenant-relayed-impersonate-user': 'root',
        'tenant-relayed-impersonate-group': ['system:masters', 'system:masters'],
        'x-remote-user': 'root',
        'x-remote-group': 'system:masters',
      }),
    )
    expect(valuesOf(seen, 'impersonate-user')).toEqual(['ann'])
    expect(JSON.stringify(seen)).not.toMatch(/root|masters/)
  })

  test('the uid and extra fields of an impersonated user stay with the platform on both paths', async () => {
    const seen = await bothSee((platform) =>
      askHttp2(platform, {
        authorization: 'Bearer admin-token',
        'impersonate-user': 'bob',
        'impersonate-uid': '1-2-3',
        'impersonate-extra-scopes': ['one', 'two'],
        'impersonate-extra-acme.com%2fproject': 'x',
      }),
    )
    expect(seen.headers.filter((_, index) => index % 2 === 0).filter((name) => /extra|uid/i.test(name))).toEqual([])
  })

  test('every header of a request is the same, including repeated ones', async () => {
    const seen = await bothSee(
      overHttp2({
        accept: ['application/json', 'application/yaml;q=0.5'],
        'accept-encoding': 'gzip',
        'if-none-match': '"a", "b"',
        'kubectl-command': 'kubectl get',
        'user-agent': 'kubectl/v1.32 (linux/amd64)',
        'x-stream-protocol-version': ['v4.channel.k8s.io', 'v3.channel.k8s.io'],
      }),
    )
    expect(valuesOf(seen, 'accept')).toEqual(['application/json', 'application/yaml;q=0.5'])
    expect(valuesOf(seen, 'x-stream-protocol-version')).toEqual(['v4.channel.k8s.io', 'v3.channel.k8s.io'])
  })

  test('a request with a body is the same', async () => {
    const seen = await bothSee((platform) =>
      platform.ask('POST', path, { token: ann, body: { apiVersion: 'v1', kind: 'ConfigMap' } }),
    )
    expect(valuesOf(seen, 'content-type')).toEqual(['application/json'])
  })
})

/** Lets every user, and so every impersonated one, use virtual clusters. */
async function letAllUsersUse(platform: TestPlatform): Promise<void> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const apiGroup = 'rbac.authorization.k8s.io'
  const rules = [{ apiGroups: ['*'], resources: ['virtualclusterinstances'], verbs: ['use'] }]
  await platform.must('POST', `${rbac}/clusterroles`, { metadata: { name: 'use' }, rules })
  await platform.must('POST', `${rbac}/clusterrolebindings`, {
    metadata: { name: 'use' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'use' },
    subjects: [{ apiGroup, kind: 'Group', name: 'system:authenticated' }],
  })
}

function teamNamed(name: string) {
  return { apiVersion: 'management.platform.internal/v1', kind: 'Team', metadata: { name } }
}

function comparable({ method, url, headers }: Received): Received {
  const pairs = headers.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1] ?? ''] as const] : [],
  )
  const kept = pairs.filter(([name]) => name !== 'audit-id' && name !== 'connection')
  return { method, url, headers: kept.toSorted(([a], [b]) => a.localeCompare(b)).flat() }
}

function askHttp2({ server }: TestPlatform, headers: Record<string, string | string[]>): Promise<number> {
  const session = http2Client(server.port)
  return new Promise<number>((resolve, reject) => {
    const stream = session.request({ ':path': path, ...headers })
    stream.on('error', reject).on('response', (answer) => resolve(Number(answer[':status'])))
    stream.resume()
  }).finally(() => session.close())
}
