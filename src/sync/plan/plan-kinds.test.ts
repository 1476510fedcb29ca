import { describe, expect, it } from 'vitest'
import { changed, copyOf, patchedRules, planned, rulesFor } from '../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../api/object.ts'
import { configMapsSync } from '../kinds/config-maps.ts'
import { endpointSlicesSync } from '../kinds/endpoint-slices.ts'
import { ingressesSync } from '../kinds/ingresses.ts'
import { podsSync } from '../kinds/pods/pods.ts'
import { secretsSync } from '../kinds/secrets.ts'
import { servicesSync } from '../kinds/services.ts'
import { planObject } from './plan.ts'
import type { KindRules } from './rules.ts'

describe('a Secret', () => {
  const bySecret = rulesFor(secretsSync, 'Secret')
  const virtual: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'a', namespace: 'b', uid: 'c', annotations: { a: 'hidden-value' } },
    type: 'Opaque',
    data: { key: 'aGlkZGVuLXZhbHVl' },
  }

  it('stays out of the message about a patch that failed', async () => {
    const failure = { index: 0, path: 'data.key', concretePath: 'data.key', message: 'unexpected hidden-value' }
    const failing: KindRules = { ...bySecret, patch: async () => ({ state: 'failed', failure, counters: [] }) }
    const plan = await planned({ virtual, copy: undefined }, failing)
    expect(plan).toMatchObject({ action: 'fail', trouble: { message: expect.stringContaining('data.key') } })
    expect(JSON.stringify(plan)).not.toContain('hidden-value')
  })

  it('stays out of the message about patches that do not cancel out', async () => {
    const { patch } = patchedRules(
      (text) => `${text}-host`,
      (text) => text,
    )
    const oneWay = { ...bySecret, patch }
    const copy = await copyOf(virtual, oneWay)
    const edited = changed(copy, { annotations: { ...copy.metadata.annotations, a: 'hidden-edit' } })
    const plan = await planned({ virtual, copy: edited }, oneWay)
    expect(plan).toMatchObject({ action: 'nothing', trouble: { reason: 'PatchesDoNotCancelOut' } })
    expect(JSON.stringify(plan)).not.toContain('hidden')
  })
})

describe('an object that refers to thousands of others', () => {
  const isWanted = { isWanted: true }
  const refused = { action: 'fail', trouble: { reason: 'TooManyReferences' } }
  const names = (count: number) => Array.from({ length: count }, (_, index) => `s-${index}`)

  it('gets no copy as a Pod, and none of the references is remembered', async () => {
    const byPod = rulesFor(podsSync, 'Pod')
    const pod = (count: number): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: 'b', uid: 'c' },
      spec: { containers: [], imagePullSecrets: names(count).map((name) => ({ name })) },
    })
    const some = await planObject({ virtual: pod(1_000), copy: undefined }, byPod, isWanted)
    expect(some.plan.action).toBe('create')
    expect(some.references).toHaveLength(1_000)
    const many = await planObject({ virtual: pod(1_001), copy: undefined }, byPod, isWanted)
    expect(many).toMatchObject({ plan: refused, references: [] })
  })

  it('keeps its copy as an Ingress, which keeps its references', async () => {
    const byIngress = rulesFor(ingressesSync, 'ingresses.networking.k8s.io', {
      policies: { sync: { ingresses: { hosts: ['*'] } } },
    })
    const ingress = (count: number): KubeObject => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'a', namespace: 'b', uid: 'c' },
      spec: { tls: names(count).map((secretName) => ({ secretName })) },
    })
    const copy = await copyOf(ingress(1_000), byIngress)
    const { plan, references } = await planObject({ virtual: ingress(1_001), copy }, byIngress, isWanted)
    expect(plan).toMatchObject(refused)
    expect(references).toBeUndefined()
  })

  it('gets no copy if a patch finds the references', async () => {
    const { patch, ...rest } = rulesFor(configMapsSync, 'ConfigMap')
    const found = names(1_001).map((name) => ({ apiVersion: 'v1', kind: 'Secret', namespace: 'b', name, path: name }))
    const byPatch: KindRules = {
      ...rest,
      patch: async (object, direction, sides) => ({
        ...(await patch(object, direction, sides)),
        state: 'applied',
        object,
        counters: [],
        references: found.map((each) => ({ ...each, direction })),
      }),
    }
    const virtual = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b', uid: 'c' } }
    expect(await planned({ virtual, copy: undefined }, byPatch)).toMatchObject(refused)
  })
})

describe('an EndpointSlice', () => {
  const bySlice = rulesFor(endpointSlicesSync, 'endpointslices.discovery.k8s.io')
  const serviceName = 'kubernetes.io/service-name'
  const slice = (labels: object): KubeObject => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web-1', namespace: 'default', uid: 'e1', resourceVersion: '1', labels: { ...labels } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
  })

  it('that leaves its Service leaves it on the host too', async () => {
    const copy = await copyOf(slice({ [serviceName]: 'web' }), bySlice)
    expect(copy.metadata.labels).toHaveProperty([serviceName])
    const plan = await planned({ virtual: slice({}), copy }, bySlice)
    if (plan.action !== 'update' || plan.host === undefined) throw new Error(`expected an update, got ${plan.action}`)
    expect(plan.host.metadata.labels).not.toHaveProperty([serviceName])
    expect(await planned({ virtual: slice({}), copy: plan.host }, bySlice)).toEqual({ action: 'nothing' })
  })
})

describe('a Service', () => {
  const open = {
    sync: { toHost: { pods: { enabled: false } } },
    policies: { sync: { nodePorts: { enabled: true } } },
  }
  const byService = rulesFor(servicesSync, 'Service', open)
  const following = rulesFor(servicesSync, 'Service', open, true)
  const spec = {
    type: 'NodePort',
    selector: { app: 'web' },
    clusterIP: '10.96.1.1',
    clusterIPs: ['10.96.1.1'],
    ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP', nodePort: 30_001 }],
  }
  const virtual: KubeObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default', uid: 's1', resourceVersion: '1' },
    spec,
    status: { loadBalancer: {} },
  }
  const assigned = {
    type: 'NodePort',
    clusterIP: '172.16.0.9',
    clusterIPs: ['172.16.0.9'],
    sessionAffinity: 'None',
    ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP', nodePort: 31_999 }],
  }

  async function copyOnHost(by: KindRules): Promise<KubeObject> {
    return changed(await copyOf(virtual, by), {}, { spec: assigned, status: { loadBalancer: {} } })
  }

  it('requests neither address nor node port, and has no selector if Pods run elsewhere', async () => {
    const copy = await copyOf(virtual, byService)
    expect(copy.spec).toEqual({
      type: 'NodePort',
      ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
    })
    expect(copy).not.toHaveProperty('status')
  })

  it('notes the address on the host if the virtual cluster has its own', async () => {
    const plan = await planned({ virtual, copy: await copyOnHost(byService) }, byService)
    expect(plan).toEqual({
      action: 'update',
      virtual: { body: { metadata: { annotations: { 'tenant.internal/host-cluster-ip': '172.16.0.9' } } } },
    })
    const noted = changed(virtual, { annotations: { 'tenant.internal/host-cluster-ip': '172.16.0.9' } })
    expect(await planned({ virtual: noted, copy: await copyOnHost(byService) }, byService)).toEqual({
      action: 'nothing',
    })
  })

  it('adopts the address and node ports of the host if it follows the host', async () => {
    const plan = await planned({ virtual, copy: await copyOnHost(following) }, following)
    expect(plan).toMatchObject({
      action: 'update',
      virtual: {
        body: { spec: { clusterIP: '172.16.0.9', clusterIPs: ['172.16.0.9'], ports: [{ nodePort: 31_999 }] } },
      },
    })
    expect(plan).not.toHaveProperty('host')
  })

  it('keeps what the host assigned when something else changes', async () => {
    const more = { ...spec, ports: [...spec.ports, { name: 'b', port: 81, targetPort: 81, protocol: 'TCP' }] }
    const plan = await planned({ virtual: { ...virtual, spec: more }, copy: await copyOnHost(following) }, following)
    expect(plan).toMatchObject({
      host: { spec: { clusterIP: '172.16.0.9', ports: [{ nodePort: 31_999 }, { name: 'b', port: 81 }] } },
    })
  })

  it('shows the load balancer of the host until it is deleted', async () => {
    const copy = await copyOnHost(following)
    const balanced = changed(copy, {}, { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'VIP' }] } } })
    expect(await planned({ virtual, copy: balanced }, following)).toMatchObject({
      virtual: { status: { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } } },
    })
    const shown = { ...virtual, status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } }
    expect(await planned({ virtual: shown, copy: balanced }, following)).not.toHaveProperty('virtual.status')
    expect(await planned({ virtual: shown, copy }, following)).toMatchObject({
      virtual: { status: { status: { loadBalancer: { ingress: null } } } },
    })
  })
})

describe('a ConfigMap', () => {
  it('syncs exactly its data', async () => {
    const byConfigMap = rulesFor(configMapsSync, 'ConfigMap')
    const virtual: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'b', uid: 'c' },
      data: { a: '1' },
    }
    const copy = await copyOf(virtual, byConfigMap)
    expect(await planned({ virtual, copy }, byConfigMap)).toEqual({ action: 'nothing' })
    const added = changed(copy, {}, { data: { a: '1', b: '2' } })
    expect(await planned({ virtual, copy: added }, byConfigMap)).toMatchObject({ host: { data: { a: '1' } } })
  })
})

describe('a Pod that shares its processes', () => {
  const byPod = rulesFor(podsSync, 'Pod')
  const pod = (names: readonly string[], shareProcessNamespace = true): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'spying', namespace: 'default', uid: 'p1', resourceVersion: '1' },
    spec: { shareProcessNamespace, containers: names.map((name) => ({ name, image: 'shell:1' })) },
  })
  const meshed = async (virtual: KubeObject): Promise<KubeObject> => {
    const copy = await copyOf(virtual, byPod)
    const { containers } = copy.spec as { readonly containers: readonly object[] }
    return {
      ...copy,
      spec: { ...(copy.spec as object), containers: [...containers, { name: 'proxy', image: 'mesh:1' }] },
    }
  }

  it('loses a copy to which the host has added a container', async () => {
    const virtual = pod(['main'])
    const plan = await planned({ virtual, copy: await meshed(virtual) }, byPod)
    expect(plan).toMatchObject({
      action: 'delete',
      because: expect.stringContaining('proxy'),
      ends: { graceSeconds: 1 },
    })
  })

  it('loses it even if the virtual cluster then shows that container as its own', async () => {
    const copy = await meshed(pod(['main']))
    expect(await planned({ virtual: pod(['main', 'proxy']), copy }, byPod)).toMatchObject({ action: 'delete' })
  })

  it('keeps a copy of its own containers, and one that shares nothing keeps any', async () => {
    const virtual = pod(['main'])
    expect((await planned({ virtual, copy: await copyOf(virtual, byPod) }, byPod)).action).not.toBe('delete')
    const apart = pod(['main'], false)
    expect((await planned({ virtual: apart, copy: await meshed(apart) }, byPod)).action).not.toBe('delete')
  })
})

describe('a ConfigMap with the name of the variables of Pods', () => {
  const name = 'v-environment-services-0123456789abc'
  const virtual = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop', uid: 'c1' }, data: {} }
  const mappedTo = (host: string) => {
    const byName = host.includes('*') ? { '*': host } : { shop: host }
    return rulesFor(configMapsSync, 'ConfigMap', {
      sync: { toHost: { namespaces: { enabled: true, mappings: { byName } } } },
    })
  }

  it.each([
    ['is not copied to a namespace that tenants may share', 'shared', 'leave out'],
    ['is copied to a namespace of the tenant', 'demo-*', 'create'],
  ])('%s', async (_, host, action) => {
    expect((await planned({ virtual, copy: undefined }, mappedTo(host))).action).toBe(action)
  })
})
