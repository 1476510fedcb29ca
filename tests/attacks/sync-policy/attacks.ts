import { beforeAll, describe, expect, test } from 'vitest'
import { type Collection, configMaps, endpoints, oneAddress, secrets, services } from '../../sync/support/objects.ts'
import { soon, stays } from '../../sync/support/soon.ts'
import type { Stage, Tenant } from '../../sync/support/stage.ts'
import { attack, heldAttack } from './support.ts'

const hostRanges = ['10.96.0.0/12', '192.0.2.0/24']
const config = {
  sync: { toHost: { configMaps: { all: true }, secrets: { all: true }, endpointSlices: { enabled: true } } },
  policies: { sync: { endpointAddresses: { host: hostRanges, denied: ['10.200.0.0/16'] } } },
}
const slices: Collection = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', plural: 'endpointslices' }
const ports = [{ port: 80, protocol: 'TCP' }]

/** Attacks on the host by a tenant with every right in its own cluster. */
export function syncPolicyAttacks(stage: () => Stage): void {
  describe('a tenant with all rights in its own cluster', () => {
    let tenant: Tenant
    let namespace: string

    beforeAll(async () => {
      tenant = await stage().newTenant({ config })
      namespace = await stage().newNamespace()
    })

    const write = (kind: typeof services, draft: Parameters<typeof attack>[4]) =>
      attack(stage(), tenant, namespace, kind, draft)
    const service = (spec: object, metadata: object = {}) => write(services, { spec: { ports, ...spec }, metadata })

    describe('cannot take over traffic of others', () => {
      test('by claiming an address as external IP', async () => {
        const { copy, warning } = await service({ externalIPs: ['203.0.113.7'] })
        expect(copy.spec).not.toHaveProperty('externalIPs')
        expect(warning).toContain('policies.sync.externalIPs.allowed')
      })

      test('by claiming the address of the host’s API as external IP', async () => {
        expect((await service({ externalIPs: ['10.96.0.1'] })).copy.spec).not.toHaveProperty('externalIPs')
      })

      test('by asking for the address of a load balancer', async () => {
        const { copy } = await service({ type: 'LoadBalancer', loadBalancerIP: '203.0.113.8' })
        expect(copy.spec).toMatchObject({ type: 'ClusterIP' })
        expect(copy.spec).not.toHaveProperty('loadBalancerIP')
      })

      test('by a load balancer that was not allowed', async () => {
        const { copy, warning } = await service({ type: 'LoadBalancer' })
        expect(copy.spec).toMatchObject({ type: 'ClusterIP' })
        expect(warning).toContain('policies.sync.loadBalancers.enabled')
      })

      test('by a port of every node', async () => {
        const { copy, warning } = await service({ type: 'NodePort' })
        expect(copy.spec).toMatchObject({ type: 'ClusterIP' })
        expect(JSON.stringify(copy.spec)).not.toContain('nodePort')
        expect(warning).toContain('policies.sync.nodePorts.enabled')
      })

      test('by a class of load balancers', async () => {
        const { copy } = await service({ type: 'LoadBalancer', loadBalancerClass: 'example.com/public' })
        expect(copy.spec).not.toHaveProperty('loadBalancerClass')
      })
    })

    describe('cannot point elsewhere with a DNS name', () => {
      test.each([
        'kubernetes.default.svc.cluster.local',
        'kubernetes.default.svc',
        'kubernetes.default',
        'kubernetes',
        'localhost',
        'metadata.google.internal',
        '169.254.169.254',
        'db.example.com',
      ])('%s', async (externalName) => {
        const spec = { type: 'ExternalName', externalName }
        const warning = await heldAttack(stage(), tenant, namespace, services, { spec })
        expect(warning).toContain('spec.externalName')
        expect(warning).toContain('policies.sync.externalNames.allowed')
      })

      test('with a change of an existing Service', async () => {
        await stage().virtual.create(services, { metadata: { namespace, name: 'turncoat' }, spec: { ports } })
        await soon(() => tenant.copy(services, namespace, 'turncoat').then(() => undefined))
        await stage().virtual.patch(services, namespace, 'turncoat', {
          spec: { type: 'ExternalName', externalName: 'kubernetes.default.svc', clusterIP: null, clusterIPs: null },
        })
        await soon(async () => expect(await tenant.findCopy(services, namespace, 'turncoat')).toBeUndefined())
      })
    })

    describe('cannot point elsewhere with addresses', () => {
      test.each([
        ['of the range of the host’s Services', '10.96.0.1'],
        ['of a node of the host', '192.0.2.10'],
        ['of a network that the operator denies', '10.200.1.1'],
        ['of a cloud’s metadata outside of the link-local range', '168.63.129.16'],
        ['of NAT64 that stands for metadata', '64:ff9b::a9fe:a9fe'],
        ['of 6to4 that stands for loopback', '2002:7f00:1::1'],
        ['of a translator that stands for metadata', '::ffff:0:169.254.169.254'],
        ['of IPv6 that stands for IPv4', '::ffff:10.96.0.1'],
        ['with leading zeros', '010.096.000.001'],
      ])('%s', async (_what, ip) => {
        const subsets = [{ addresses: [{ ip }, { ip: '10.1.2.3' }], ports }]
        const { copy, warning } = await write(endpoints, { subsets })
        expect(copy.subsets).toEqual([{ addresses: [{ ip: '10.1.2.3' }], ports }])
        expect(warning).toContain('policies.sync.endpointAddresses.allowed')
      })

      test('that are not ready yet', async () => {
        const subsets = [{ addresses: [{ ip: '10.1.2.3' }], notReadyAddresses: [{ ip: '192.0.2.1' }], ports }]
        expect((await write(endpoints, { subsets })).copy.subsets).toEqual([{ addresses: [{ ip: '10.1.2.3' }], ports }])
      })

      test('after harmless ones were synced', async () => {
        const name = 'later'
        await stage().virtual.create(endpoints, { metadata: { namespace, name }, subsets: oneAddress('10.1.2.3') })
        await soon(() => tenant.copy(endpoints, namespace, name).then(() => undefined))
        await stage().virtual.patch(endpoints, namespace, name, { subsets: oneAddress('10.96.0.1') })
        await soon(async () => expect((await tenant.copy(endpoints, namespace, name)).subsets ?? []).toEqual([]))
      })
    })

    describe('cannot point elsewhere with EndpointSlices', () => {
      test('to the API of the host', async () => {
        const list = [{ addresses: ['10.96.0.1'] }, { addresses: ['10.1.2.3'] }]
        const { copy } = await write(slices, { addressType: 'IPv4', endpoints: list, ports: [] })
        expect(copy.endpoints).toMatchObject([{ addresses: ['10.1.2.3'] }])
        expect(JSON.stringify(copy.endpoints)).not.toContain('10.96.0.1')
      })

      test('to a Service of the host by its name', async () => {
        const list = [{ addresses: ['kubernetes.default.svc.cluster.local'] }]
        const { copy } = await write(slices, { addressType: 'FQDN', endpoints: list, ports: [] })
        expect(copy.endpoints ?? []).toEqual([])
      })
    })

    describe('cannot address controllers of the host', () => {
      test.each([
        ['the host’s DNS', 'labels', 'k8s-app', 'kube-dns'],
        ['the host’s control plane', 'labels', 'component', 'kube-apiserver'],
        ['a mesh’s gateway', 'labels', 'istio', 'ingressgateway'],
        ['a dashboard', 'labels', 'grafana_dashboard', '1'],
        ['the add-on manager', 'labels', 'addonmanager.kubernetes.io/mode', 'Reconcile'],
        ['a cloud’s load balancer', 'annotations', 'service.beta.kubernetes.io/aws-load-balancer-internal', 'true'],
        ['external DNS', 'annotations', 'external-dns.alpha.kubernetes.io/hostname', 'www.example.com'],
        ['MetalLB', 'annotations', 'metallb.universe.tf/loadBalancerIPs', '203.0.113.9'],
        ['Cilium', 'annotations', 'io.cilium/global-service', 'true'],
        ['CRI-O', 'annotations', 'io.kubernetes.cri-o.userns-mode', 'auto'],
        ['crun', 'annotations', 'run.oci.hooks.stdout', '/etc/cron.d/x'],
        ['cert-manager', 'annotations', 'cert-manager.io/cluster-issuer', 'letsencrypt'],
        ['Prometheus', 'annotations', 'prometheus.io/scrape', 'true'],
        ['Argo CD', 'labels', 'argocd.argoproj.io/secret-type', 'cluster'],
        [
          'a controller that copies Secrets',
          'annotations',
          'replicator.v1.mittwald.de/replicate-from',
          'kube-system/x',
        ],
        ['an unknown controller', 'annotations', 'controller.example.com/do', 'it'],
      ])('%s', async (_what, map, key, value) => {
        const { copy, warning } = await write(configMaps, { metadata: { [map]: { [key]: value, plain: 'kept' } } })
        const carried = map === 'labels' ? copy.metadata.labels : copy.metadata.annotations
        expect(carried).not.toHaveProperty([key])
        expect(carried).toMatchObject({ plain: 'kept' })
        expect(warning).toContain(`metadata.${map}["${key}"]`)
      })

      test('with a label added later, which is not synced but stays with the tenant', async () => {
        const name = 'labeled-later'
        await stage().virtual.create(configMaps, { metadata: { namespace, name } })
        await soon(() => tenant.copy(configMaps, namespace, name).then(() => undefined))
        await stage().virtual.patch(configMaps, namespace, name, {
          metadata: { labels: { 'k8s-app': 'kube-dns', plain: 'kept' } },
        })
        await soon(async () =>
          expect((await tenant.copy(configMaps, namespace, name)).metadata.labels).toMatchObject({ plain: 'kept' }),
        )
        await stays(async () => {
          expect((await tenant.copy(configMaps, namespace, name)).metadata.labels).not.toHaveProperty('k8s-app')
          const { labels } = (await stage().virtual.get(configMaps, namespace, name)).metadata
          expect(labels).toMatchObject({ 'k8s-app': 'kube-dns' })
        })
      })

      test('by removing or changing a label that the host has set', async () => {
        const name = 'of-the-host'
        await stage().virtual.create(configMaps, { metadata: { namespace, name } })
        await soon(() => tenant.copy(configMaps, namespace, name).then(() => undefined))
        await tenant.patchCopy(configMaps, namespace, name, {
          metadata: { labels: { 'policy.kubernetes.io/no': 'yes' } },
        })
        const virtualLabels = async () => (await stage().virtual.get(configMaps, namespace, name)).metadata.labels
        await soon(async () => expect(await virtualLabels()).toMatchObject({ 'policy.kubernetes.io/no': 'yes' }))
        for (const value of ['mine', null]) {
          await stage().virtual.patch(configMaps, namespace, name, {
            metadata: { labels: { 'policy.kubernetes.io/no': value } },
          })
          await stays(async () =>
            expect((await tenant.copy(configMaps, namespace, name)).metadata.labels).toMatchObject({
              'policy.kubernetes.io/no': 'yes',
            }),
          )
        }
      })

      test('with a mark of the syncer', async () => {
        const name = 'marked'
        const labels = { 'tenant.internal/managed-by': 'victim', plain: 'kept' }
        await stage().virtual.create(configMaps, { metadata: { namespace, name, labels } })
        await soon(async () =>
          expect((await tenant.copy(configMaps, namespace, name)).metadata.labels).toEqual({
            plain: 'kept',
            ...tenant.marks,
          }),
        )
      })
    })

    describe('cannot create credentials of the host', () => {
      test('by a bootstrap token', async () => {
        const { copy } = await write(secrets, { type: 'bootstrap.kubernetes.io/token', data: {} })
        expect(copy.type).toBe('Opaque')
      })
    })

    test('is notified once, not with every sync', async () => {
      const name = 'told-once'
      await stage().virtual.create(configMaps, { metadata: { namespace, name, labels: { 'k8s-app': 'x' } }, data: {} })
      await soon(async () => expect(await stage().warnings(namespace, name)).toHaveLength(1))
      for (const value of ['1', '2']) {
        await stage().virtual.patch(configMaps, namespace, name, { data: { value } })
        await soon(async () => expect((await tenant.copy(configMaps, namespace, name)).data).toEqual({ value }))
      }
      const events = await stage().virtual.request('GET', `/api/v1/namespaces/${namespace}/events`)
      expect(JSON.stringify(events.body)).toContain('DroppedByPolicy')
      expect(JSON.stringify(events.body)).not.toMatch(/"name":"told-once"[^}]*\}[^}]*"count":[2-9]/)
    })
  })

  describe('a tenant.yaml of an operator', () => {
    test('that forbids a field it used to allow removes it from existing copies', async () => {
      const open = {
        sync: { toHost: { configMaps: { all: true } } },
        policies: { sync: { labels: { allowed: ['k8s-app'] }, externalIPs: { allowed: ['203.0.113.0/24'] } } },
      }
      const tenant = await stage().newTenant({ config: open })
      const namespace = await stage().newNamespace()
      const metadata = { namespace, name: 'open', labels: { 'k8s-app': 'dns' } }
      await stage().virtual.create(services, { metadata, spec: { ports, externalIPs: ['203.0.113.7'] } })
      await soon(async () => {
        const copy = await tenant.copy(services, namespace, 'open')
        expect(copy.spec).toMatchObject({ externalIPs: ['203.0.113.7'] })
        expect(copy.metadata.labels).toMatchObject({ 'k8s-app': 'dns' })
      })
      tenant.syncer.configure(JSON.stringify({ sync: open.sync }))
      await soon(async () => {
        const copy = await tenant.copy(services, namespace, 'open')
        expect(copy.spec).not.toHaveProperty('externalIPs')
        expect(copy.metadata.labels).not.toHaveProperty('k8s-app')
      })
      expect((await stage().virtual.get(services, namespace, 'open')).metadata.labels).toEqual({ 'k8s-app': 'dns' })
      await tenant.remove()
    })

    test('sets with a patch what tenants may not', async () => {
      const patches = [{ path: 'metadata.labels', expression: '({ ...value, "k8s-app": "operators" })' }]
      const tenant = await stage().newTenant({ config: { sync: { toHost: { endpoints: { patches } } } } })
      const namespace = await stage().newNamespace()
      const metadata = { namespace, name: 'patched', labels: { 'k8s-app': 'tenants', app: 'web' } }
      await stage().virtual.create(endpoints, { metadata, subsets: oneAddress('10.1.2.3') })
      await soon(async () =>
        expect((await tenant.copy(endpoints, namespace, 'patched')).metadata.labels).toMatchObject({
          'k8s-app': 'operators',
          app: 'web',
        }),
      )
      await tenant.remove()
    })
  })
}
