import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../support/network/free-port.ts'
import { ClusterClient } from '../../sync/support/cluster-client.ts'
import type { Cluster } from '../../sync/support/clusters.ts'
import { pods, secrets } from '../../sync/support/objects.ts'
import { soon } from '../../sync/support/soon.ts'
import { createSyncer, type Syncer } from '../../sync/support/syncer.ts'
import { accessIn } from '../../sync/support/tenant-on-host.ts'
import { type Account, marks } from './checker/account.ts'
import { check } from './checker/check.ts'
import { tokensIn } from './checker/tokens.ts'
import { startPodHost } from './drive/host.ts'
import { Recorder } from './drive/recorder.ts'

const place = { tenant: 'expiring', hostNamespace: 'expiring-host' }
const count = 12
/** The shortest life that Kubernetes allows. */
const lifeMs = 600_000

describe('a tenant that is killed while the tokens of its Pods are about to expire', () => {
  let host: Cluster
  let tenant: Syncer
  let virtual: ClusterClient
  let recorder: Recorder
  let offsetMs = 0
  const now = () => Date.now() + offsetMs

  beforeAll(async () => {
    host = await startPodHost()
    await host.client.ensureNamespace(place.hostNamespace)
    const config = JSON.stringify({ networking: { apiAddress: '10.9.9.9:443', dnsAddress: '10.9.9.9' } })
    tenant = createSyncer({ ...place, host: host.server, config, flags: ['--port', String(await freePort())] })
    await tenant.start()
    const access = accessIn(tenant.kubeconfig)
    virtual = new ClusterClient(access)
    recorder = new Recorder({ virtual: access, host: host.server }, now)
    recorder.start([{ side: 'host', kind: secrets, namespace: place.hostNamespace }])
    for (let index = 0; index < count; index += 1) await createPod(`web-${index}`)
    await soon(async () => expect(issued()).toHaveLength(count))
  })

  afterAll(async () => {
    await recorder?.stop()
    await virtual?.close()
    await tenant?.remove()
    await host?.remove()
  })

  it('and restarted just before four fifths of their life refreshes them in time', async () => {
    await tenant.kill()
    passUntil(0.798)
    await tenant.start()
    await allRefreshed()
  })

  it('and killed again during the refresh continues where it was', async () => {
    await tenant.kill()
    passUntil(0.81)
    const before = now()
    tenant.launch()
    await soon(async () => expect(issued().some((atMs) => atMs >= before - 1_000)).toBe(true))
    await tenant.kill()
    await tenant.start()
    await allRefreshed()
  })

  it('and restarted shortly before they expire refreshes them first', async () => {
    await tenant.kill()
    passUntil(0.9)
    await tenant.start()
    await allRefreshed()
  })

  it('never leaves an expired token in a Pod', () => {
    const { sights, gaps } = recorder
    const account: Account = { sights, foreign: new Map(), taken: new Map(), endMs: now(), hasGaps: gaps > 0 }
    expect(check(account)).toEqual([])
    expect(sights.length).toBeGreaterThanOrEqual(4 * count)
  })

  /**
   * Sets the clock until this share of the life of the oldest token is over. Called while the tenant is away: timers do
   * not notice that a clock is set.
   */
  function passUntil(share: number): void {
    offsetMs += Math.min(...issued()) + share * lifeMs - now()
    tenant.setClock(offsetMs)
  }

  /** When the current tokens of the Pods were issued. */
  function issued(): readonly number[] {
    const own = recorder.all('host', 'Secret').filter(({ metadata }) => metadata.labels?.[marks.companion] === 'tokens')
    return own.flatMap(tokensIn).map(({ issuedAtMs }) => issuedAtMs)
  }

  async function allRefreshed(): Promise<void> {
    await soon(async () => expect(Math.min(...issued())).toBeGreaterThan(now() - 0.5 * lifeMs))
    expect(issued()).toHaveLength(count)
  }

  function createPod(name: string) {
    const sources = [{ serviceAccountToken: { path: 'token', expirationSeconds: lifeMs / 1_000, audience: 'vault' } }]
    const volumes = [{ name: 'token', projected: { sources } }]
    const spec = { containers: [{ name: 'main', image: 'app:1' }], volumes, automountServiceAccountToken: false }
    return virtual.create(pods, { metadata: { namespace: 'default', name }, spec })
  }
})
