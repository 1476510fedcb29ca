import { beforeAll, describe, expect, it } from 'vitest'
import { copyName } from '../../chaos/names.ts'
import { endpoints, pods } from '../../sync/support/objects.ts'
import { soon } from '../../sync/support/soon.ts'
import type { TenantOnNode } from '../support/tenant-on-node.ts'
import { inShell, placeOf } from './web-app.ts'

const patienceMs = 240_000
const main = { name: 'main', image: 'busybox:1', command: ['sh', '-c', 'hostname > /tmp/me; httpd -f -p 8080 -h /tmp'] }

/** Two tenants in one namespace of the host, who use the same names and the same labels. */
export function neighbors(tenants: () => readonly [TenantOnNode, TenantOnNode]): void {
  describe('two tenants in one namespace of the host', () => {
    let blue: TenantOnNode
    let green: TenantOnNode

    beforeAll(async () => {
      ;[blue, green] = tenants()
      await Promise.all([
        ...[blue, green].map((each) => each.inside('create -f -', list(podNamed('same', {}), serviceNamed('same')))),
        green.inside('create -f -', serviceNamed('of-blue', { 'tenant.internal/managed-by': 'blue' })),
      ])
      await Promise.all([blue, green].map((each) => each.inside('wait --for=condition=Ready pod/same --timeout=180s')))
    })

    it('have Services of the same name that select their own Pods', async () => {
      for (const tenant of [blue, green]) {
        const { podIP } = (await tenant.virtual.get(pods, 'default', 'same')).status as { podIP: string }
        await soon(async () => expect(await addressesOf(tenant, 'same')).toEqual([podIP]))
        await soon(async () => expect(await inShell(tenant, 'same', 'wget -q -O - http://same:8080/me')).toBe('same\n'))
        expect(
          await inShell(tenant, 'same', 'nslookup same.default.svc.cluster.local | grep Address | tail -n 1'),
        ).toBe(`Address: ${await tenant.inside('get service same -o jsonpath={.spec.clusterIP}')}\n`)
      }
    })

    it('have no Service that selects a Pod of the other, whatever its selector is', async () => {
      expect(await addressesOf(green, 'of-blue')).toEqual([])
    })

    it('cannot keep Pods of the other off a node with affinity', async () => {
      const term = { labelSelector: { matchLabels: { app: 'same' } }, topologyKey: 'kubernetes.io/hostname' }
      const alone = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
      await green.inside('delete pod same --wait=true')
      await green.inside('create -f -', podNamed('alone', { affinity: alone }))
      await soon(async () => {
        expect((await green.virtual.get(pods, 'default', 'alone')).status).toMatchObject({ phase: 'Running' })
      }, patienceMs)
      expect((await blue.virtual.get(pods, 'default', 'same')).status).toMatchObject({ phase: 'Running' })
    })

    it('can neither see nor reach Pods of the other', async () => {
      const copy = copyName(placeOf(blue), 'default', 'same')
      const seen = JSON.stringify(await green.virtual.list(pods, ''))
      expect(seen).not.toContain(copy)
      const ways = ['log', 'exec?command=true', 'proxy/', 'proxy/me'].map((way) => `pods/${copy}/${way}`)
      for (const path of [...ways, `pods/http:${copy}:8080/proxy/me`, `pods/${copy}`, 'pods/same/log']) {
        const { status } = await green.virtual.request('GET', `/api/v1/namespaces/default/${path}`)
        expect([path, status]).toEqual([path, 404])
      }
      const own = await green.virtual.request('GET', '/api/v1/namespaces/default/pods/alone/exec?command=true')
      expect(own).toMatchObject({ status: 400, body: { message: 'Upgrade request required' } })
    })
  })
}

async function addressesOf(tenant: TenantOnNode, service: string): Promise<readonly string[]> {
  const copy = copyName(placeOf(tenant), 'default', service)
  const { subsets = [] } = await tenant.host.get(endpoints, tenant.hostNamespace, copy)
  return (subsets as { addresses?: { ip: string }[] }[]).flatMap((each) => each.addresses ?? []).map(({ ip }) => ip)
}

function podNamed(name: string, spec: object) {
  const metadata = { name, labels: { app: name === 'same' ? 'same' : 'other' } }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { terminationGracePeriodSeconds: 0, containers: [main], ...spec },
  }
}

function serviceNamed(name: string, selector: object = { app: 'same' }) {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { selector, ports: [{ port: 8080 }] } }
}

const list = (...items: readonly object[]) => ({ apiVersion: 'v1', kind: 'List', items })
