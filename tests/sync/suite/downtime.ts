import { beforeAll, describe, expect, it } from 'vitest'
import { configMaps, endpoints, oneAddress, secrets, services, type Thing } from '../support/objects.ts'
import { settled, soon, stays } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const all = { sync: { toHost: { configMaps: { all: true }, secrets: { all: true } } } }
const kinds = [endpoints, services, configMaps, secrets]

export function downtime(stage: () => Stage): void {
  const createSome = async (namespace: string, count: number) => {
    for (let index = 0; index < count; index++) {
      const metadata = { namespace, name: `some-${index}`, labels: { index: String(index) } }
      await stage().virtual.create(endpoints, { metadata, subsets: oneAddress(`10.0.0.${index + 1}`) })
      await stage().virtual.create(services, { metadata, spec: { ports: [{ port: 80 }] } })
      await stage().virtual.create(configMaps, { metadata, data: { index: String(index) } })
      await stage().virtual.create(secrets, { metadata, data: { index: 'MQ==' } })
    }
  }
  const copiesOf = async (tenant: Tenant, namespace: string) => {
    const found: Thing[] = []
    for (const kind of kinds) {
      for (const thing of await stage().host.list(kind, tenant.hostNamespace)) {
        if (thing.metadata.annotations?.['tenant.internal/object-namespace'] === namespace) found.push(thing)
      }
    }
    return found
  }
  const originalsOf = async (namespace: string) =>
    (await Promise.all(kinds.map((kind) => stage().virtual.list(kind, namespace)))).flat()
  const versions = (things: readonly Thing[]) =>
    things.map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`).toSorted()

  describe('a syncer after downtime', () => {
    let tenant: Tenant

    beforeAll(async () => {
      tenant = await stage().newTenant({ config: all })
    })

    it.each(['killed', 'stopped'] as const)('%s in step: writes nothing after a restart', async (how) => {
      const namespace = await stage().newNamespace()
      await createSome(namespace, 5)
      await soon(async () => expect((await copiesOf(tenant, namespace)).length).toBeGreaterThanOrEqual(20))
      const written = async () => [versions(await copiesOf(tenant, namespace)), versions(await originalsOf(namespace))]
      await settled(written)
      if (how === 'stopped') expect(await tenant.syncer.stop()).toBe('0')
      else await tenant.syncer.kill()
      const before = await written()
      await tenant.syncer.start()
      await stays(async () => expect(await written()).toEqual(before), 1_500)
      await stage().virtual.patch(configMaps, namespace, 'some-0', { data: { index: 'after' } })
      await soon(async () =>
        expect((await tenant.copy(configMaps, namespace, 'some-0')).data).toEqual({ index: 'after' }),
      )
    })

    it('deletes the copies of objects that were deleted meanwhile, and creates those of new objects', async () => {
      const namespace = await stage().newNamespace()
      await createSome(namespace, 2)
      await soon(async () => expect((await copiesOf(tenant, namespace)).length).toBeGreaterThanOrEqual(8))
      await tenant.syncer.kill()
      const foreign = await stage().host.create(configMaps, {
        metadata: { namespace: tenant.hostNamespace, name: 'bystander' },
      })
      for (const kind of kinds) await stage().virtual.delete(kind, namespace, 'some-0')
      await stage().host.delete(configMaps, tenant.hostNamespace, tenant.hostName(namespace, 'some-1'))
      await stage().virtual.delete(secrets, namespace, 'some-1')
      const recreated = await stage().virtual.create(secrets, {
        metadata: { namespace, name: 'some-1' },
        data: { index: 'Mg==' },
      })
      await stage().virtual.create(configMaps, { metadata: { namespace, name: 'new' }, data: { a: 'new' } })
      await tenant.syncer.start()
      await soon(async () => {
        for (const kind of kinds) expect(await tenant.findCopy(kind, namespace, 'some-0')).toBeUndefined()
        expect((await tenant.copy(configMaps, namespace, 'some-1')).data).toEqual({ index: '1' })
        expect((await tenant.copy(configMaps, namespace, 'new')).data).toEqual({ a: 'new' })
        const secret = await tenant.copy(secrets, namespace, 'some-1')
        expect([secret.data, secret.metadata.annotations?.['tenant.internal/object-uid']]).toEqual([
          { index: 'Mg==' },
          recreated.metadata.uid,
        ])
      })
      const still = await stage().host.get(configMaps, tenant.hostNamespace, 'bystander')
      expect(still.metadata).toEqual(foreign.metadata)
    })

    it('an unreachable virtual cluster is not treated as empty', async () => {
      const namespace = await stage().newNamespace()
      await createSome(namespace, 2)
      await soon(async () => expect((await copiesOf(tenant, namespace)).length).toBeGreaterThanOrEqual(8))
      const { server } = stage().clusters.virtual
      const copies = async () => versions(await copiesOf(tenant, namespace))
      const before = await settled(copies)
      await server.kill()
      await tenant.syncer.kill()
      tenant.syncer.launch()
      await stays(async () => expect(await copies()).toEqual(before), 3_000)
      await server.start()
      await stage().virtual.patch(configMaps, namespace, 'some-0', { data: { index: 'after' } })
      await soon(async () =>
        expect((await tenant.copy(configMaps, namespace, 'some-0')).data).toEqual({ index: 'after' }),
      )
      expect(tenant.syncer.unexpectedEnd).toBeUndefined()
    })
  })
}
