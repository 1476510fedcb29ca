import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identitySecretName } from '../../../src/api/link.ts'
import { effectiveConfig } from '../../../src/api/tenant-config/defaults.ts'
import { monotonicClock, systemClock } from '../../../src/base/clock.ts'
import { createLog } from '../../../src/base/log.ts'
import { systemRandom } from '../../../src/base/random.ts'
import { secretType } from '../../../src/client/builtin-types.ts'
import type { KubeClient } from '../../../src/client/contract.ts'
import { createKubeClient } from '../../../src/client/kube-client.ts'
import { loadClusterAccess } from '../../../src/client/kubeconfig/load.ts'
import { PlatformConnection } from '../../../src/tenant/platform-connection.ts'
import { stopsWithTest } from '../../link/stops-with-test.ts'
import { embedded, inside, instances, startLinkPlatform, tenantKey } from '../../link/support.ts'
import { group, type TestPlatform } from '../../platform/platform.ts'
import { watchedLog } from '../../support/canary/watched-log.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { eventually } from '../../support/eventually.ts'

const patienceMs = 240_000

describe('a tenant keeps its proof in a Secret of its host', () => {
  let platform: TestPlatform
  let host: TestServer
  let virtual: TestServer
  let client: KubeClient
  let limited: KubeClient
  let shared = ''

  beforeAll(async () => {
    ;[platform, host, virtual] = await Promise.all([startLinkPlatform(), startTestServer(), startTestServer()])
    shared = await tenantKey(platform, 'shared')
    client = await clientOf('admin')
    limited = await clientOf('alice')
    for (const name of ['team-a', 'team-b']) {
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    }
  })

  /** Grants everything that a tenant needs to find itself, and no rights on Secrets. */
  async function letFindItself(user: string): Promise<void> {
    const apiVersion = 'rbac.authorization.k8s.io/v1'
    const rules = [{ apiGroups: [''], resources: ['namespaces', 'services'], verbs: ['get'] }]
    const metadata = { name: 'finds-itself' }
    await client.create(rbac('clusterroles', 'ClusterRole'), { apiVersion, kind: 'ClusterRole', metadata, rules })
    await client.create(rbac('clusterrolebindings', 'ClusterRoleBinding'), {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    })
  }

  afterAll(async () => {
    await Promise.all([client?.close(), limited?.close()])
    await Promise.all([platform?.stop(), host?.stop(), virtual?.stop()])
  })

  async function clientOf(user: 'admin' | 'alice'): Promise<KubeClient> {
    const file = join(host.directory, `${user}.kubeconfig`)
    await writeFile(file, host.kubeconfig(user))
    const access = await loadClusterAccess({ file, clock: systemClock, env: {} })
    const options = { clock: systemClock, random: systemRandom, log: watchedLog(), userAgent: 'test', env: {} }
    return createKubeClient({ access, ...options })
  }

  /** A process of a virtual cluster, reduced to its link. */
  function start(name: string, { process = `${name}-0`, namespace = 'team-a', as = client } = {}) {
    const troubles: { readonly reason: string; readonly message: string }[] = []
    const lines: string[] = []
    const license = {
      host: platform.server.url,
      accessKey: shared,
      certificateAuthorityData: platform.server.authority,
    }
    const connection = new PlatformConnection({
      identity: { tenant: name, hostNamespace: namespace },
      external: effectiveConfig({ external: { platform: {} } }).external,
      host: as,
      virtualApi: embedded(virtual),
      version: { tenant: '0.1.0', kubernetes: 'v1.32.0' },
      processName: process,
      env: { LICENSE: JSON.stringify(license) },
      elapsed: monotonicClock,
      random: systemRandom,
      log: createLog({ write: (line) => lines.push(line) }),
      mayLink: Promise.resolve(),
    })
    connection.listen({ onLicense: () => {}, onKey: () => {}, onTrouble: (trouble) => troubles.push(trouble) })
    const state = () => connection.report().link
    return stopsWithTest({
      troubles,
      log: () => lines.join(''),
      stop: () => connection.stop(),
      linked: () => eventually(() => expect(state()).toMatchObject({ state: 'linked' }), patienceMs),
      has: (reason: string) =>
        eventually(() => expect(troubles).toContainEqual(expect.objectContaining({ reason })), patienceMs),
      name: () => Object(state()).name,
    })
  }

  const placeOf = (name: string, namespace = 'team-a') => ({ namespace, name: identitySecretName(name) })
  const kept = async (name: string, namespace?: string) => {
    const { data } = await client.get(secretType, placeOf(name, namespace))
    return Buffer.from(Object(data).proof, 'base64').toString()
  }
  const isServed = (name: string) =>
    eventually(async () => expect((await platform.ask('GET', `${inside(name)}/version`)).status).toBe(200), patienceMs)

  test('which exists before it is linked, and holds only the proof and its name', async () => {
    await start('first').linked()
    const { data, metadata } = await client.get(secretType, placeOf('first'))
    expect(Object.keys(Object(data)).sort()).toEqual(['name', 'project', 'proof'])
    expect(metadata.labels).toEqual({ 'app.kubernetes.io/instance': 'first' })
    expect(await kept('first')).toMatch(/^tpi_/)
  })

  test('and is the same one after a restart', async () => {
    const before = start('restarted')
    await before.linked()
    const proof = await kept('restarted')
    await before.stop()
    const after = start('restarted')
    await after.linked()
    expect(after.name()).toBe('restarted')
    expect(await kept('restarted')).toBe(proof)
  })

  test('and two processes that register at the same time share it, and both are linked', async () => {
    const both = [start('pair', { process: 'pair-0' }), start('pair', { process: 'pair-1' })]
    for (const each of both) await each.linked()
    expect(both.map((each) => each.name())).toEqual(['pair', 'pair'])
    await isServed('pair')
    for (const each of both) await each.linked()
    await both[1]?.stop()
    await isServed('pair')
  })

  test('and keeps its identity if the Secret is deleted while it runs', async () => {
    const tenant = start('healed')
    await tenant.linked()
    const proof = await kept('healed')
    await client.delete(secretType, placeOf('healed'))
    await platform.ask('PATCH', '/apis/management.platform.internal/v1/ownedaccesskeys/shared', {
      body: { spec: { disabled: true } },
      type: 'application/merge-patch+json',
    })
    await tenant.has('KeyRevoked')
    await platform.ask('PATCH', '/apis/management.platform.internal/v1/ownedaccesskeys/shared', {
      body: { spec: { disabled: false } },
      type: 'application/merge-patch+json',
    })
    await tenant.linked()
    expect(await kept('healed')).toBe(proof)
  })

  test('and is refused without it, says what to do, and returns when an administrator allows it', async () => {
    const before = start('lost')
    await before.linked()
    await before.stop()
    await client.delete(secretType, placeOf('lost'))
    const after = start('lost')
    await after.has('ProofRefused')
    expect(after.log()).toContain('tenant platform reissue lost --project default')
    await platform.must('POST', `${instances()}/lost/reissue`, {
      apiVersion: `${group}/v1`,
      kind: 'VirtualClusterReissue',
      spec: {},
    })
    await after.linked()
    expect(after.name()).toBe('lost')
  })

  test('and a forged Secret in its place grants nothing', async () => {
    const victim = start('victim')
    await victim.linked()
    const entries = { proof: 'tpi_guessed', project: 'default', name: 'victim' }
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: placeOf('victim', 'team-b'), stringData: entries }
    await client.create(secretType, secret)
    const thief = start('victim', { namespace: 'team-b', process: 'thief-0' })
    await thief.linked()
    expect(thief.name()).toMatch(/^victim-[0-9a-z]{5}$/)
    expect(await kept('victim', 'team-b')).not.toBe(await kept('victim'))
    await victim.linked()
  })

  test('and does not link without the right to write it, and names the missing right', async () => {
    await letFindItself('alice')
    const tenant = start('limited', { as: limited })
    await tenant.has('ProofNotKept')
    expect(tenant.troubles.at(-1)?.message).toContain('Secret tenant-limited-identity of namespace team-a')
    expect((await platform.ask('GET', `${instances()}/limited`)).status).toBe(404)
  })

  test('and its log contains none of it', async () => {
    const tenant = start('silent')
    await tenant.linked()
    expect(tenant.log()).not.toContain('tpi_')
  })
})

const namespaces = {
  group: '',
  version: 'v1',
  resource: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
  hasStatus: true,
}

const rbac = (resource: string, kind: string) => ({
  ...namespaces,
  group: 'rbac.authorization.k8s.io',
  resource,
  kind,
  hasStatus: false,
})
