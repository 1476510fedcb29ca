import { beforeAll, describe, expect, it } from 'vitest'
import type { ClusterClient } from '../support/cluster-client.ts'
import {
  type Collection,
  type Draft,
  endpoints,
  oneAddress,
  pods,
  secrets,
  serviceAccounts,
  services,
  type Thing,
} from '../support/objects.ts'
import { exceedsQuota } from '../support/quotas.ts'
import { soon, stays } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const spec = { containers: [{ name: 'main', image: 'app:1' }], automountServiceAccountToken: false }
const quotas: Collection = { apiVersion: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas' }
const nodes: Collection = { apiVersion: 'v1', kind: 'Node', plural: 'nodes' }
const leases: Collection = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases' }
const scheduled = { type: 'PodScheduled', status: 'True' }

/**
 * Pods on a host without nodes: the test plays the scheduler and the kubelet. One tenant for all, because a Pod ends
 * with any of its copies.
 */
export function podsOnHost(stage: () => Stage): void {
  describe('Pods', () => {
    let tenant: Tenant

    beforeAll(async () => {
      tenant = await stage().newTenant()
      await ensureAccount(stage().host, tenant.hostNamespace)
    })

    const newNamespace = async () => {
      const namespace = await stage().newNamespace()
      await ensureAccount(stage().virtual, namespace)
      return namespace
    }

    it('run on the host, and their node and status are synced back', async () => {
      const { virtual, host } = stage()
      const namespace = await newNamespace()
      await virtual.create(secrets, { metadata: { namespace, name: 'tls' }, data: { a: 'MQ==' } })
      const volumes = [{ name: 'tls', secret: { secretName: 'tls' } }]
      await virtual.create(pods, {
        metadata: { namespace, name: 'web', labels: { app: 'web' } },
        spec: { ...spec, volumes, readinessGates: [{ conditionType: 'example.com/balanced' }] },
      })
      await soon(async () => {
        const copy = await tenant.copy(pods, namespace, 'web')
        const secretName = tenant.hostName(namespace, 'tls')
        expect(copy.spec).toMatchObject({ hostname: 'web', volumes: [{ secret: { secretName } }] })
        expect(copy.metadata.labels).toMatchObject(tenant.marks)
        expect(copy.metadata.labels).not.toHaveProperty('app')
        expect((await tenant.copy(secrets, namespace, 'tls')).data).toEqual({ a: 'MQ==' })
      })
      await runOnHost(host, tenant, namespace, 'web')
      await soon(async () => {
        const pod = await virtual.get(pods, namespace, 'web')
        expect(pod.spec).toMatchObject({ nodeName: 'node-1' })
        expect(pod.status).toMatchObject({ phase: 'Running', podIP: '10.0.0.7' })
      })
      const gate = { type: 'example.com/balanced', status: 'True' }
      await virtual.patch(pods, namespace, 'web', { status: { conditions: [scheduled, gate] } }, 'status')
      const both = {
        conditions: expect.arrayContaining([scheduled, gate].map((each) => expect.objectContaining(each))),
      }
      await soon(async () => {
        expect((await tenant.copy(pods, namespace, 'web')).status).toMatchObject(both)
        expect((await virtual.get(pods, namespace, 'web')).status).toMatchObject(both)
      })
    })

    it('see their node, without its addresses, while they exist', async () => {
      const { virtual, host } = stage()
      const namespace = await newNamespace()
      const node = `node-${tenant.hostNamespace}`
      await host.create(nodes, nodeDraft(node))
      await host.create(nodes, nodeDraft(`${node}-other`))
      await started(stage(), tenant, namespace, 'web', node)
      await soon(async () => expect(await virtual.find(nodes, '', node)).toBeDefined())
      const seen = await virtual.get(nodes, '', node)
      expect(seen.status).toMatchObject({ capacity: { cpu: '4' }, addresses: [{ type: 'Hostname', address: node }] })
      expect(await virtual.find(nodes, '', `${node}-other`)).toBeUndefined()
      const owner = { kind: 'Node', name: node, uid: seen.metadata.uid }
      await soon(async () =>
        expect(await virtual.get(leases, 'kube-node-lease', node)).toMatchObject({
          metadata: { ownerReferences: [owner] },
          spec: { holderIdentity: node },
        }),
      )
      await virtual.patch(nodes, '', node, { metadata: { labels: { mine: 'a' } }, spec: { unschedulable: true } })
      await soon(async () => {
        const { metadata, spec: kept } = await virtual.get(nodes, '', node)
        expect(metadata.labels).not.toHaveProperty('mine')
        expect(kept).toMatchObject({ unschedulable: true })
      })
      expect((await host.get(nodes, '', node)).spec).not.toHaveProperty('unschedulable')
      await virtual.delete(pods, namespace, 'web')
      await soon(async () => expect(graceOf(await tenant.copy(pods, namespace, 'web'))).toBe(30))
      expect(await virtual.find(nodes, '', node)).toBeDefined()
      await endOnHost(host, tenant, namespace, 'web')
      await soon(async () => expect(await virtual.find(nodes, '', node)).toBeUndefined())
      for (const name of [node, `${node}-other`]) await host.delete(nodes, '', name)
    })

    it('end together, within the requested grace period', async () => {
      const { virtual, host } = stage()
      const namespace = await newNamespace()
      await started(stage(), tenant, namespace, 'web')
      await virtual.delete(pods, namespace, 'web')
      await soon(async () => expect(graceOf(await tenant.copy(pods, namespace, 'web'))).toBe(30))
      await stays(async () => expect(graceOf(await virtual.get(pods, namespace, 'web'))).toBe(30))
      await endOnHost(host, tenant, namespace, 'web')
      await soon(async () => expect(await virtual.find(pods, namespace, 'web')).toBeUndefined())
    })

    it('are deleted in the virtual cluster when they are deleted on the host', async () => {
      const { virtual, host } = stage()
      const namespace = await newNamespace()
      await started(stage(), tenant, namespace, 'web')
      await host.delete(pods, tenant.hostNamespace, tenant.hostName(namespace, 'web'))
      await soon(async () => expect(graceOf(await virtual.get(pods, namespace, 'web'))).toBe(30))
      await endOnHost(host, tenant, namespace, 'web')
      await soon(async () => expect(await virtual.find(pods, namespace, 'web')).toBeUndefined())
    })

    it('stay when their copy has lost its marks', async () => {
      const { virtual } = stage()
      const namespace = await newNamespace()
      await started(stage(), tenant, namespace, 'web')
      await tenant.patchCopy(pods, namespace, 'web', { metadata: { labels: { 'tenant.internal/managed-by': null } } })
      await soon(async () => expect((await stage().warnings(namespace, 'web')).join()).toContain('HostNameTaken'))
      expect((await virtual.get(pods, namespace, 'web')).metadata.deletionTimestamp).toBeUndefined()
    })

    it('report in their conditions which part of the host refuses them, and run when it no longer does', async ({
      skip,
    }) => {
      if (stage().pairing.host !== 'real') skip('the embedded host has no quotas')
      const { virtual, host } = stage()
      const namespace = await newNamespace()
      const metadata = { namespace: tenant.hostNamespace, name: 'none' }
      const none = { hard: { pods: '0' }, used: { pods: '0' } }
      await host.create(quotas, { metadata, spec: { hard: { pods: '0' } } })
      await host.patch(quotas, tenant.hostNamespace, 'none', { status: none }, 'status')
      await exceedsQuota(host, pods, { metadata: { namespace: tenant.hostNamespace, name: 'asks-the-quota' }, spec })
      await virtual.create(pods, { metadata: { namespace, name: 'web' }, spec })
      const message = expect.stringMatching(/^a ResourceQuota of the host refused it: pods "web" is forbidden/)
      const condition = { type: 'PodScheduled', status: 'False', reason: 'RefusedByHost', message }
      await soon(async () =>
        expect((await virtual.get(pods, namespace, 'web')).status).toMatchObject({ conditions: [condition] }),
      )
      await host.delete(quotas, tenant.hostNamespace, 'none')
      await soon(async () => expect(await tenant.findCopy(pods, namespace, 'web')).toBeDefined())
    })

    it('are listed by the host if a Service selects them, and by the tenant if it does not', async () => {
      const { virtual } = stage()
      const namespace = await newNamespace()
      const metadata = { namespace, name: 'web' }
      await virtual.create(services, { metadata, spec: { ports: [{ port: 80 }], selector: { app: 'web' } } })
      await virtual.create(endpoints, { metadata, subsets: oneAddress('10.0.0.1') })
      await virtual.create(endpoints, { metadata: { namespace, name: 'later' }, subsets: oneAddress('10.0.0.2') })
      await soon(async () => {
        expect((await tenant.copy(services, namespace, 'web')).spec).toMatchObject({ selector: tenant.marks })
        expect(await tenant.findCopy(endpoints, namespace, 'later')).toBeDefined()
      })
      expect(addressesOf(await tenant.findCopy(endpoints, namespace, 'web'))).not.toContain('10.0.0.1')
      // A kube-apiserver 1.20 answers a patch of a Service with a conflict if the syncer writes to it at the same time.
      await soon(async () => {
        await virtual.patch(services, namespace, 'web', { spec: { selector: null } })
      })
      await soon(async () => {
        expect((await tenant.copy(services, namespace, 'web')).spec).not.toHaveProperty('selector')
        expect(addressesOf(await tenant.copy(endpoints, namespace, 'web'))).toContain('10.0.0.1')
      }, 240_000)
    })

    it('are held back if they request resources of the node', async () => {
      const { virtual } = stage()
      const namespace = await newNamespace()
      const volumes = [{ name: 'node', hostPath: { path: '/' } }]
      await virtual.create(pods, { metadata: { namespace, name: 'bad' }, spec: { ...spec, volumes } })
      await soon(async () =>
        expect((await stage().warnings(namespace, 'bad')).join()).toMatch(
          /^HeldBackByPolicy: .*spec.volumes\[0\].hostPath/,
        ),
      )
      expect(await tenant.findCopy(pods, namespace, 'bad')).toBeUndefined()
    })
  })
}

/** A controller creates it, if one runs. */
async function ensureAccount(client: ClusterClient, namespace: string): Promise<void> {
  if ((await client.find(serviceAccounts, namespace, 'default')) !== undefined) return
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts`
  const body = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
  const { status } = await client.request('POST', path, body)
  expect([201, 409]).toContain(status)
}

async function started(stage: Stage, tenant: Tenant, namespace: string, name: string, node = 'node-1'): Promise<void> {
  await stage.virtual.create(pods, { metadata: { namespace, name }, spec })
  await soon(async () => expect(await tenant.findCopy(pods, namespace, name)).toBeDefined())
  await runOnHost(stage.host, tenant, namespace, name, node)
  await soon(async () =>
    expect((await stage.virtual.get(pods, namespace, name)).status).toMatchObject({ phase: 'Running' }),
  )
}

async function runOnHost(
  host: ClusterClient,
  tenant: Tenant,
  namespace: string,
  name: string,
  node = 'node-1',
): Promise<void> {
  const copy = tenant.hostName(namespace, name)
  const target = { apiVersion: 'v1', kind: 'Node', name: node }
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: copy }, target }
  const { status } = await host.request('POST', `${pathOf(pods, tenant, copy)}/binding`, body)
  expect(status).toBe(201)
  const running = { phase: 'Running', podIP: '10.0.0.7', podIPs: [{ ip: '10.0.0.7' }], conditions: [scheduled] }
  await host.patch(pods, tenant.hostNamespace, copy, { status: running }, 'status')
}

async function endOnHost(host: ClusterClient, tenant: Tenant, namespace: string, name: string): Promise<void> {
  const path = pathOf(pods, tenant, tenant.hostName(namespace, name))
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 }
  const { status } = await host.request('DELETE', path, body)
  expect(status).toBe(200)
}

function nodeDraft(name: string): Draft {
  const time = '2030-01-01T00:00:00Z'
  const ready = { type: 'Ready', status: 'True', reason: 'Fine', lastHeartbeatTime: time, lastTransitionTime: time }
  const addresses = [{ type: 'InternalIP', address: '192.0.2.7' }]
  return { metadata: { name }, status: { capacity: { cpu: '4' }, conditions: [ready], addresses } }
}

function pathOf({ plural }: Collection, { hostNamespace }: Tenant, name: string): string {
  return `/api/v1/namespaces/${hostNamespace}/${plural}/${name}`
}

function addressesOf(thing: Thing | undefined): string {
  return JSON.stringify(thing?.subsets ?? [])
}

function graceOf({ metadata }: Thing): unknown {
  return 'deletionGracePeriodSeconds' in metadata ? metadata.deletionGracePeriodSeconds : undefined
}
