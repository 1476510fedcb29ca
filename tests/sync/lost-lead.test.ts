import { expect, it, onTestFinished } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { effectiveConfig } from '../../src/api/tenant-config/defaults.ts'
import { monotonicClock, systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import type { KubeClient } from '../../src/client/contract.ts'
import { Syncer } from '../../src/sync/syncer.ts'
import { clientByKubeconfig } from '../client/client-of.ts'
import { startTestServer } from '../support/clusters/api-server.ts'
import { ClusterClient } from './support/cluster-client.ts'
import { pods } from './support/objects.ts'
import { config, main } from './support/running-pods.ts'
import { soon, stays } from './support/soon.ts'

const identity = { tenant: 'demo', hostNamespace: 'demo-host' }

async function startSide() {
  const server = await startTestServer({ kinds: builtinKinds() })
  const client = await clientByKubeconfig(server.kubeconfig())
  const user = new ClusterClient({ url: server.url, token: 'admin-token', authority: server.authority })
  onTestFinished(async () => {
    await user.close()
    await client.close()
    await server.stop()
  })
  return { client, user }
}

it('a leader that loses its lease while the host tries a Pod does not create it', async () => {
  const [virtual, host] = [await startSide(), await startSide()]
  await host.user.ensureNamespace(identity.hostNamespace)
  let leads = true
  const losing: KubeClient = {
    ...host.client,
    create: async (type, object, signal, options) => {
      const answer = await host.client.create(type, object, signal, options)
      if (options?.isDryRun === true) leads = false
      return answer
    },
  }
  const syncer = new Syncer({
    identity,
    config: effectiveConfig(config),
    virtual: virtual.client,
    host: losing,
    virtualFollowsHostAddresses: false,
    podNetwork: () => ({}),
    mayWrite: () => leads,
    clock: systemClock,
    elapsed: monotonicClock,
    log: silentLog,
  })
  onTestFinished(() => syncer.stop())
  await virtual.user.create(pods, {
    metadata: { namespace: 'default', name: 'web' },
    spec: { containers: [main], shareProcessNamespace: true },
  })
  await soon(async () => expect(leads).toBe(false))
  await stays(async () => expect(await host.user.list(pods, identity.hostNamespace)).toEqual([]))
})
