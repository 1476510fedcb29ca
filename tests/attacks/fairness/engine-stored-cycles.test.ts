import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configMap } from '../../../src/api/core/config-map.ts'
import { namespace } from '../../../src/api/core/namespace.ts'
import type { KubeObject } from '../../../src/api/object.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { systemRandom } from '../../../src/base/random.ts'
import { ObjectRegistry } from '../../../src/registry/registry.ts'
import type { Store } from '../../../src/storage/contract.ts'
import { openLmdbStore } from '../../../src/storage/lmdb/open.ts'
import { startServerProcess } from '../../reliability/support/server-process.ts'
import { startTestServer } from '../../support/clusters/api-server.ts'
import { bodyOf, configMap as configMapNamed, namespaceNamed, writeRequest } from '../../support/registry.ts'
import { storeNames, storePlace } from './support/engine-stores.ts'
import { OwnerClient, type Seen } from './support/owners.ts'

/** Leaves owner cycles behind whose deletion was requested, like a server that was killed during it. */
async function leaveCircles(store: Store, lengths: readonly number[]): Promise<readonly Seen[]> {
  const registry = new ObjectRegistry({ store, clock: systemClock, random: systemRandom })
  registry.add(namespace)
  registry.add(configMap)
  await registry.start()
  const found = (plural: string) => {
    const resource = registry.resource('', 'v1', plural)
    if (resource === undefined) throw new Error(`no ${plural}`)
    return resource
  }
  await found('namespaces')
    .create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
    .catch(() => {})
  const configMaps = found('configmaps')
  const left: Seen[] = []
  for (const length of lengths) {
    const made: KubeObject[] = []
    for (let index = 0; index < length; index++) {
      const body = bodyOf(configMapNamed(`left-${length}-${index}`))
      made.push((await configMaps.create({ namespace: 'default' }, body, writeRequest())).document.object)
    }
    for (const [index, { metadata }] of made.entries()) {
      const owner = made[(index + 1) % length]?.metadata
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: owner?.name, uid: owner?.uid }
      const body = bodyOf({ metadata: { ownerReferences: [{ ...reference, blockOwnerDeletion: true }] } })
      const target = { namespace: 'default', name: metadata.name ?? '' }
      await configMaps.patch(target, { type: 'merge', body }, writeRequest())
      await configMaps.delete(target, { dryRun: false, propagationPolicy: 'Foreground' }, writeRequest())
      left.push({ kind: 'ConfigMap', name: target.name, uid: '', isBeingDeleted: true, finalizers: [], owners: [] })
    }
  }
  await registry.stop()
  return left
}

describe.each(storeNames)('cycles of owners that are in the store (%s) at the start', (name) => {
  test('cycles of one, two, three and a hundred objects are deleted, and the server serves', async () => {
    const place = await storePlace(name)
    const store = await place.open()
    const left = await leaveCircles(store, [1, 2, 3, 100])
    const server = await startTestServer({ store })
    const client = new OwnerClient({ url: server.url, token: 'admin-token', authority: server.authority })
    await client.untilGone(left)
    await client.close()
    await server.stop()
    await store.close()
    await place.remove()
  })
})

test('a server process starts with stored owner cycles and deletes them', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-circles-'))
  const folder = join(directory, 'store')
  const store = await openLmdbStore({ directory: folder })
  const left = await leaveCircles(store, [1, 2])
  await store.close()
  const server = await startServerProcess({ store: `file:${folder}`, directory: join(directory, 'home') })
  const client = new OwnerClient(server)
  await client.untilGone(left)
  await client.close()
  expect((await server.stop()).code).toBe(0)
  await rm(directory, { recursive: true, force: true })
})
