import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embedded, link, type TestLink, tenantKey } from '../../link/support.ts'
import { group, keysPath, management, type TestPlatform, userNamed } from '../../platform/platform.ts'
import { tlsClient } from '../../server/raw-client.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { type Replicas, startReplicas } from '../../support/clusters/replicas.ts'
import { eventually } from '../../support/eventually.ts'
import { type FaultyTcp, startFaultyTcp, type Weather } from '../../support/network/faulty-tcp.ts'
import { testClock } from '../../support/registry.ts'
import { missingEtcd } from '../../support/stores/etcd.ts'
import { type LaggingStore, laggingStore } from '../../support/stores/lagging-store.ts'
import { protocols, rawAsk } from '../support/raw-ask.ts'

const withoutEtcd = missingEtcd()
const patienceMs = 240_000
const stale = '?resourceVersion=0'
const configMaps = '/kubernetes/cluster/host/api/v1/namespaces/default/configmaps'
const platform = { domain: 'platform.internal', settings: { confirmWithinSeconds: 2 } }

describe.skipIf(withoutEtcd)('a replica that is cut off from the store', () => {
  let replicas: Replicas
  let network: FaultyTcp
  let host: TestServer
  /** Stays connected to the store. */
  let good: TestPlatform
  let cut: TestPlatform
  let lagging: LaggingStore | undefined
  let made = 0

  beforeAll(async () => {
    ;[replicas, host] = await Promise.all([startReplicas(), startTestServer()])
    network = await startFaultyTcp(Number(new URL(replicas.etcd.endpoint).port))
    good = await replicas.start({ platform })
    const through = (store: Parameters<typeof laggingStore>[0]) => {
      lagging = laggingStore(store)
      return lagging.store
    }
    cut = await replicas.start({ platform, endpoint: `http://127.0.0.1:${network.port}`, through })
    await good.must('POST', `${management}/users`, userNamed('ann'))
    await registerHost(good, host)
  })

  afterAll(async () => {
    await network?.set({ kind: 'fine' })
    await replicas?.remove()
    await Promise.all([network?.remove(), host?.stop()])
  })

  const adminKey = async () => {
    made += 1
    const name = `full-${made}`
    const { spec } = await good.must('POST', keysPath, { metadata: { name }, spec: { user: 'admin' } })
    const token: string = spec.key
    await eventually(async () => expect((await cut.ask('GET', keysPath, { token })).status).toBe(200), patienceMs)
    return { name, token }
  }
  const statusAt = async (replica: TestPlatform, path: string, token: string, method = 'GET') =>
    (await replica.ask(method, path, { token })).status
  /** A connected replica refuses keys for a moment if its machine has paused: the first other answer counts. */
  const confirmed = async (ask: () => Promise<{ readonly status: number; readonly text: string }>) => {
    let answer = { status: 503, text: '' }
    await eventually(async () => {
      answer = await ask()
      expect(answer.status, answer.text).not.toBe(503)
    }, patienceMs)
    return answer
  }
  const confirmedStatus = async (path: string, token: string) =>
    (await confirmed(() => cut.ask('GET', path, { token }))).status
  const created = async (token: string, name: string) => {
    const { status, text } = await confirmed(() => cut.ask('POST', configMaps, { token, body: configMap(name) }))
    expect(status, text).toBe(201)
  }
  const refused = (token: string) =>
    eventually(async () => {
      const answer = await cut.ask('GET', keysPath + stale, { token })
      expect(answer).toMatchObject({ status: 503, body: { details: { causes: [{ reason: 'KeysUnconfirmed' }] } } })
    }, patienceMs)

  const ways: readonly (readonly [string, () => Promise<void>, () => Promise<void>])[] = [
    ['by a network that is cut', () => network.set({ kind: 'cut' }), fine],
    ['by a network that swallows everything', () => network.set({ kind: 'stalled' }), fine],
    ['by half-open connections', () => network.set(halfOpen), fine],
    ['by a store that has stopped', async () => replicas.etcd.freeze(), async () => replicas.etcd.thaw()],
    ['by a change stream that is behind', async () => lagging?.lag(), async () => lagging?.catchUp()],
  ]
  function fine(): Promise<void> {
    return network.set({ kind: 'fine' })
  }

  describe.each(ways)('%s', (way, separate, rejoin) => {
    const isStopped = way.includes('stopped')
    /** Nothing can be revoked while the store is stopped. */
    const revoke = async (name: string) => {
      if (!isStopped) await good.must('DELETE', `${keysPath}/${name}`)
    }

    test('accepts no key revoked since then, and gives the reason', async () => {
      const [revoked, kept] = [await adminKey(), await adminKey()]
      await created(kept.token, `victim-${made}`)
      const watch = await cut.watch(`${keysPath}?watch=true`, revoked.token)
      const proxied = await cut.watch(`${configMaps}?watch=true`, revoked.token)
      await separate()
      try {
        await revoke(revoked.name)
        await refused(revoked.token)
        await Promise.all([watch.ended, proxied.ended])
        for (const protocol of protocols) {
          const asked = { method: 'DELETE', url: `${configMaps}/victim-${made}`, token: revoked.token }
          expect((await rawAsk(protocol, cut.server.port, asked)).status).toBe(503)
        }
        expect(await statusAt(cut, `${keysPath}?watch=true${stale.replace('?', '&')}`, revoked.token)).toBe(503)
        expect(await statusAt(cut, '/livez', '')).toBe(200)
        const ready = await cut.ask('GET', '/readyz')
        expect(ready.status).toBe(500)
        expect(ready.text).toContain('[-]keys-confirmed failed: access keys are refused')
        expect((await cut.ask('GET', '/metrics')).text).toContain('platform_access_keys_confirmed 0')
      } finally {
        await rejoin()
      }
      await eventually(async () => expect(await statusAt(cut, keysPath, kept.token)).toBe(200), patienceMs)
      if (!isStopped) expect(await confirmedStatus(keysPath + stale, revoked.token)).toBe(401)
      expect(await confirmedStatus(`${configMaps}/victim-${made}`, kept.token)).toBe(200)
      await eventually(async () =>
        expect((await cut.ask('GET', '/metrics')).text).toContain('platform_access_keys_confirmed 1'),
      )
    })
  })

  test('links of tenants are cut, and return on their own', async () => {
    const accessKey = await tenantKey(good, 'tenants')
    const { url, authority } = cut.server
    const virtual: TestLink = link({ name: 'dev', accessKey, url, authority, virtualApi: embedded(host) })
    await virtual.linked()
    await network.set({ kind: 'cut' })
    try {
      await virtual.waiting('PlatformUnavailable')
    } finally {
      await fine()
    }
    await virtual.linked()
    await virtual.stop()
  })

  test('a key created since then is not reported as unknown', async () => {
    const { token } = await adminKey()
    await network.set({ kind: 'stalled' })
    try {
      await refused(token)
      const { spec } = await good.must('POST', keysPath, { metadata: { name: 'meanwhile' }, spec: { user: 'admin' } })
      expect(await statusAt(cut, keysPath + stale, spec.key)).toBe(503)
    } finally {
      await fine()
    }
    await eventually(async () => expect(await statusAt(cut, keysPath, token)).toBe(200), patienceMs)
  })

  test('a deletion with a slow body is not executed after the partition begins', async () => {
    const { name, token } = await adminKey()
    await created(token, 'slow')
    const slow = await tlsClient(cut.server.port)
    slow.send(
      `DELETE ${configMaps}/slow HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
    )
    await network.set({ kind: 'stalled' })
    try {
      await good.must('DELETE', `${keysPath}/${name}`)
      await refused(token)
      slow.send('}')
      await slow.until('HTTP/1.1 503')
    } finally {
      await fine()
      slow.destroy()
    }
    expect((await good.ask('GET', `${configMaps}/slow`)).status).toBe(200)
  })

  test('callers without an access key are served as before', async () => {
    const { token } = await adminKey()
    await network.set({ kind: 'cut' })
    try {
      await refused(token)
      expect(await statusAt(cut, keysPath + stale, 'admin-token')).toBe(200)
      expect(await statusAt(cut, keysPath + stale, 'nonsense')).toBe(401)
    } finally {
      await fine()
    }
    await eventually(async () => expect(await statusAt(cut, keysPath, token)).toBe(200), patienceMs)
  })
})

describe.skipIf(withoutEtcd)('a replica whose clock is set', () => {
  // Far less than the clock is set by, and more than a machine pauses.
  const patient = { domain: 'platform.internal', settings: { confirmWithinSeconds: 600 } }
  test.each([
    ['an hour forward', 3_600_000],
    ['an hour back', -3_600_000],
  ])('%s continues to accept keys', async (_, ms) => {
    const replicas = await startReplicas()
    try {
      const clock = testClock()
      const replica = await replicas.start({ platform: patient, clock })
      const { spec } = await replica.must('POST', keysPath, { metadata: { name: 'a' }, spec: { user: 'admin' } })
      const token: string = spec.key
      const watch = await replica.watch(`${keysPath}?watch=true`, token)
      clock.advance(ms)
      for (let asked = 0; asked < 20; asked += 1) {
        expect((await replica.ask('GET', keysPath + stale, { token })).status).toBe(200)
      }
      await replica.must('POST', keysPath, { metadata: { name: 'b' }, spec: { user: 'admin' } })
      await expect.poll(watch.text).toContain('"b"')
      watch.stop()
    } finally {
      await replicas.remove()
    }
  })
})

const halfOpen: Weather = { kind: 'half-open' }

function configMap(name: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }
}

async function registerHost(to: TestPlatform, host: TestServer): Promise<void> {
  await to.must('POST', '/api/v1/namespaces/default/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'host' },
    data: { config: Buffer.from(host.kubeconfig('admin')).toString('base64') },
  })
  await to.must('POST', `${management}/clusters`, {
    apiVersion: `${group}/v1`,
    kind: 'Cluster',
    metadata: { name: 'host' },
    spec: { config: { secretName: 'host', secretNamespace: 'default' } },
  })
}
