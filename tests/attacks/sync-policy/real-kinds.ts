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
  describe('a tenant for which more kinds are switched on', () => {
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

    test('an Ingress asks for a host name that is not its own', async () => {
      expect(await hold(ingresses, { spec: { rules: [rule('platform.example.com')] } })).toContain('ingresses.hosts')
    })

    test('an Ingress asks for all traffic that no other Ingress takes', async () => {
      expect(await hold(ingresses, { spec: { defaultBackend: backend } })).toContain('spec.defaultBackend')
    })

    test('an Ingress brings a snippet for the controller', async () => {
      const name = 'snippet'
      const annotations = { 'nginx.ingress.kubernetes.io/server-snippet': 'return 200;' }
      const metadata = { namespace, name, annotations }
      await stage().virtual.create(ingresses, { metadata, spec: { rules: [rule('a.tenant.example.com')] } })
      await soon(async () => expect((await stage().warnings(namespace, name)).join()).toContain('HeldBackByPolicy'))
      expect(await tenant.findCopy(ingresses, namespace, name)).toBeUndefined()
    })

    test('a certificate of an Ingress is for the hosts of others too', async () => {
      const rules = [rule('a.tenant.example.com'), rule('platform.example.com')]
      const tls = [{ hosts: ['a.tenant.example.com', 'platform.example.com'], secretName: 'x' }]
      const { copy } = await write(ingresses, { spec: { rules, tls } })
      expect(copy.spec).toMatchObject({
        rules: [{ host: 'a.tenant.example.com' }],
        tls: [{ hosts: ['a.tenant.example.com'] }],
      })
      expect(JSON.stringify(copy.spec)).not.toContain('platform')
    })

    test('a ServiceAccount takes a role of the cloud', async () => {
      const annotations = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/admin' }
      const { copy } = await write(serviceAccounts, { metadata: { annotations } })
      expect(copy.metadata.annotations).not.toHaveProperty(['eks.amazonaws.com/role-arn'])
    })

    test('a claim chooses a volume and copies a snapshot of another tenant', async () => {
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

    test("a claim can only clone one of the tenant's own claims, under its name on the host", async () => {
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
    ])('a selector that a patch translates selects %s', async (_what, selector) => {
      const name = `selector-${process.hrtime.bigint().toString(36)}`
      await stage().virtual.create(certificates, { metadata: { namespace, name }, spec: { selector } })
      await soon(async () => {
        const { spec } = await tenant.copy(certificates, namespace, name)
        expect(spec).toMatchObject({ selector: { matchLabels: tenant.marks } })
      })
    })
  })
}
