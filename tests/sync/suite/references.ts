import { beforeAll, describe, expect, it } from 'vitest'
import { configMaps, endpoints, oneAddress, secrets } from '../support/objects.ts'
import { aWhile, soon, stays } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const wanted = 'example.com/secret'
const reference = { path: `metadata.annotations["${wanted}"]`, reference: { apiVersion: 'v1', kind: 'Secret' } }

export function references(stage: () => Stage): void {
  let tenant: Tenant
  /** A namespace of the host, and the target of its import. */
  let shared: string
  let imported: string

  beforeAll(async () => {
    shared = await stage().newHostNamespace()
    imported = await stage().newNamespace()
    const mappings = { byName: { [`${shared}/bundle`]: `${imported}/ca-bundle` } }
    const toHost = { endpoints: { patches: [reference] }, configMaps: { all: true } }
    const fromHost = { configMaps: { enabled: true, mappings } }
    tenant = await stage().newTenant({ config: { sync: { toHost, fromHost } } })
  })

  describe('references', () => {
    it('sync the object that they name, under its name on the host, while they exist', async () => {
      const namespace = await stage().newNamespace()
      const { virtual } = stage()
      await virtual.create(secrets, { metadata: { namespace, name: 'named' }, data: { a: 'MQ==' } })
      await virtual.create(secrets, { metadata: { namespace, name: 'unnamed' }, data: { a: 'Mg==' } })
      const annotations = { [wanted]: 'named' }
      await virtual.create(endpoints, {
        metadata: { namespace, name: 'owner', annotations },
        subsets: oneAddress('10.0.0.1'),
      })
      await soon(async () => {
        expect((await tenant.copy(secrets, namespace, 'named')).data).toEqual({ a: 'MQ==' })
        const owner = await tenant.copy(endpoints, namespace, 'owner')
        expect(owner.metadata.annotations?.[wanted]).toBe(tenant.hostName(namespace, 'named'))
      })
      expect(await tenant.findCopy(secrets, namespace, 'unnamed')).toBeUndefined()
      expect((await virtual.get(endpoints, namespace, 'owner')).metadata.annotations?.[wanted]).toBe('named')
      await virtual.patch(endpoints, namespace, 'owner', { metadata: { annotations: { [wanted]: 'unnamed' } } })
      await soon(async () => {
        expect((await tenant.copy(secrets, namespace, 'unnamed')).data).toEqual({ a: 'Mg==' })
        expect(await tenant.findCopy(secrets, namespace, 'named')).toBeUndefined()
      })
    })

    it('a restart does not delete objects that are still referenced', async () => {
      const namespace = await stage().newNamespace()
      const { virtual } = stage()
      await virtual.create(secrets, { metadata: { namespace, name: 'kept' }, data: { a: 'MQ==' } })
      const annotations = { [wanted]: 'kept' }
      await virtual.create(endpoints, {
        metadata: { namespace, name: 'keeper', annotations },
        subsets: oneAddress('10.0.0.1'),
      })
      await soon(() => tenant.copy(secrets, namespace, 'kept').then(() => undefined))
      const { uid } = (await tenant.copy(secrets, namespace, 'kept')).metadata
      await tenant.syncer.kill()
      await tenant.syncer.start()
      await stays(async () => expect((await tenant.copy(secrets, namespace, 'kept')).metadata.uid).toBe(uid), 1_500)
    })
  })

  describe('objects of the host', () => {
    it('are imported if tenant.yaml says so, kept up to date, and never written back', async () => {
      const { host, virtual } = stage()
      await host.create(configMaps, { metadata: { namespace: shared, name: 'bundle' }, data: { ca: 'one' } })
      await soon(async () => expect((await virtual.get(configMaps, imported, 'ca-bundle')).data).toEqual({ ca: 'one' }))
      await host.patch(configMaps, shared, 'bundle', { data: { ca: 'two' } })
      await soon(async () => expect((await virtual.get(configMaps, imported, 'ca-bundle')).data).toEqual({ ca: 'two' }))
      const original = await host.get(configMaps, shared, 'bundle')
      await virtual.patch(configMaps, imported, 'ca-bundle', { data: { ca: 'forged' } })
      await soon(async () => expect((await virtual.get(configMaps, imported, 'ca-bundle')).data).toEqual({ ca: 'two' }))
      await aWhile()
      expect(await host.get(configMaps, shared, 'bundle')).toEqual(original)
      expect(await tenant.findCopy(configMaps, imported, 'ca-bundle')).toBeUndefined()
      await host.delete(configMaps, shared, 'bundle')
      await soon(async () => expect(await virtual.find(configMaps, imported, 'ca-bundle')).toBeUndefined())
    })
  })
}
