import { beforeAll, describe, expect, it } from 'vitest'
import type { ClusterClient } from '../support/cluster-client.ts'
import {
  type Collection,
  claims,
  collectionPath,
  ingresses,
  networkPolicies,
  secrets,
  serviceAccounts,
} from '../support/objects.ts'
import { soon } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const selector = { path: 'spec.podSelector', labels: {} }
const config = {
  sync: {
    toHost: {
      ingresses: { enabled: true },
      networkPolicies: { enabled: true, patches: [selector] },
      serviceAccounts: { enabled: true },
      persistentVolumeClaims: { enabled: true },
    },
  },
  policies: { sync: { ingresses: { hosts: ['*'] } } },
}

async function serves(client: ClusterClient, kind: Collection): Promise<boolean> {
  return (await client.request('GET', `${collectionPath(kind, '')}?limit=1`)).status === 200
}

export function genericKinds(stage: () => Stage): void {
  describe('other kinds of Kubernetes', () => {
    let tenant: Tenant
    let namespace: string

    beforeAll(async () => {
      tenant = await stage().newTenant({ config })
      namespace = await stage().newNamespace()
    })

    /** Why a kind cannot be tested between these two. */
    const unserved = async (kind: Collection) => {
      const isServed = (await serves(stage().virtual, kind)) && (await serves(stage().host, kind))
      return isServed ? undefined : `one of the APIs serves no ${kind.plural}`
    }
    const secret = (name: string) =>
      stage().virtual.create(secrets, { metadata: { namespace, name }, data: { a: 'MQ==' } })
    const gone = async (kind: Collection, name: string) => {
      await stage().virtual.delete(kind, namespace, name)
      await soon(async () => expect(await tenant.findCopy(kind, namespace, name)).toBeUndefined())
    }

    it('a ServiceAccount is synced with its image pull Secrets', async ({ skip }) => {
      const missing = await unserved(serviceAccounts)
      if (missing !== undefined) skip(missing)
      await secret('registry')
      await stage().virtual.create(serviceAccounts, {
        metadata: { namespace, name: 'builder' },
        imagePullSecrets: [{ name: 'registry' }],
        automountServiceAccountToken: false,
      })
      await soon(async () => {
        expect(await tenant.copy(serviceAccounts, namespace, 'builder')).toMatchObject({
          imagePullSecrets: [{ name: tenant.hostName(namespace, 'registry') }],
          automountServiceAccountToken: false,
        })
        expect((await tenant.copy(secrets, namespace, 'registry')).data).toEqual({ a: 'MQ==' })
      })
      await stage().virtual.patch(serviceAccounts, namespace, 'builder', { imagePullSecrets: null })
      await soon(async () => {
        expect(await tenant.copy(serviceAccounts, namespace, 'builder')).not.toHaveProperty('imagePullSecrets')
        expect(await tenant.findCopy(secrets, namespace, 'registry')).toBeUndefined()
      })
      await gone(serviceAccounts, 'builder')
    })

    it('an Ingress leads to the copies of its Services and Secrets, and its status is synced back', async ({
      skip,
    }) => {
      const missing = await unserved(ingresses)
      if (missing !== undefined) skip(missing)
      await secret('tls')
      const backend = (name: string) => ({ service: { name, port: { number: 80 } } })
      const spec = (service: string, secretName: string) => ({
        defaultBackend: backend(service),
        tls: [{ hosts: ['a.example.com'], secretName }],
      })
      await stage().virtual.create(ingresses, { metadata: { namespace, name: 'web' }, spec: spec('web', 'tls') })
      await soon(async () => {
        const translated = spec(tenant.hostName(namespace, 'web'), tenant.hostName(namespace, 'tls'))
        expect((await tenant.copy(ingresses, namespace, 'web')).spec).toMatchObject(translated)
        expect((await tenant.copy(secrets, namespace, 'tls')).data).toEqual({ a: 'MQ==' })
      })
      const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } }
      await stage().host.patch(ingresses, tenant.hostNamespace, tenant.hostName(namespace, 'web'), { status }, 'status')
      await soon(async () =>
        expect((await stage().virtual.get(ingresses, namespace, 'web')).status).toMatchObject(status),
      )
      await stage().virtual.patch(ingresses, namespace, 'web', { spec: { tls: null } })
      await soon(async () => {
        expect((await tenant.copy(ingresses, namespace, 'web')).spec).not.toHaveProperty('tls')
        expect(await tenant.findCopy(secrets, namespace, 'tls')).toBeUndefined()
      })
      await gone(ingresses, 'web')
    })

    it('a NetworkPolicy selects the Pods of its tenant, even if a patch changes its selector', async ({ skip }) => {
      const missing = await unserved(networkPolicies)
      if (missing !== undefined) skip(missing)
      const podSelector = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] }
      const metadata = { namespace, name: 'deny' }
      await stage().virtual.create(networkPolicies, { metadata, spec: { podSelector, policyTypes: ['Ingress'] } })
      const inNamespace = { key: 'tenant.internal/object-namespace', operator: 'In', values: [namespace] }
      await soon(async () =>
        expect((await tenant.copy(networkPolicies, namespace, 'deny')).spec).toMatchObject({
          podSelector: { matchLabels: tenant.marks, matchExpressions: [{ operator: 'Exists' }, inNamespace] },
        }),
      )
      expect((await stage().virtual.get(networkPolicies, namespace, 'deny')).spec).toMatchObject({ podSelector })
      await gone(networkPolicies, 'deny')
    })

    it('a PersistentVolumeClaim is synced, and the host selects its volume', async ({ skip }) => {
      const missing = await unserved(claims)
      if (missing !== undefined) skip(missing)
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeName: 'mine' }
      await stage().virtual.create(claims, { metadata: { namespace, name: 'data' }, spec })
      await soon(async () => {
        const { volumeName: _, ...carried } = spec
        const copy = await tenant.copy(claims, namespace, 'data')
        expect(copy.spec).toMatchObject(carried)
        expect(copy.spec).not.toHaveProperty('volumeName')
      })
      const status = { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' } }
      await stage().host.patch(claims, tenant.hostNamespace, tenant.hostName(namespace, 'data'), { status }, 'status')
      await soon(async () =>
        expect((await stage().virtual.get(claims, namespace, 'data')).status).toMatchObject(status),
      )
    })
  })
}
