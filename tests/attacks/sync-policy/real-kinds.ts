import { beforeAll, describe, expect, test } from 'vitest'
import { certificates, definesCustomResources } from '../../sync/support/custom-resources.ts'
import { type Collection, claims, ingresses, serviceAccounts } from '../../sync/support/objects.ts'
import { soon } from '../../sync/support/soon.ts'
import type { Stage, Tenant } from '../../sync/support/stage.ts'
import { attack, heldAttack } from './support.ts'

const config = {
  sync: {
    toHost: {
      ingresses: { enabled: true },
      serviceAccounts: { enabled: true },
      persistentVolumeClaims: { enabled: true },
      customResources: {
        'certificates.tests.example.com': { enabled: true, patches: [{ path: 'spec.selector', labels: {} }] },
      },
    },
  },
  policies: {
    sync: { ingresses: { hosts: ['*.tenant.example.com'] } },
  },
}

/** Kinds that are off by default, between servers that have them. */
export function realKindAttacks(stage: () => Stage): void {
  describe('a tenant with more kinds enabled', () => {
    let tenant: Tenant
    let namespace: string

    beforeAll(async () => {
      for (const client of [stage().virtual, stage().host]) await definesCustomResources(client)
      tenant = await stage().newTenant({ config })
      namespace = await stage().newNamespace()
    })

    const write = (kind: Collection, draft: Parameters<typeof attack>[4]) =>
      attack(stage(), tenant, namespace, kind, draft)
    const hold = (kind: Collection, fields: object) => heldAttack(stage(), tenant, namespace, kind, fields)
    const backend = { service: { name: 'web', port: { number: 80 } } }
    const rule = (host: string) => ({ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } })

    test('cannot request a foreign host name with an Ingress', async () => {
      expect(await hold(ingresses, { spec: { rules: [rule('platform.example.com')] } })).toContain('ingresses.hosts')
    })

    test('cannot request all unmatched traffic with an Ingress', async () => {
      expect(await hold(ingresses, { spec: { defaultBackend: backend } })).toContain('spec.defaultBackend')
    })

    test('cannot pass a snippet to the controller with an Ingress', async () => {
      const name = 'snippet'
      const annotations = { 'nginx.ingress.kubernetes.io/server-snippet': 'return 200;' }
      const metadata = { namespace, name, annotations }
      await stage().virtual.create(ingresses, { metadata, spec: { rules: [rule('a.tenant.example.com')] } })
      await soon(async () => expect((await stage().warnings(namespace, name)).join()).toContain('HeldBackByPolicy'))
      expect(await tenant.findCopy(ingresses, namespace, name)).toBeUndefined()
    })

    test('cannot use a certificate for hosts of others with an Ingress', async () => {
      const rules = [rule('a.tenant.example.com'), rule('platform.example.com')]
      const tls = [{ hosts: ['a.tenant.example.com', 'platform.example.com'], secretName: 'x' }]
      const { copy } = await write(ingresses, { spec: { rules, tls } })
      expect(copy.spec).toMatchObject({
        rules: [{ host: 'a.tenant.example.com' }],
        tls: [{ hosts: ['a.tenant.example.com'] }],
      })
      expect(JSON.stringify(copy.spec)).not.toContain('platform')
    })

    test('cannot assume a role of the cloud with a ServiceAccount', async () => {
      const annotations = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/admin' }
      const { copy } = await write(serviceAccounts, { metadata: { annotations } })
      expect(copy.metadata.annotations).not.toHaveProperty(['eks.amazonaws.com/role-arn'])
    })

    test('cannot select a volume or copy a snapshot of another tenant with a claim', async () => {
      const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'of-a-neighbor' }
      const spec = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        selector: { matchLabels: { of: 'a-neighbor' } },
        dataSource,
      }
      const { copy } = await write(claims, { spec })
      for (const field of ['selector', 'dataSource', 'dataSourceRef']) expect(copy.spec).not.toHaveProperty(field)
    })

    test('can clone only its own claims, under their names on the host', async () => {
      const spec = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        dataSource: { kind: 'PersistentVolumeClaim', name: 'v-of-a-neighbor' },
      }
      await stage().virtual.create(claims, { metadata: { namespace, name: 'clone' }, spec })
      await soon(async () =>
        expect((await tenant.copy(claims, namespace, 'clone')).spec).toMatchObject({
          dataSource: { name: tenant.hostName(namespace, 'v-of-a-neighbor') },
        }),
      )
    })

    test.each([
      ['everything', {}],
      ['everything with matchLabels', { matchLabels: {} }],
      ['another tenant', { matchLabels: { 'tenant.internal/managed-by': 'victim' } }],
      ['everything but itself', { matchExpressions: [{ key: 'tenant.internal/managed-by', operator: 'Exists' }] }],
    ])('cannot use a patched selector to select %s', async (_what, selector) => {
      const name = `selector-${process.hrtime.bigint().toString(36)}`
      await stage().virtual.create(certificates, { metadata: { namespace, name }, spec: { selector } })
      await soon(async () => {
        const { spec } = await tenant.copy(certificates, namespace, name)
        expect(spec).toMatchObject({ selector: { matchLabels: tenant.marks } })
      })
    })
  })
}
