import { beforeAll, describe, expect, it } from 'vitest'
import { certificates, definesCustomResources } from '../support/custom-resources.ts'
import { type Collection, configMaps, endpoints, secrets } from '../support/objects.ts'
import { soon } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const slices: Collection = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', plural: 'endpointslices' }

export function otherKinds(stage: () => Stage): void {
  describe('other kinds', () => {
    let tenant: Tenant
    let hasCustomResources: boolean

    beforeAll(async () => {
      const { virtual, host } = stage()
      hasCustomResources = (await definesCustomResources(virtual)) && (await definesCustomResources(host))
      tenant = await stage().newTenant({ config: config(true) })
    })

    const config = (hasEndpoints: boolean) => {
      const patches = [{ path: 'spec.secretName', reference: { apiVersion: 'v1', kind: 'Secret' } }]
      const custom = { 'certificates.tests.example.com': { enabled: true, patches } }
      const toHost = {
        endpoints: { enabled: hasEndpoints },
        endpointSlices: { enabled: true },
        customResources: hasCustomResources ? custom : {},
      }
      return { sync: { toHost } }
    }

    it('custom resources are synced with their references, and their status is synced back', async ({ skip }) => {
      if (!hasCustomResources) skip('one of the APIs serves no custom resources')
      const namespace = await stage().newNamespace()
      const { virtual, host } = stage()
      await virtual.create(secrets, { metadata: { namespace, name: 'tls' }, data: { a: 'MQ==' } })
      const spec = { secretName: 'tls', dnsNames: ['a.example.com'], weight: 7 }
      await virtual.create(certificates, { metadata: { namespace, name: 'web' }, spec })
      await soon(async () => {
        const copy = await tenant.copy(certificates, namespace, 'web')
        expect(copy.spec).toEqual({ ...spec, secretName: tenant.hostName(namespace, 'tls') })
        expect((await tenant.copy(secrets, namespace, 'tls')).data).toEqual({ a: 'MQ==' })
      })
      await host.patch(
        certificates,
        tenant.hostNamespace,
        tenant.hostName(namespace, 'web'),
        { status: { ready: true } },
        'status',
      )
      await soon(async () =>
        expect((await virtual.get(certificates, namespace, 'web')).status).toEqual({ ready: true }),
      )
      await virtual.delete(certificates, namespace, 'web')
      await soon(async () => {
        expect(await tenant.findCopy(certificates, namespace, 'web')).toBeUndefined()
        expect(await tenant.findCopy(secrets, namespace, 'tls')).toBeUndefined()
      })
    })

    it('copies of a disabled kind are deleted, at runtime and at the start', async () => {
      const { virtual } = stage()
      const namespace = await stage().newNamespace()
      const subsets = [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ port: 80 }] }]
      await virtual.create(endpoints, { metadata: { namespace, name: 'off' }, subsets })
      const isCopied = async () => (await tenant.findCopy(endpoints, namespace, 'off')) !== undefined
      await soon(async () => expect(await isCopied()).toBe(true))
      tenant.syncer.configure(JSON.stringify(config(false)))
      await soon(async () => expect(await isCopied()).toBe(false))
      tenant.syncer.configure(JSON.stringify(config(true)))
      await soon(async () => expect(await isCopied()).toBe(true))
      await tenant.syncer.stop()
      tenant.syncer.configure(JSON.stringify(config(false)))
      await tenant.syncer.start()
      await soon(async () => expect(await isCopied()).toBe(false))
      expect(await virtual.get(endpoints, namespace, 'off')).toMatchObject({ subsets: [{ ports: [{ port: 80 }] }] })
      tenant.syncer.configure(JSON.stringify(config(true)))
    })

    it('EndpointSlices are synced with the translated name of their Service; mirrored ones are not', async ({
      skip,
    }) => {
      for (const client of [stage().virtual, stage().host]) {
        if ((await client.request('GET', '/apis/discovery.k8s.io/v1')).status !== 200)
          skip('one of the APIs has no discovery.k8s.io/v1')
      }
      const namespace = await stage().newNamespace()
      const draft = (name: string, labels: Record<string, string>) => ({
        metadata: { namespace, name, labels },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
        ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
      })
      const service = 'kubernetes.io/service-name'
      const manager = 'endpointslice.kubernetes.io/managed-by'
      await stage().virtual.create(
        slices,
        draft('mirrored', { [service]: 'web', [manager]: 'endpointslicemirroring-controller.k8s.io' }),
      )
      await stage().virtual.create(slices, draft('own', { [service]: 'web' }))
      await soon(async () => {
        const copy = await tenant.copy(slices, namespace, 'own')
        expect(copy).toMatchObject({ addressType: 'IPv4', ports: [{ name: 'http', port: 80, protocol: 'TCP' }] })
        expect(copy.metadata.labels?.[service]).toBe(tenant.hostName(namespace, 'web'))
      })
      await stage().virtual.patch(slices, namespace, 'own', { ports: [{ name: 'http', port: 81, protocol: 'TCP' }] })
      await soon(async () =>
        expect(await tenant.copy(slices, namespace, 'own')).toMatchObject({ ports: [{ port: 81 }] }),
      )
      expect((await stage().virtual.get(slices, namespace, 'own')).metadata.labels?.[service]).toBe('web')
      expect(await tenant.findCopy(slices, namespace, 'mirrored')).toBeUndefined()
    })

    it('with synced namespaces, names are kept and namespaces are mapped', async () => {
      const word = process.hrtime.bigint().toString(36)
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how tenant.yaml writes the tenant's name
      const mappings = { byName: { [`team-${word}-*`]: '${name}-team-*' } }
      const toHost = { namespaces: { enabled: true, mappings }, configMaps: { all: true } }
      const mapping = await stage().newTenant({ config: { sync: { toHost } } })
      const mapped = await stage().newNamespace(`team-${word}-a`)
      const unmapped = await stage().newNamespace()
      const data = { a: '1' }
      await stage().virtual.create(configMaps, { metadata: { namespace: mapped, name: 'settings' }, data })
      await stage().virtual.create(configMaps, { metadata: { namespace: unmapped, name: 'settings' }, data })
      const hostNamespace = `${mapping.name}-team-a`
      await soon(async () => expect((await stage().host.get(configMaps, hostNamespace, 'settings')).data).toEqual(data))
      await stage().virtual.delete(configMaps, mapped, 'settings')
      await soon(async () => expect(await stage().host.find(configMaps, hostNamespace, 'settings')).toBeUndefined())
      expect(await stage().host.find(configMaps, unmapped, 'settings')).toBeUndefined()
      await mapping.remove()
    })
  })
}
