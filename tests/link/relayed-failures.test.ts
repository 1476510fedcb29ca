import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VirtualApi } from '../../src/tenant/link/contract.ts'
import { keysPath } from '../platform/platform.ts'
import { type Replica, type Replicas, startReplicas } from '../support/clusters/replicas.ts'
import { eventually } from '../support/eventually.ts'
import { missingEtcd } from '../support/stores/etcd.ts'
import { inside, link, tenantKey } from './support.ts'

const withoutEtcd = missingEtcd()
const path = `${inside('dev')}/api/v1/namespaces/default/configmaps`

describe.skipIf(withoutEtcd)('a request whose link ends before its answer', () => {
  let replicas: Replicas
  let direct: Replica
  let relaying: Replica

  beforeAll(async () => {
    replicas = await startReplicas()
    direct = await replicas.start()
    relaying = await replicas.start()
  })
  afterAll(() => replicas?.remove())

  /** Answers nothing but questions for its version. */
  const silentApi = (): VirtualApi & { readonly waiting: () => number } => {
    let waiting = 0
    return {
      waiting: () => waiting,
      bindClusterRole: async () => {},
      serve: ({ stream, headers }) => {
        stream.on('error', () => {})
        if (headers[':path'] !== '/version') waiting += 1
        else {
          stream.respond({ ':status': 200, 'content-type': 'application/json' })
          stream.end('{}')
        }
      },
    }
  }

  it.each<[string, () => Replica]>([
    ['which this replica holds', () => direct],
    ['which another replica holds', () => relaying],
  ])('%s, is answered with a 503 that asks for a retry', async (_, replica) => {
    const virtualApi = silentApi()
    const { url, authority } = direct.server
    const linked = link({ accessKey: await tenantKey(direct, 'tenants'), url, authority, virtualApi })
    await linked.linked()
    await eventually(async () => {
      expect((await replica().ask('GET', `${inside('dev')}/version`)).status).toBe(200)
    })
    const asked = replica().ask('GET', path)
    await expect.poll(virtualApi.waiting).toBe(1)
    await direct.must('DELETE', `${keysPath}/tenants`)
    expect(await asked).toMatchObject({
      status: 503,
      body: { reason: 'ServiceUnavailable', details: { retryAfterSeconds: 1 } },
    })
    await linked.stop()
  })
})
