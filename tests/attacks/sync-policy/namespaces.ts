import { beforeAll, describe, expect, test } from 'vitest'
import { type Collection, configMaps, secrets, serviceAccounts, services } from '../../sync/support/objects.ts'
import { aWhile, soon } from '../../sync/support/soon.ts'
import type { Stage, Tenant } from '../../sync/support/stage.ts'

const namespaces: Collection = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces' }

/**
 * The same attacks where namespaces of the virtual cluster are mapped to namespaces of the host, and names are kept.
 */
export function namespaceAttacks(stage: () => Stage): void {
  describe('a tenant with separate namespaces on the host', () => {
    const everything = {
      configMaps: { all: true },
      secrets: { all: true },
      serviceAccounts: { enabled: true },
    }
    const word = process.hrtime.bigint().toString(36)
    const vault = `acme-${word}-vault`
    const ofAnother = `tenant-${word}`
    const shared = `shared-${word}`
    let tenant: Tenant

    /** One tenant for the tests that give none to others: each of these uses another mapping. */
    beforeAll(async () => {
      const byName = {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how tenant.yaml writes the tenant's name
        [`team-${word}-*`]: '${name}-team-*',
        [`vault-${word}-*`]: `acme-${word}-*`,
        [`taken-${word}`]: ofAnother,
        [`left-${word}`]: shared,
      }
      const namespaces = { enabled: true, mappings: { byName } }
      await stage().host.ensureNamespace(shared)
      await stage().host.ensureNamespace(vault)
      tenant = await stage().newTenant({ config: { sync: { toHost: { ...everything, namespaces } } } })
    })
    const mapped = (name: string) => ({ virtualName: `team-${word}-${name}`, hostName: `${tenant.name}-team-${name}` })

    test('cannot relax the Pod Security of a namespace, nor imitate one of the host', async () => {
      const { virtualName, hostName } = mapped('a')
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
    })

    test('cannot create a bootstrap token, claim an address or instruct a controller there either', async () => {
      const { virtualName, hostName } = mapped('b')
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
    })

    const spoils = { data: { password: 'aHVudGVyMg==' } }

    /** Tries to write into a namespace that is mapped to one of the host, and to see a Secret of it. */
    async function intrude(namespace: string, secret: string): Promise<void> {
      const { virtual } = stage()
      await virtual.create(configMaps, { metadata: { namespace, name: 'intruder' }, data: { a: '1' } })
      await virtual.create(services, { metadata: { namespace, name: 'intruder' }, spec: { ports: [{ port: 80 }] } })
      const imagePullSecrets = [{ name: secret }]
      await virtual.create(serviceAccounts, { metadata: { namespace, name: 'intruder' }, imagePullSecrets })
      await soon(async () => {
        const warned = (await stage().warnings(namespace, 'intruder')).filter((text) =>
          text.startsWith('HostNamespaceNotOwn'),
        )
        expect(warned.length).toBeGreaterThanOrEqual(3)
      })
    }

    async function isUntouched(hostName: string, namespace: string, secret: string): Promise<void> {
      await aWhile()
      for (const kind of [configMaps, services, serviceAccounts])
        expect(await stage().host.find(kind, hostName, 'intruder')).toBeUndefined()
      expect(await stage().virtual.find(secrets, namespace, secret)).toBeUndefined()
    }

    test('can neither write to nor read an existing namespace of the host', async () => {
      await stage().host.create(secrets, { metadata: { namespace: vault, name: 'spoils' }, ...spoils })
      const namespace = await stage().newNamespace(`vault-${word}-vault`)
      await intrude(namespace, 'spoils')
      await isUntouched(vault, namespace, 'spoils')
    })

    test.each([
      ['whose name begins with its own', { victim: (word: string) => `a${word}-b`, of: 'c' }],
      ['of the same name in another namespace', { victim: (word: string) => `a${word}`, of: 'b-c' }],
    ])('can neither write to nor read from a namespace of a tenant %s', async (_, { victim, of }) => {
      const word = process.hrtime.bigint().toString(36)
      const hostName = `a${word}-b-c`
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how tenant.yaml writes the tenant's name
      const target = '${name}-*'
      const configOf = (prefix: string) => {
        const namespaces = { enabled: true, mappings: { byName: { [`${prefix}-${word}-*`]: target } } }
        return { sync: { toHost: { ...everything, namespaces } } }
      }
      const right = await stage().newTenant({ name: victim(word), config: configOf('right') })
      const theirs = await stage().newNamespace(`right-${word}-${of}`)
      await stage().virtual.create(secrets, { metadata: { namespace: theirs, name: 'spoils' }, ...spoils })
      await soon(async () => expect(await stage().host.find(secrets, hostName, 'spoils')).toBeDefined())
      const left = await stage().newTenant({ name: `a${word}`, config: configOf('left') })
      const namespace = await stage().newNamespace(`left-${word}-b-c`)
      await intrude(namespace, 'spoils')
      await isUntouched(hostName, namespace, 'spoils')
      await left.remove()
      await right.remove()
    })

    test('cannot write to the namespace of another tenant', async () => {
      const labels = { 'tenant.internal/host-namespace': ofAnother }
      await stage().host.create(namespaces, { metadata: { name: ofAnother, labels } })
      await stage().host.create(secrets, { metadata: { namespace: ofAnother, name: 'tenant-other' }, ...spoils })
      const namespace = await stage().newNamespace(`taken-${word}`)
      await intrude(namespace, 'tenant-other')
      await isUntouched(ofAnother, namespace, 'tenant-other')
    })

    test('cannot read objects of another tenant in a namespace that both share', async () => {
      const namespaces = { enabled: true, mappings: { byName: { [`right-${word}`]: shared } } }
      const right = await stage().newTenant({ config: { sync: { toHost: { ...everything, namespaces } } } })
      const theirs = await stage().newNamespace(`right-${word}`)
      await stage().virtual.create(secrets, { metadata: { namespace: theirs, name: 'spoils' }, ...spoils })
      await stage().host.create(secrets, { metadata: { namespace: shared, name: 'common' }, ...spoils })
      await soon(async () => expect(await stage().host.find(secrets, shared, 'spoils')).toBeDefined())
      const namespace = await stage().newNamespace(`left-${word}`)
      const metadata = { namespace, name: 'intruder' }
      const imagePullSecrets = [{ name: 'spoils' }, { name: 'common' }]
      await stage().virtual.create(serviceAccounts, { metadata, imagePullSecrets })
      await soon(async () => expect(await stage().virtual.find(secrets, namespace, 'common')).toBeDefined())
      await aWhile()
      expect(await stage().virtual.find(secrets, namespace, 'spoils')).toBeUndefined()
      await right.remove()
    })
  })
}
