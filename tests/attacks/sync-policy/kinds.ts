import { describe, expect, test } from 'vitest'
import { definitionOf } from '../../sync/support/custom-resources.ts'
import type { Collection } from '../../sync/support/objects.ts'
import { aWhile, soon } from '../../sync/support/soon.ts'
import type { Stage } from '../../sync/support/stage.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Tenants define kinds in their own cluster; still, only what the operator named is written to the host. */
export function kindAttacks(stage: () => Stage): void {
  describe('a tenant that defines a kind that the operator syncs', () => {
    const kindsOf = () => {
      const apiVersion = `g${process.hrtime.bigint().toString(36)}.example.com/v1`
      const widgets: Collection = { apiVersion, kind: 'Widget', plural: 'widgets' }
      const keys: Collection = { apiVersion, kind: 'MasterKey', plural: 'masterkeys' }
      return { widgets, keys, id: `widgets.${apiVersion.slice(0, -'/v1'.length)}` }
    }
    const define = async (side: 'virtual' | 'host', kind: Collection, scope: 'Namespaced' | 'Cluster') => {
      const { status } = await stage()[side].request('POST', definitions, definitionOf(kind, scope))
      expect(status).toBe(201)
      await soon(async () => {
        const listed = await stage()[side].request('GET', `/apis/${kind.apiVersion}/${kind.plural}`)
        expect(listed.status).toBe(200)
      })
    }
    const syncing = (id: string) =>
      stage().newTenant({ config: { sync: { toHost: { customResources: { [id]: { enabled: true } } } } } })
    const hostHas = async ({ apiVersion, plural }: Collection) =>
      (await stage().host.request('GET', `/apis/${apiVersion}/${plural}`)).body

    test('under the name of another kind cannot write that other kind', async () => {
      const { widgets, keys, id } = kindsOf()
      await define('host', widgets, 'Namespaced')
      await define('host', keys, 'Namespaced')
      const disguised = { ...widgets, kind: keys.kind }
      await define('virtual', disguised, 'Namespaced')
      const namespace = await stage().newNamespace()
      await stage().virtual.create(disguised, { metadata: { namespace, name: 'x' }, spec: {} })
      const tenant = await syncing(id)
      await aWhile()
      expect(await hostHas(keys)).toMatchObject({ items: [] })
      await tenant.remove()
    })

    test('as namespaced cannot write cluster-scoped objects of the host', async () => {
      const { widgets, id } = kindsOf()
      await define('host', widgets, 'Cluster')
      await define('virtual', widgets, 'Namespaced')
      const namespace = await stage().newNamespace()
      await stage().virtual.create(widgets, { metadata: { namespace, name: 'x' }, spec: {} })
      const tenant = await syncing(id)
      await aWhile()
      expect(await hostHas(widgets)).toMatchObject({ items: [] })
      await tenant.remove()
    })
  })
}
