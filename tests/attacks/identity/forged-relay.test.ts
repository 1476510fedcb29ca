import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inside } from '../../link/support.ts'
import { keysPath, type TestPlatform } from '../../platform/platform.ts'
import type { EchoApi } from '../../proxy/echo-api.ts'
import { eventually } from '../../support/eventually.ts'
import { missingEtcd } from '../../support/stores/etcd.ts'
import { protocols, rawAsk } from '../support/raw-ask.ts'
import { type RelayedTenant, startRelayedTenant } from '../support/relayed-tenant.ts'

const withoutEtcd = missingEtcd()
const secretPath = '/api/v1/namespaces/kube-system/secrets/platform-replicas'
const relayed = '/kubernetes/relay/default/dev'

describe.skipIf(withoutEtcd)('two replicas of a platform, and callers that claim to be one', () => {
  let tenant: RelayedTenant
  let echo: EchoApi
  let direct: TestPlatform
  let relaying: TestPlatform
  let ann = ''

  beforeAll(async () => {
    tenant = await startRelayedTenant()
    ;({ direct, relaying, echo, ann } = tenant)
  })

  afterAll(() => tenant?.stop())

  const replicaToken = async () => {
    const { data } = await direct.must('GET', secretPath)
    return Buffer.from(data.token, 'base64').toString()
  }
  const forged = [
    ['tenant-relayed-impersonate-user', 'system:admin'],
    ['tenant-relayed-impersonate-group', 'system:masters'],
  ] as const

  test.each(protocols.flatMap((protocol) => ['stranger', 'member', 'administrator'].map((who) => ({ protocol, who }))))(
    'a $who cannot call a tenant like a replica, over $protocol',
    async ({ protocol, who }) => {
      const token = { stranger: 'tpr_guessed', member: ann, administrator: 'admin-token' }[who] ?? ''
      const before = echo.received.length
      for (const { server } of [direct, relaying]) {
        const asked = { url: `${relayed}/api/v1/secrets`, token, headers: forged }
        expect((await rawAsk(protocol, server.port, asked)).status).toBeGreaterThanOrEqual(400)
      }
      expect(echo.received.slice(before)).toEqual([])
    },
  )

  test.each([
    ['read a Secret', 'GET', secretPath],
    ['make a key', 'POST', keysPath],
    ['ask by the proxy', 'GET', `${inside('dev')}/api/v1/secrets`],
    ['ask what it may', 'POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
    ['leave the relay by its path', 'GET', '/kubernetes/relay/../../api/v1/secrets'],
    ['leave it by an escaped path', 'GET', '/kubernetes/relay/%2e%2e/%2e%2e/api/v1/secrets'],
    ['reach a tenant that is not linked', 'GET', '/kubernetes/relay/default/absent/version'],
    ['name no tenant', 'GET', '/kubernetes/relay/'],
    ['name a tenant with a query', 'GET', '/kubernetes/relay/default/dev?x=/../y'],
  ])('the token of replicas does not let a caller %s', async (_, method, path) => {
    const token = await replicaToken()
    const asked = { method, url: path, token, body: method === 'POST' ? '{}' : '' }
    const { status, text } = await rawAsk('HTTP/1.1', direct.server.port, asked)
    expect(status, text).toBeGreaterThanOrEqual(400)
  })

  test('the token of replicas does not let a caller act as another user of the platform', async () => {
    const headers = [
      ['impersonate-user', 'admin'],
      ['impersonate-group', 'system:masters'],
    ] as const
    const asked = { url: '/api/v1/secrets', token: await replicaToken(), headers }
    expect((await rawAsk('HTTP/1.1', direct.server.port, asked)).status).toBe(403)
  })

  test('a member cannot take the place of a replica by its Lease', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'
    const metadata = { name: 'platform-replica-evil', annotations: { 'platform.internal/replica-url': 'https://evil' } }
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: {} }
    expect((await direct.ask('POST', leases, { token: ann, body })).status).toBe(403)
    expect((await direct.ask('GET', leases, { token: ann })).status).toBe(403)
  })

  test('connections of a key through another replica are cut when it is revoked at either', async () => {
    for (const [at, revokedAt] of [
      [relaying, direct],
      [direct, relaying],
    ] as const) {
      const name = `short-${at === direct ? 'a' : 'b'}`
      const made = await direct.must('POST', keysPath, { metadata: { name }, spec: { user: 'ann' } })
      const token: string = made.spec.key
      await eventually(async () => expect((await at.ask('GET', keysPath, { token })).status).toBe(200))
      const open = await at.watch(`${inside('dev')}/endless`, token)
      expect(open.status).toBe(200)
      await revokedAt.must('DELETE', `${keysPath}/${name}`)
      await open.ended
      await eventually(async () => expect((await at.ask('GET', keysPath, { token })).status).toBe(401))
    }
    await eventually(async () => expect(echo.openConnections()).toBe(0))
  })
})
