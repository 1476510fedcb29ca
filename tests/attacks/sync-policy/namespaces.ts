import { describe, expect, test } from 'vitest'
import { type Collection, configMaps, secrets, serviceAccounts, services } from '../../sync/support/objects.ts'
import { aWhile, soon } from '../../sync/support/soon.ts'
import type { Stage } from '../../sync/support/stage.ts'

const namespaces: Collection = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces' }

/**
 * The same attacks where namespaces of the virtual cluster are mapped to namespaces of the host, and names are kept.
 */
export function namespaceAttacks(stage: () => Stage): void {
  describe('a tenant with separate namespaces on the host', () => {
    async function mapped() {
      const word = process.hrtime.bigint().toString(36)
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how tenant.yaml writes the tenant's name
      const mappings = { byName: { [`team-${word}-*`]: '${name}-team-*' } }
      const toHost = { namespaces: { enabled: true, mappings }, configMaps: { all: true }, secrets: { all: true } }
      const tenant = await stage().newTenant({ config: { sync: { toHost } } })
      return { tenant, virtualName: `team-${word}-a`, hostName: `${tenant.name}-team-a` }
    }

    test('cannot relax the Pod Security of a namespace, nor imitate one of the host', async () => {
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

    test('cannot create a bootstrap token, claim an address or instruct a controller there either', async () => {
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

    const everything = {
      configMaps: { all: true },
      secrets: { all: true },
      serviceAccounts: { enabled: true },
    }
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
      const word = process.hrtime.bigint().toString(36)
      const hostName = `acme-${word}-vault`
      await stage().host.ensureNamespace(hostName)
      await stage().host.create(secrets, { metadata: { namespace: hostName, name: 'spoils' }, ...spoils })
      const mappings = { byName: { [`team-${word}-*`]: `acme-${word}-*` } }
      const config = { sync: { toHost: { ...everything, namespaces: { enabled: true, mappings } } } }
      const tenant = await stage().newTenant({ config })
      const namespace = await stage().newNamespace(`team-${word}-vault`)
      await intrude(namespace, 'spoils')
      await isUntouched(hostName, namespace, 'spoils')
      await tenant.remove()
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
      const word = process.hrtime.bigint().toString(36)
      const hostName = `tenant-${word}`
      const labels = { 'tenant.internal/host-namespace': hostName }
      await stage().host.create(namespaces, { metadata: { name: hostName, labels } })
      await stage().host.create(secrets, { metadata: { namespace: hostName, name: 'tenant-other' }, ...spoils })
      const mappings = { byName: { [`team-${word}`]: hostName } }
      const config = { sync: { toHost: { ...everything, namespaces: { enabled: true, mappings } } } }
      const tenant = await stage().newTenant({ config })
      const namespace = await stage().newNamespace(`team-${word}`)
      await intrude(namespace, 'tenant-other')
      await isUntouched(hostName, namespace, 'tenant-other')
      await tenant.remove()
    })

    test('cannot read objects of another tenant in a namespace that both share', async () => {
      const word = process.hrtime.bigint().toString(36)
      const hostName = `shared-${word}`
      await stage().host.ensureNamespace(hostName)
      const configOf = (from: string) => {
        const namespaces = { enabled: true, mappings: { byName: { [from]: hostName } } }
        return { sync: { toHost: { ...everything, namespaces } } }
      }
      const right = await stage().newTenant({ config: configOf(`right-${word}`) })
      const theirs = await stage().newNamespace(`right-${word}`)
      await stage().virtual.create(secrets, { metadata: { namespace: theirs, name: 'spoils' }, ...spoils })
      await stage().host.create(secrets, { metadata: { namespace: hostName, name: 'common' }, ...spoils })
      await soon(async () => expect(await stage().host.find(secrets, hostName, 'spoils')).toBeDefined())
      const left = await stage().newTenant({ config: configOf(`left-${word}`) })
      const namespace = await stage().newNamespace(`left-${word}`)
      const metadata = { namespace, name: 'intruder' }
      const imagePullSecrets = [{ name: 'spoils' }, { name: 'common' }]
      await stage().virtual.create(serviceAccounts, { metadata, imagePullSecrets })
      await soon(async () => expect(await stage().virtual.find(secrets, namespace, 'common')).toBeDefined())
      await aWhile()
      expect(await stage().virtual.find(secrets, namespace, 'spoils')).toBeUndefined()
      await left.remove()
      await right.remove()
    })
  })
}
