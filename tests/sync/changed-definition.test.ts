import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import type { Informer, KubeClient } from '../../src/client/contract.ts'
import { customResourceSync } from '../../src/sync/kinds/generic.ts'
import { ServedRun } from '../../src/sync/run/served-run.ts'
import type { BothTypes } from '../../src/sync/run/served-types.ts'
import { StateTable } from '../../src/sync/run/states.ts'
import { clientByKubeconfig } from '../client/client-of.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { ClusterClient } from './support/cluster-client.ts'
import { certificates, definesCustomResources, definitionOf } from './support/custom-resources.ts'
import { soon } from './support/soon.ts'

const id = 'certificates.tests.example.com'
const progress = {
  states: new StateTable(systemClock),
  length: 0,
  isSettled: true,
  whenSettled: async () => {},
  whenIdle: async () => {},
}

describe('a kind whose definition changes', () => {
  let servers: readonly TestServer[]
  let clusters: readonly ClusterClient[]
  let clients: { readonly virtual: KubeClient; readonly host: KubeClient }
  const followed: (BothTypes & { readonly informer: Informer })[] = []

  beforeAll(async () => {
    servers = [await startTestServer({ kinds: builtinKinds() }), await startTestServer({ kinds: builtinKinds() })]
    clusters = servers.map(({ url, authority }) => new ClusterClient({ url, authority, token: 'admin-token' }))
    for (const cluster of clusters) expect(await definesCustomResources(cluster)).toBe(true)
    const [virtual, host] = await Promise.all(servers.map((server) => clientByKubeconfig(server.kubeconfig())))
    if (virtual === undefined || host === undefined) throw new Error('there are two servers')
    clients = { virtual, host }
  })

  afterAll(async () => {
    await Promise.all([clients?.virtual.close(), clients?.host.close()])
    for (const cluster of clusters ?? []) await cluster.close()
    for (const server of servers ?? []) await server.stop()
  })

  const serve = async (versions: readonly string[]) => {
    const definition = definitionOf(certificates, 'Namespaced')
    const [only] = definition.spec.versions
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${id}`
    const next = ['v1', 'v2'].map((name) => ({
      ...only,
      name,
      storage: name === 'v2',
      served: versions.includes(name),
    }))
    for (const cluster of clusters) {
      const { status } = await cluster.request(
        'PATCH',
        path,
        { spec: { versions: next } },
        'application/merge-patch+json',
      )
      expect(status).toBe(200)
    }
  }

  it('is followed in the version that both clusters serve from then on', async () => {
    const run = new ServedRun({
      kind: customResourceSync(id),
      clients,
      log: silentLog,
      times: { checkMs: 300, failedRetryMs: 100 },
      start: (types) => {
        const informer = clients.virtual.informer(types.virtual)
        followed.push({ ...types, informer })
        return {
          progress,
          get trouble() {
            return informer.trouble
          },
          stop: async () => informer.stop(),
        }
      },
    })
    await soon(async () => expect(followed.at(-1)?.informer.isSynced).toBe(true))
    await serve(['v1', 'v2'])
    await clusters[0]?.create(certificates, { metadata: { namespace: 'default', name: 'web' } })
    await serve(['v2'])
    await soon(async () => {
      expect(run.types).toMatchObject({ virtual: { version: 'v2' }, host: { version: 'v2' } })
      expect(followed.at(-1)?.informer.get({ namespace: 'default', name: 'web' })).toBeDefined()
    })
    expect(followed).toHaveLength(2)
    await run.stop()
  })
})
