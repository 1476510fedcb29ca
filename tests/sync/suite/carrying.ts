import { beforeAll, describe, expect, it } from 'vitest'
import { configMaps, endpoints, oneAddress, secrets, services, type Thing } from '../support/objects.ts'
import { exampleKeysAllowed } from '../support/policies.ts'
import { settled, soon, stays } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const all = {
  sync: { toHost: { configMaps: { all: true }, secrets: { all: true } } },
  policies: {
    sync: {
      ...exampleKeysAllowed.sync,
      externalNames: { allowed: ['db.example.com'] },
      loadBalancers: { enabled: true },
    },
  },
}
const mark = 'tenant.internal/'

export function carrying(stage: () => Stage): void {
  describe('objects of a tenant', () => {
    let tenant: Tenant
    let namespace: string

    beforeAll(async () => {
      tenant = await stage().newTenant({ config: all })
      namespace = await stage().newNamespace()
    })

    it('Endpoints appear on the host under their translated name, with the marks of their origin', async () => {
      const subsets = [
        {
          addresses: [{ ip: '10.1.2.3', hostname: 'one' }, { ip: '10.1.2.4' }],
          notReadyAddresses: [{ ip: '10.1.2.5' }],
          ports: [
            { name: 'http', port: 80, protocol: 'TCP' },
            { name: 'dns', port: 53, protocol: 'UDP' },
          ],
        },
      ]
      const labels = { app: 'web', 'example.com/tier': 'front' }
      const created = await stage().virtual.create(endpoints, { metadata: { namespace, name: 'web', labels }, subsets })
      await soon(async () => {
        const copy = await tenant.copy(endpoints, namespace, 'web')
        expect(copy.subsets).toEqual(subsets)
        expect(copy.metadata.labels).toMatchObject({ ...labels, [`${mark}managed-by`]: tenant.name })
        expect(copy.metadata.annotations).toMatchObject({
          [`${mark}object-name`]: 'web',
          [`${mark}object-namespace`]: namespace,
          [`${mark}object-uid`]: created.metadata.uid,
          [`${mark}object-kind`]: 'Endpoints',
        })
      })
    })

    it('the target of an address has its host name, without uid and version', async () => {
      const target = { kind: 'Pod', namespace, name: 'web-0', uid: 'a-uid', resourceVersion: '7' }
      const subsets = [{ addresses: [{ ip: '10.1.2.3', targetRef: target }], ports: [{ port: 80, protocol: 'TCP' }] }]
      await stage().virtual.create(endpoints, { metadata: { namespace, name: 'targets' }, subsets })
      await soon(async () => {
        const copy = await tenant.copy(endpoints, namespace, 'targets')
        const name = tenant.hostName(namespace, 'web-0')
        expect(copy.subsets).toMatchObject([{ addresses: [{ ip: '10.1.2.3', targetRef: { kind: 'Pod', name } }] }])
        expect(JSON.stringify(copy.subsets)).not.toContain('a-uid')
      })
    })

    it('a Service selects Pods of its tenant and namespace, and keeps the rest', async () => {
      const ports = [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }]
      const spec = { ports, selector: { app: 'web' }, sessionAffinity: 'ClientIP' }
      await stage().virtual.create(services, { metadata: { namespace, name: 'front' }, spec })
      await soon(async () => {
        const copy = await tenant.copy(services, namespace, 'front')
        expect(copy.spec).toMatchObject({ ports, sessionAffinity: 'ClientIP', type: 'ClusterIP' })
        const marks = { ...tenant.marks, [`${mark}object-namespace`]: namespace }
        expect(copy.spec).toMatchObject({ selector: marks })
        expect(copy.spec).not.toMatchObject({ selector: { app: 'web' } })
      })
    })

    it('the cluster IP that the host assigns to a Service is known in the virtual cluster', async () => {
      await stage().virtual.create(services, {
        metadata: { namespace, name: 'addressed' },
        spec: { ports: [{ port: 80 }] },
      })
      await soon(async () => {
        const copy = await tenant.copy(services, namespace, 'addressed')
        const virtual = await stage().virtual.get(services, namespace, 'addressed')
        const address = clusterIP(copy)
        expect([virtual.metadata.annotations?.[`${mark}host-cluster-ip`], clusterIP(virtual)]).toContain(address)
      })
    })

    it('headless Services and ExternalNames keep their type', async () => {
      const headless = { clusterIP: 'None', ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] }
      const external = { type: 'ExternalName', externalName: 'db.example.com' }
      await stage().virtual.create(services, { metadata: { namespace, name: 'headless' }, spec: headless })
      await stage().virtual.create(services, { metadata: { namespace, name: 'external' }, spec: external })
      await soon(async () => {
        expect((await tenant.copy(services, namespace, 'headless')).spec).toMatchObject(headless)
        expect((await tenant.copy(services, namespace, 'external')).spec).toMatchObject(external)
      })
    })

    it('the status of a load balancer is synced back', async () => {
      const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] }
      await stage().virtual.create(services, { metadata: { namespace, name: 'balanced' }, spec })
      await soon(() => tenant.copy(services, namespace, 'balanced').then(() => undefined))
      const status = { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } }
      await stage().host.patch(
        services,
        tenant.hostNamespace,
        tenant.hostName(namespace, 'balanced'),
        { status },
        'status',
      )
      await soon(async () => {
        expect((await stage().virtual.get(services, namespace, 'balanced')).status).toMatchObject(status)
      })
    })

    it('Secrets and ConfigMaps appear with all their data', async () => {
      const data = { text: 'one\ntwo', empty: '' }
      const binaryData = { bytes: Buffer.from([0, 255, 10]).toString('base64') }
      const secret = { type: 'example.com/any', data: { key: Buffer.from('value').toString('base64') } }
      await stage().virtual.create(configMaps, { metadata: { namespace, name: 'settings' }, data, binaryData })
      await stage().virtual.create(secrets, { metadata: { namespace, name: 'credentials' }, ...secret })
      await soon(async () => {
        expect(await tenant.copy(configMaps, namespace, 'settings')).toMatchObject({ data, binaryData })
        expect(await tenant.copy(secrets, namespace, 'credentials')).toMatchObject(secret)
      })
    })

    it('changes, removed fields and deletions are synced', async () => {
      const { virtual } = stage()
      await virtual.create(configMaps, {
        metadata: { namespace, name: 'life', labels: { a: '1', b: '2' } },
        data: { x: '1', y: '2' },
      })
      await soon(() => tenant.copy(configMaps, namespace, 'life').then(() => undefined))
      await virtual.patch(configMaps, namespace, 'life', {
        metadata: { labels: { a: null, b: '3' } },
        data: { x: null, y: '3' },
      })
      await soon(async () => {
        const copy = await tenant.copy(configMaps, namespace, 'life')
        expect(copy.data).toEqual({ y: '3' })
        expect(copy.metadata.labels).toEqual({ b: '3', ...tenant.marks })
      })
      await virtual.delete(configMaps, namespace, 'life')
      await soon(async () => expect(await tenant.findCopy(configMaps, namespace, 'life')).toBeUndefined())
    })

    it('an object that was created again under its name gets a new copy', async () => {
      const { virtual } = stage()
      const draft = (ip: string) => ({ metadata: { namespace, name: 'again' }, subsets: oneAddress(ip) })
      await virtual.create(endpoints, draft('10.0.0.1'))
      await soon(() => tenant.copy(endpoints, namespace, 'again').then(() => undefined))
      const first = await tenant.copy(endpoints, namespace, 'again')
      await virtual.delete(endpoints, namespace, 'again')
      const { metadata } = await virtual.create(endpoints, draft('10.0.0.2'))
      await soon(async () => {
        const copy = await tenant.copy(endpoints, namespace, 'again')
        expect(copy.subsets).toEqual(oneAddress('10.0.0.2'))
        expect(copy.metadata.annotations?.[`${mark}object-uid`]).toBe(metadata.uid)
        expect(copy.metadata.uid).not.toBe(first.metadata.uid)
      })
    })

    it('the Endpoints of the API itself are not synced', async () => {
      await stage().virtual.create(endpoints, {
        metadata: { namespace: 'default', name: namespace },
        subsets: oneAddress('10.0.0.1'),
      })
      await soon(() => tenant.copy(endpoints, 'default', namespace).then(() => undefined))
      expect(await tenant.findCopy(endpoints, 'default', 'kubernetes')).toBeUndefined()
    })

    it('nothing is written while nothing changes', async () => {
      await stage().virtual.create(services, {
        metadata: { namespace, name: 'quiet' },
        spec: { ports: [{ port: 80 }] },
      })
      await stage().virtual.create(endpoints, {
        metadata: { namespace, name: 'quiet' },
        subsets: [{ addresses: [{ ip: '10.0.0.9' }, { ip: '10.0.0.1' }], ports: [{ port: 1 }] }],
      })
      await soon(() => tenant.copy(endpoints, namespace, 'quiet').then(() => undefined))
      await soon(() => tenant.copy(services, namespace, 'quiet').then(() => undefined))
      const versions = () => versionsOf(stage(), tenant, namespace, 'quiet')
      const before = await settled(versions)
      await stays(async () => expect(await versions()).toEqual(before), 1_500)
    })
  })
}

async function versionsOf({ virtual }: Stage, tenant: Tenant, namespace: string, name: string) {
  const things = [
    await tenant.copy(services, namespace, name),
    await tenant.copy(endpoints, namespace, name),
    await virtual.get(services, namespace, name),
    await virtual.get(endpoints, namespace, name),
  ]
  return things.map(({ metadata }) => metadata.resourceVersion)
}

function clusterIP({ spec }: Thing): unknown {
  return typeof spec === 'object' && spec !== null && 'clusterIP' in spec ? spec.clusterIP : undefined
}
