import { describe, expect, test } from 'vitest'
import { type Collection, configMaps, secrets, services } from '../../sync/support/objects.ts'
import { soon } from '../../sync/support/soon.ts'
import type { Stage } from '../../sync/support/stage.ts'

const namespaces: Collection = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces' }

/** The same where namespaces of the virtual cluster are namespaces of the host, and names stay as they are. */
export function namespaceAttacks(stage: () => Stage): void {
  describe('a tenant with namespaces of its own on the host', () => {
    async function mapped() {
      const word = process.hrtime.bigint().toString(36)
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how tenant.yaml writes the tenant's name
      const mappings = { byName: { [`team-${word}-*`]: '${name}-team-*' } }
      const toHost = { namespaces: { enabled: true, mappings }, configMaps: { all: true }, secrets: { all: true } }
      const tenant = await stage().newTenant({ config: { sync: { toHost } } })
      return { tenant, virtualName: `team-${word}-a`, hostName: `${tenant.name}-team-a` }
    }

    test('does not loosen the pod security of a namespace, nor pass for one of the host’s', async () => {
      const { tenant, virtualName, hostName } = await mapped()
      const labels = {
        'pod-security.kubernetes.io/enforce': 'privileged',
        environment: 'production',
        name: 'kube-system',
      }
      await stage().virtual.create(namespaces, { metadata: { name: virtualName, labels } })
      await soon(async () => {
        const found = await stage().host.find(namespaces, '', hostName)
        expect(found?.metadata.labels).toMatchObject({ 'tenant.internal/managed-by': tenant.name })
        for (const key of Object.keys(labels)) expect(found?.metadata.labels).not.toHaveProperty([key])
      })
      await tenant.remove()
    })

    test('makes no bootstrap token, claims no address and speaks to no controller there either', async () => {
      const { tenant, virtualName, hostName } = await mapped()
      await stage().newNamespace(virtualName)
      const metadata = { namespace: virtualName, name: 'x', labels: { 'k8s-app': 'kube-dns', plain: 'kept' } }
      await stage().virtual.create(secrets, { metadata, type: 'bootstrap.kubernetes.io/token', data: {} })
      await stage().virtual.create(services, {
        metadata,
        spec: { ports: [{ port: 80 }], externalIPs: ['203.0.113.7'] },
      })
      await stage().virtual.create(configMaps, { metadata })
      await soon(async () => {
        const secret = await stage().host.get(secrets, hostName, 'x')
        expect(secret.type).toBe('Opaque')
        expect((await stage().host.get(services, hostName, 'x')).spec).not.toHaveProperty('externalIPs')
        const copy = await stage().host.get(configMaps, hostName, 'x')
        expect(copy.metadata.labels).toMatchObject({ plain: 'kept' })
        expect(copy.metadata.labels).not.toHaveProperty('k8s-app')
      })
      await tenant.remove()
    })
  })
}
