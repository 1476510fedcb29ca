import { describe, expect, it } from 'vitest'
import { configMaps, endpoints, oneAddress, type Thing } from '../support/objects.ts'
import { aWhile, soon } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const all = { sync: { toHost: { configMaps: { all: true } } } }

export function neighbors(stage: () => Stage): void {
  describe('several tenants', () => {
    it.each([
      ['two tenants in one host namespace', { names: ['left', 'right'], isShared: true }],
      ['two tenants of one name in two namespaces', { names: ['same', 'same'], isShared: false }],
    ] as const)('%s never touch each other’s objects', async (_, { names, isShared }) => {
      const { virtual } = stage()
      const namespace = await stage().newNamespace()
      const shared = await stage().newHostNamespace()
      const [left, right] = await Promise.all(
        names.map(async (name) => {
          const hostNamespace = isShared ? shared : await stage().newHostNamespace()
          return stage().newTenant({ name, hostNamespace, config: all })
        }),
      )
      if (left === undefined || right === undefined) throw new Error('there must be two tenants')
      await virtual.create(configMaps, { metadata: { namespace, name: 'shown' }, data: { a: '1' } })
      await virtual.create(endpoints, { metadata: { namespace, name: 'shown' }, subsets: oneAddress('10.0.0.1') })
      for (const tenant of [left, right]) {
        await soon(async () => expect((await tenant.copy(configMaps, namespace, 'shown')).data).toEqual({ a: '1' }))
        await soon(() => tenant.copy(endpoints, namespace, 'shown').then(() => undefined))
      }
      const places = [left, right].map((tenant) => `${tenant.hostNamespace}/${tenant.hostName(namespace, 'shown')}`)
      expect(new Set(places).size).toBe(2)

      await left.remove()
      const before = await leftovers(left, namespace)
      await virtual.patch(configMaps, namespace, 'shown', { data: { a: '2' } })
      await soon(async () => expect((await right.copy(configMaps, namespace, 'shown')).data).toEqual({ a: '2' }))
      await virtual.delete(configMaps, namespace, 'shown')
      await virtual.delete(endpoints, namespace, 'shown')
      await soon(async () => expect(await right.findCopy(configMaps, namespace, 'shown')).toBeUndefined())
      await aWhile()
      expect(await leftovers(left, namespace)).toEqual(before)
      await right.remove()
    })
  })
}

function leftovers(tenant: Tenant, namespace: string): Promise<readonly Thing[]> {
  return Promise.all([tenant.copy(configMaps, namespace, 'shown'), tenant.copy(endpoints, namespace, 'shown')])
}
