import { afterAll, beforeAll, describe } from 'vitest'
import { whyNoNode } from '../support/clusters/real-node.ts'
import { escapes } from './suite/escapes.ts'
import { neighbors } from './suite/neighbors.ts'
import { operatorInside } from './suite/operator.ts'
import { cronJob, webApp } from './suite/web-app.ts'
import { startTenantOnNode, type TenantOnNode } from './support/tenant-on-node.ts'

const hostNamespace = 'two-tenants'
const missing = whyNoNode()

describe.skipIf(missing !== undefined)(
  `two virtual clusters on a node${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    const tenants: TenantOnNode[] = []

    beforeAll(async () => {
      const started = ['blue', 'green'].map((tenant, index) => ({ tenant, hostNamespace, place: index + 1 }))
      tenants.push(...(await Promise.all(started.map(startTenantOnNode))))
    })

    afterAll(() => Promise.all(tenants.map((tenant) => tenant.remove())))

    webApp(() => tenantAt(0))
    operatorInside(() => tenantAt(0))
    neighbors(() => [tenantAt(0), tenantAt(1)])
    escapes(() => [tenantAt(0), tenantAt(1)])
    cronJob(() => tenantAt(0))

    function tenantAt(index: number): TenantOnNode {
      const tenant = tenants[index]
      if (tenant === undefined) throw new Error('A test began before its virtual clusters were started.')
      return tenant
    }
  },
)
