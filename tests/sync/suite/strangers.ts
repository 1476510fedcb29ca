import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Collection,
  configMaps,
  endpoints,
  oneAddress,
  secrets,
  services,
  type Thing,
} from '../support/objects.ts'
import { aWhile, soon, stays } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const all = { sync: { toHost: { configMaps: { all: true }, secrets: { all: true } } } }
const mark = (name: string) => `tenant.internal/${name}`

interface Sample {
  readonly kind: Collection
  readonly fields: object
  readonly other: object
}

const samples: readonly Sample[] = [
  { kind: endpoints, fields: { subsets: oneAddress('10.0.0.1') }, other: { subsets: oneAddress('10.0.0.2') } },
  { kind: services, fields: { spec: { ports: [{ port: 80 }] } }, other: { spec: { ports: [{ port: 81 }] } } },
  { kind: configMaps, fields: { data: { a: '1' } }, other: { data: { a: '2' } } },
  { kind: secrets, fields: { data: { a: 'MQ==' } }, other: { data: { a: 'Mg==' } } },
]

const titled = samples.map((sample) => [sample.kind.kind, sample] as const)

/** Each kind has its own: Kubernetes deletes the Endpoints of a Service that is deleted. */
const nameFor = ({ plural }: Collection, what: string) => `${what}-${plural}`

/** Objects of others are never changed or deleted; our own copies are restored. */
export function strangers(stage: () => Stage): void {
  describe('foreign clients on the host', () => {
    let tenant: Tenant
    let namespace: string

    beforeAll(async () => {
      tenant = await stage().newTenant({ config: all })
      namespace = await stage().newNamespace()
    })

    const createOnHost = (kind: Collection, name: string, fields: object, metadata: object = {}) =>
      stage().host.create(kind, { metadata: { namespace: tenant.hostNamespace, name, ...metadata }, ...fields })
    const isUntouched = async (kind: Collection, thing: Thing) =>
      expect(await stage().host.get(kind, tenant.hostNamespace, thing.metadata.name)).toEqual({
        ...thing,
        apiVersion: kind.apiVersion,
        kind: kind.kind,
      })
    const synced = async (kind: Collection, name: string, fields: object) => {
      await stage().virtual.create(kind, { metadata: { namespace, name }, ...fields })
      await soon(() => tenant.copy(kind, namespace, name).then(() => undefined))
      await aWhile()
      return tenant.copy(kind, namespace, name)
    }

    it.concurrent.each(titled)(
      '%s: a foreign object with the name of a copy stays, and the tenant is notified',
      async (_, { kind, fields, other }) => {
        const name = nameFor(kind, 'wanted')
        const foreign = await createOnHost(kind, tenant.hostName(namespace, name), other)
        await stage().virtual.create(kind, { metadata: { namespace, name }, ...fields })
        await soon(async () => {
          const warnings = await stage().warnings(namespace, name)
          expect(warnings.filter((text) => text.startsWith('HostNameTaken')).length).toBeGreaterThan(0)
        })
        await stage().virtual.patch(kind, namespace, name, { metadata: { labels: { changed: 'yes' } } })
        await aWhile()
        await isUntouched(kind, foreign)
        await stage().virtual.delete(kind, namespace, name)
        await aWhile()
        await isUntouched(kind, foreign)
      },
    )

    it('once the name is free, the object is synced', async () => {
      await createOnHost(configMaps, tenant.hostName(namespace, 'freed'), { data: { mine: 'yes' } })
      await stage().virtual.create(configMaps, { metadata: { namespace, name: 'freed' }, data: { a: '1' } })
      await soon(async () => expect(await stage().warnings(namespace, 'freed')).not.toEqual([]))
      await stage().host.delete(configMaps, tenant.hostNamespace, tenant.hostName(namespace, 'freed'))
      await soon(async () => expect((await tenant.copy(configMaps, namespace, 'freed')).data).toEqual({ a: '1' }))
    })

    describe('forged marks', () => {
      const rightMarks = (name: string, hostName: string) => ({
        labels: { [mark('managed-by')]: tenant.name },
        annotations: {
          [mark('object-name')]: name,
          [mark('object-namespace')]: namespace,
          [mark('object-uid')]: 'no-such-uid',
          [mark('object-kind')]: 'ConfigMap',
          [mark('host-name')]: hostName,
          [mark('tenant-namespace')]: tenant.hostNamespace,
        },
      })
      const forgeries: readonly { readonly what: string; readonly label?: object; readonly annotation?: object }[] = [
        { what: 'of another tenant', label: { [mark('managed-by')]: 'another' } },
        { what: 'of a tenant of another namespace', annotation: { [mark('tenant-namespace')]: 'another' } },
        { what: 'of another kind', annotation: { [mark('object-kind')]: 'Secret' } },
        { what: 'of an object that belongs elsewhere', annotation: { [mark('object-name')]: 'another' } },
        { what: 'of another namespace', annotation: { [mark('object-namespace')]: 'another' } },
        { what: 'copied from another object', annotation: { [mark('host-name')]: 'another' } },
      ]

      it.concurrent.each(forgeries.map((forgery) => [forgery.what, forgery] as const))(
        '%s cause neither a deletion nor a write',
        async (what, { label, annotation }) => {
          const name = `forged-${what.replaceAll(' ', '-')}`
          const hostName = tenant.hostName(namespace, name)
          const { labels, annotations } = rightMarks(name, hostName)
          const metadata = { labels: { ...labels, ...label }, annotations: { ...annotations, ...annotation } }
          const forged = await createOnHost(configMaps, hostName, { data: { mine: 'yes' } }, metadata)
          await stage().virtual.create(configMaps, { metadata: { namespace, name }, data: { a: '1' } })
          await soon(async () => expect(await stage().warnings(namespace, name)).not.toEqual([]))
          await stage().virtual.delete(configMaps, namespace, name)
          await aWhile()
          await isUntouched(configMaps, forged)
        },
      )

      it('under a name that no copy has do not make a copy either', async () => {
        await synced(configMaps, 'model', { data: { a: '1' } })
        const { metadata } = await tenant.copy(configMaps, namespace, 'model')
        const { labels = {}, annotations = {} } = metadata
        const forged = await createOnHost(
          configMaps,
          'looks-like-a-copy',
          { data: { mine: 'yes' } },
          { labels, annotations },
        )
        await stage().virtual.patch(configMaps, namespace, 'model', { data: { a: '2' } })
        await soon(async () => expect((await tenant.copy(configMaps, namespace, 'model')).data).toEqual({ a: '2' }))
        await stage().virtual.delete(configMaps, namespace, 'model')
        await soon(async () => expect(await tenant.findCopy(configMaps, namespace, 'model')).toBeUndefined())
        await isUntouched(configMaps, forged)
      })
    })

    it.concurrent.each([
      'managed-by',
      'object-name',
      'object-namespace',
      'object-uid',
      'object-kind',
      'host-name',
      'tenant-namespace',
    ])('a copy without its mark %s is no longer a copy, and is left alone', async (name) => {
      const object = `without-${name}`
      await synced(configMaps, object, { data: { a: '1' } })
      const strip = { [mark(name)]: null }
      const stripped = await tenant.patchCopy(configMaps, namespace, object, {
        metadata: name === 'managed-by' ? { labels: strip } : { annotations: strip },
      })
      await stage().virtual.patch(configMaps, namespace, object, { data: { a: '2' } })
      await soon(async () => expect(await stage().warnings(namespace, object)).not.toEqual([]))
      await stage().virtual.delete(configMaps, namespace, object)
      await aWhile()
      await isUntouched(configMaps, stripped)
    })

    it.concurrent.each(titled)('%s: an edited copy is restored', async (_, { kind, fields, other }) => {
      const name = nameFor(kind, 'edited')
      const copy = await synced(kind, name, fields)
      await tenant.patchCopy(kind, namespace, name, other)
      await soon(async () => {
        const now = await tenant.copy(kind, namespace, name)
        expect(now.metadata.resourceVersion).not.toBe(copy.metadata.resourceVersion)
        expect(now).toMatchObject(fields)
      })
      expect(await stage().virtual.get(kind, namespace, name)).toMatchObject(fields)
    })

    it.concurrent.each(titled)('%s: a deleted copy is created again', async (_, { kind, fields }) => {
      const name = nameFor(kind, 'deleted')
      const copy = await synced(kind, name, fields)
      await stage().host.delete(kind, tenant.hostNamespace, copy.metadata.name)
      await soon(async () => {
        const again = await tenant.copy(kind, namespace, name)
        expect(again.metadata.uid).not.toBe(copy.metadata.uid)
        expect(again).toMatchObject(fields)
      })
    })

    it('finalizers and owners that foreign clients add to a copy stay', async () => {
      await synced(configMaps, 'adorned', { data: { a: '1' } })
      const finalizers = ['example.com/hold']
      await tenant.patchCopy(configMaps, namespace, 'adorned', { metadata: { finalizers } })
      await stage().virtual.patch(configMaps, namespace, 'adorned', { data: { a: '2' } })
      await soon(async () => {
        const copy = await tenant.copy(configMaps, namespace, 'adorned')
        expect([copy.data, copy.metadata.finalizers]).toEqual([{ a: '2' }, finalizers])
      })
      await stays(async () =>
        expect((await tenant.copy(configMaps, namespace, 'adorned')).metadata.finalizers).toEqual(finalizers),
      )
      await tenant.patchCopy(configMaps, namespace, 'adorned', { metadata: { finalizers: null } })
    })
  })
}
