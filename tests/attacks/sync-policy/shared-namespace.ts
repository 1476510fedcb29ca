import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Collection,
  claims,
  configMaps,
  ingresses,
  pods,
  secrets,
  serviceAccounts,
  services,
} from '../../sync/support/objects.ts'
import { aWhile, soon, stays } from '../../sync/support/soon.ts'
import type { Stage, Tenant } from '../../sync/support/stage.ts'

const endpointSlices: Collection = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
}
const serviceName = 'kubernetes.io/service-name'
const port = { ports: [{ port: 80 }] }

/**
 * Two tenants in a namespace of the host that the operator gives to both, where names are kept: a name that one frees,
 * the other may take. Clusters serve only one of the kinds that lead to Services.
 */
export function sharedNamespaceAttacks(stage: () => Stage, served: 'slices' | 'ingresses'): void {
  describe('a tenant that shares a namespace of the host with another', () => {
    interface Place {
      readonly tenant: Tenant
      readonly namespace: string
    }

    let hostName: string
    let left: Place
    let right: Place

    /** The same two for all tests: each of these uses other names. */
    beforeAll(async () => {
      const word = process.hrtime.bigint().toString(36)
      hostName = `shared-${word}`
      await stage().host.ensureNamespace(hostName)
      await ensureAccount(hostName, 'host')
      const placeOf = async (side: string): Promise<Place> => {
        const namespaces = { enabled: true, mappings: { byName: { [`${side}-${word}`]: hostName } } }
        const toHost = { namespaces, endpointSlices: { enabled: true }, ingresses: { enabled: true } }
        const policies = { sync: { ingresses: { hosts: ['*.example.com'] } } }
        const tenant = await stage().newTenant({ config: { sync: { toHost }, policies } })
        const namespace = await stage().newNamespace(`${side}-${word}`)
        await ensureAccount(namespace, 'virtual')
        return { tenant, namespace }
      }
      left = await placeOf('left')
      right = await placeOf('right')
    })

    /** A cluster without controllers creates none. */
    async function ensureAccount(namespace: string, side: 'virtual' | 'host'): Promise<void> {
      const cluster = stage()[side]
      if ((await cluster.find(serviceAccounts, namespace, 'default')) !== undefined) return
      await cluster.create(serviceAccounts, { metadata: { namespace, name: 'default' } }).catch(() => {})
    }

    const ownerOf = async (kind: Collection, hostName: string, name: string) =>
      (await stage().host.find(kind, hostName, name))?.metadata.labels?.['tenant.internal/managed-by']

    /** Triggers a sync of the object at once. */
    const touch = (kind: Collection, namespace: string, name: string) =>
      stage().virtual.patch(kind, namespace, name, { metadata: { annotations: { touched: `${performance.now()}` } } })

    test.runIf(served === 'slices')('gets no traffic of a Service whose name it used before', async () => {
      const { virtual } = stage()
      await virtual.create(services, { metadata: { namespace: left.namespace, name: 'web' }, spec: port })
      await virtual.create(endpointSlices, {
        metadata: { namespace: left.namespace, name: 'trap', labels: { [serviceName]: 'web' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.9.9.9'] }],
        ports: [{ name: '', port: 80, protocol: 'TCP' }],
      })
      await soon(async () => {
        expect(await ownerOf(services, hostName, 'web')).toBe(left.tenant.name)
        expect(await ownerOf(endpointSlices, hostName, 'trap')).toBe(left.tenant.name)
      })
      await virtual.create(services, { metadata: { namespace: right.namespace, name: 'web' }, spec: port })
      await virtual.delete(services, left.namespace, 'web')
      await soon(async () => {
        await touch(services, right.namespace, 'web')
        expect(await ownerOf(services, hostName, 'web')).toBe(right.tenant.name)
      })
      await soon(async () => expect(await stage().host.find(endpointSlices, hostName, 'trap')).toBeUndefined())
      await touch(endpointSlices, left.namespace, 'trap')
      await stays(async () => expect(await stage().host.find(endpointSlices, hostName, 'trap')).toBeUndefined())
    })

    test.each([
      ['Secret', secrets, (name: string) => ({ secret: { secretName: name } })],
      ['ConfigMap', configMaps, (name: string) => ({ configMap: { name } })],
    ] as const)(
      'does not get a %s of the other tenant under a name that it used before',
      async (kindName, kind, source) => {
        const { virtual, host } = stage()
        const dataOf = (text: string) => ({ data: { a: kind === secrets ? btoa(text) : text } })
        const inUse = { containers: [{ name: 'main', image: 'app:1' }], automountServiceAccountToken: false }
        const readerIn = (namespace: string) => `reads-${kindName.toLowerCase()}-${namespace}`
        const podOf = (namespace: string) => ({
          metadata: { namespace, name: readerIn(namespace) },
          spec: { ...inUse, volumes: [{ name: 'v', ...source('spoils') }] },
        })
        await virtual.create(kind, { metadata: { namespace: left.namespace, name: 'spoils' }, ...dataOf('bait') })
        await virtual.create(pods, podOf(left.namespace))
        await soon(async () => expect(await ownerOf(pods, hostName, readerIn(left.namespace))).toBe(left.tenant.name))
        await virtual.create(kind, { metadata: { namespace: right.namespace, name: 'spoils' }, ...dataOf('hunter2') })
        await virtual.create(pods, podOf(right.namespace))
        await virtual.delete(kind, left.namespace, 'spoils')
        await stays(async () => {
          await touch(kind, right.namespace, 'spoils')
          expect((await host.get(kind, hostName, 'spoils')).data).toEqual(dataOf('bait').data)
        }, 3_000)
        // Created again at once, so that its absence is never seen.
        await virtual.create(kind, { metadata: { namespace: left.namespace, name: 'spoils' }, ...dataOf('other') })
        const { uid } = (await host.get(kind, hostName, 'spoils')).metadata
        await soon(async () => expect((await host.get(kind, hostName, 'spoils')).data).toEqual(dataOf('other').data))
        expect((await host.get(kind, hostName, 'spoils')).metadata.uid).toBe(uid)
        await virtual.delete(kind, left.namespace, 'spoils')
        await virtual.delete(pods, left.namespace, readerIn(left.namespace))
        await soon(async () => {
          await touch(kind, right.namespace, 'spoils')
          expect(await ownerOf(kind, hostName, 'spoils')).toBe(right.tenant.name)
        })
      },
    )

    test.runIf(served === 'ingresses')(
      'does not get a claim whose name it used before, when its Pod is finally scheduled',
      async () => {
        const { virtual, host } = stage()
        const claimOf = (namespace: string) => ({
          metadata: { namespace, name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        })
        const waiting = `waiting-${left.namespace}`
        await virtual.create(claims, claimOf(left.namespace))
        await virtual.create(pods, {
          metadata: { namespace: left.namespace, name: waiting },
          spec: {
            containers: [{ name: 'main', image: 'app:1' }],
            automountServiceAccountToken: false,
            nodeSelector: { nowhere: 'yet' },
            volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
          },
        })
        await soon(async () => {
          expect(await ownerOf(claims, hostName, 'data')).toBe(left.tenant.name)
          expect(await ownerOf(pods, hostName, waiting)).toBe(left.tenant.name)
        })
        await virtual.create(claims, claimOf(right.namespace))
        await letGo(virtual, left.namespace, 'data')
        await soon(async () => {
          await endProtection(hostName)
          await touch(claims, right.namespace, 'data')
          expect(await ownerOf(claims, hostName, 'data')).toBe(right.tenant.name)
        })
        expect(await host.find(pods, hostName, waiting)).toBeUndefined()
        await touch(pods, left.namespace, waiting)
        await stays(async () => expect(await host.find(pods, hostName, waiting)).toBeUndefined())
        // The Pod still exists, and is synced again with its own claim.
        await letGo(virtual, right.namespace, 'data')
        await soon(async () => {
          await endProtection(hostName)
          expect(await host.find(claims, hostName, 'data')).toBeUndefined()
        })
        await virtual.create(claims, claimOf(left.namespace))
        await soon(async () => {
          expect(await ownerOf(claims, hostName, 'data')).toBe(left.tenant.name)
          expect(await ownerOf(pods, hostName, waiting)).toBe(left.tenant.name)
        })
      },
    )

    /** The work of a cluster's controllers when no Pod on a node uses a claim. */
    async function letGo(virtual: Stage['virtual'], namespace: string, name: string): Promise<void> {
      await virtual.delete(claims, namespace, name)
      await virtual.patch(claims, namespace, name, { metadata: { finalizers: null } }).catch(() => {})
    }

    async function endProtection(hostName: string): Promise<void> {
      const claim = await stage().host.find(claims, hostName, 'data')
      if (claim?.metadata.deletionTimestamp === undefined) return
      await stage().host.patch(claims, hostName, 'data', { metadata: { finalizers: null } })
    }

    test.runIf(served === 'ingresses')('cannot expose a Service of the other tenant', async () => {
      const { virtual, host } = stage()
      const ingressOf = (name: string, service: string) => ({
        metadata: { namespace: left.namespace, name },
        spec: {
          rules: [
            {
              host: `${name}.example.com`,
              http: {
                paths: [
                  { path: '/', pathType: 'Prefix', backend: { service: { name: service, port: { number: 80 } } } },
                ],
              },
            },
          ],
        },
      })
      await virtual.create(services, { metadata: { namespace: right.namespace, name: 'theirs' }, spec: port })
      await virtual.create(services, { metadata: { namespace: left.namespace, name: 'own' }, spec: port })
      await host.create(services, { metadata: { namespace: hostName, name: 'common' }, spec: port })
      await soon(async () => {
        expect(await ownerOf(services, hostName, 'theirs')).toBe(right.tenant.name)
        expect(await ownerOf(services, hostName, 'own')).toBe(left.tenant.name)
      })
      for (const name of ['theirs', 'later', 'own', 'common']) await virtual.create(ingresses, ingressOf(name, name))
      await soon(async () => {
        for (const name of ['own', 'common']) expect(await host.find(ingresses, hostName, name)).toBeDefined()
      })
      await aWhile()
      await virtual.create(services, { metadata: { namespace: right.namespace, name: 'later' }, spec: port })
      await soon(async () => expect(await ownerOf(services, hostName, 'later')).toBe(right.tenant.name))
      await virtual.create(services, { metadata: { namespace: right.namespace, name: 'own' }, spec: port })
      await virtual.delete(services, left.namespace, 'own')
      await soon(async () => {
        await touch(services, right.namespace, 'own')
        expect(await ownerOf(services, hostName, 'own')).toBe(right.tenant.name)
      })
      await soon(async () => expect(await host.find(ingresses, hostName, 'own')).toBeUndefined())
      await stays(async () => {
        for (const name of ['theirs', 'later']) {
          await touch(ingresses, left.namespace, name)
          expect(await host.find(ingresses, hostName, name)).toBeUndefined()
        }
      })
    })
  })
}
