import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../api/object.ts'
import { effectiveConfig } from '../api/tenant-config/defaults.ts'
import type { TenantConfig } from '../api/tenant-config/types.ts'
import type { Pair, Plan, SyncKind } from './contract.ts'
import { hostNamesOf } from './host-names.ts'
import { configMapsSync } from './kinds/config-maps.ts'
import { endpointsSync } from './kinds/endpoints.ts'
import { secretsSync } from './kinds/secrets.ts'
import { servicesSync } from './kinds/services.ts'
import { planObject } from './plan.ts'
import type { KindRules } from './rules.ts'

const identity = { tenant: 'demo', hostNamespace: 'tenants' }

function rulesFor(kind: SyncKind, kindMark: string, config: TenantConfig = {}, follows = false): KindRules {
  const names = hostNamesOf(identity, effectiveConfig(config))
  return {
    kind,
    owner: { identity, kindMark },
    setting: { names: names.forKinds, virtualFollowsHostAddresses: follows },
    hostOf: names.hostOf,
    patch: async (object) => ({ state: 'applied', object, references: [], counters: [] }),
  }
}

const rules = rulesFor(endpointsSync, 'Endpoints')
const subsets = [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] }]

function endpoints(metadata: object = {}, fields: object = { subsets }): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'web', namespace: 'default', uid: 'u1', resourceVersion: '5', ...metadata },
    ...fields,
  }
}

/** The copy that the syncer makes of an object, as the host then shows it. */
async function copyOf(virtual: KubeObject, by = rules): Promise<KubeObject> {
  const { plan } = await planObject({ virtual, copy: undefined }, by, { isWanted: true })
  if (plan.action !== 'create') throw new Error(`expected a create, got ${plan.action}`)
  return { ...plan.host, metadata: { ...plan.host.metadata, uid: 'h1', resourceVersion: '9' } }
}

function changed(object: KubeObject, metadata: object, fields: object = {}): KubeObject {
  return { ...object, ...fields, metadata: { ...object.metadata, ...metadata } }
}

async function planned(pair: Pair, by = rules, isWanted = true): Promise<Plan> {
  return (await planObject(pair, by, { isWanted })).plan
}

/** What both sides are after the plan has been carried out, as a server would have it. */
function carriedOut(
  { virtual, copy }: { virtual: KubeObject; copy: KubeObject },
  plan: Plan,
): { virtual: KubeObject; copy: KubeObject } {
  if (plan.action !== 'update') return { virtual, copy }
  const metadata = plan.virtual?.body?.metadata as Record<string, Record<string, string | null>> | undefined
  const merged = Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, change]) => {
      const before = virtual.metadata[name as 'labels'] ?? {}
      return [name, Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null))]
    }),
  )
  return { virtual: changed(virtual, merged), copy: plan.host ?? copy }
}

describe('an object that is only in the virtual cluster', () => {
  it('gets a copy under its translated name, marked as its own', async () => {
    const copy = await copyOf(endpoints({ labels: { app: 'web' }, annotations: { note: 'x' } }))
    expect(copy.metadata.name).toMatch(/^v-web-[0-9a-z]{13}$/)
    expect(copy.metadata.namespace).toBe('tenants')
    expect(copy.metadata.labels).toEqual({ app: 'web', 'tenant.internal/managed-by': 'demo' })
    expect(copy.metadata.annotations).toMatchObject({
      note: 'x',
      'tenant.internal/object-name': 'web',
      'tenant.internal/object-namespace': 'default',
      'tenant.internal/object-uid': 'u1',
      'tenant.internal/object-kind': 'Endpoints',
      'tenant.internal/host-name': copy.metadata.name,
      'tenant.internal/tenant-namespace': 'tenants',
    })
    expect(copy.subsets).toEqual(subsets)
  })

  it.each([
    ['control-plane.alpha.kubernetes.io/leader'],
    ['kubectl.kubernetes.io/last-applied-configuration'],
    ['tenant.internal/imported-from'],
  ])('keeps %s to itself', async (key) => {
    const copy = await copyOf(endpoints({ annotations: { [key]: 'mine', note: 'x' } }))
    expect(copy.metadata.annotations).not.toHaveProperty([key])
    expect(copy.metadata.annotations).toHaveProperty('note')
  })

  it('carries Pods under their names on the host, without what only one server knows', async () => {
    const targetRef = { kind: 'Pod', namespace: 'default', name: 'web-1', uid: 'p', resourceVersion: '3' }
    const copy = await copyOf(endpoints({}, { subsets: [{ addresses: [{ ip: '10.0.0.1', targetRef }] }] }))
    const [subset] = copy.subsets as [{ addresses: [{ targetRef: object }] }]
    expect(subset.addresses[0].targetRef).toEqual({
      kind: 'Pod',
      namespace: 'tenants',
      name: expect.stringMatching(/^v-web-1-/),
    })
  })

  it('stays there while it is being deleted, or when nothing wants it, or when it is the API itself', async () => {
    const ending = endpoints({ deletionTimestamp: '2030-01-01T00:00:00Z' })
    expect(await planned({ virtual: ending, copy: undefined })).toEqual({ action: 'leave out' })
    expect(await planned({ virtual: endpoints(), copy: undefined }, rules, false)).toEqual({ action: 'leave out' })
    expect(await planned({ virtual: endpoints({ name: 'kubernetes' }), copy: undefined })).toEqual({
      action: 'leave out',
    })
  })

  it('is carried whole even if its keys are called like parts of every object', async () => {
    const labels = JSON.parse('{"__proto__": "a", "constructor": "b"}')
    const copy = await copyOf(endpoints({ labels }))
    expect(Object.entries(copy.metadata.labels ?? {})).toContainEqual(['__proto__', 'a'])
    expect(Object.entries(copy.metadata.labels ?? {})).toContainEqual(['constructor', 'b'])
    expect(await planned({ virtual: endpoints({ labels }), copy })).toEqual({ action: 'nothing' })
  })
})

describe('an object that is only on the host', () => {
  it('is removed', async () => {
    const copy = await copyOf(endpoints())
    expect(await planned({ virtual: undefined, copy })).toMatchObject({ action: 'delete', copy })
  })

  it('is waited for when its end has begun', async () => {
    const copy = changed(await copyOf(endpoints()), { deletionTimestamp: 'now', finalizers: ['a/b'] })
    const plan = await planned({ virtual: undefined, copy })
    expect(plan).toMatchObject({ action: 'wait', trouble: { message: expect.stringContaining('a/b') } })
  })
})

describe('an object on both sides', () => {
  it('in step needs nothing', async () => {
    const virtual = endpoints({ labels: { app: 'web' }, annotations: { note: 'x' } })
    expect(await planned({ virtual, copy: await copyOf(virtual) })).toEqual({ action: 'nothing' })
  })

  it('in step needs nothing when the host has filled in its defaults', async () => {
    const virtual = endpoints({}, { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] })
    const copy = changed(await copyOf(virtual), {}, { subsets })
    expect(await planned({ virtual, copy })).toEqual({ action: 'nothing' })
  })

  it('is replaced when the virtual one was made anew', async () => {
    const copy = await copyOf(endpoints())
    expect(await planned({ virtual: endpoints({ uid: 'u2' }), copy })).toMatchObject({ action: 'delete' })
  })

  it('carries changed and removed fields', async () => {
    const copy = await copyOf(endpoints())
    const other = [{ addresses: [{ ip: '10.0.0.2' }] }]
    expect(await planned({ virtual: endpoints({}, { subsets: other }), copy })).toMatchObject({
      action: 'update',
      host: { subsets: other, metadata: { resourceVersion: '9', uid: 'h1' } },
    })
    const emptied = await planned({ virtual: endpoints({}, {}), copy })
    expect(emptied).toMatchObject({ action: 'update' })
    expect(JSON.parse(JSON.stringify(emptied)).host).not.toHaveProperty('subsets')
  })

  it('sets right what somebody changed on the host in fields that go one way', async () => {
    const virtual = endpoints()
    const edited = changed(await copyOf(virtual), {}, { subsets: [{ addresses: [{ ip: '6.6.6.6' }] }] })
    expect(await planned({ virtual, copy: edited })).toMatchObject({ action: 'update', host: { subsets } })
  })

  it('leaves to the host what is the host’s: finalizers, owners, local annotations', async () => {
    const virtual = endpoints({ labels: { a: '1' } })
    const copy = await copyOf(virtual)
    const kept = { finalizers: ['x/y'], ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'b', uid: 'c' }] }
    const local = { 'control-plane.alpha.kubernetes.io/leader': 'host' }
    const owned = changed(copy, { ...kept, annotations: { ...copy.metadata.annotations, ...local } })
    expect(await planned({ virtual, copy: owned })).toEqual({ action: 'nothing' })
    const plan = await planned({ virtual: endpoints({ labels: { a: '2' } }), copy: owned })
    expect(plan).toMatchObject({ action: 'update', host: { metadata: { ...kept, annotations: local } } })
  })
})

describe('labels and annotations', () => {
  const before = { keep: 'k', edit: 'e', both: 'b', gone: 'g' }

  it.each<[string, object, object, object]>([
    ['the virtual side set one', { ...before, fresh: 'v' }, before, { ...before, fresh: 'v' }],
    ['the virtual side changed one', { ...before, edit: 'v' }, before, { ...before, edit: 'v' }],
    ['the virtual side removed one', { keep: 'k', edit: 'e', both: 'b' }, before, { keep: 'k', edit: 'e', both: 'b' }],
    ['the host set one', before, { ...before, fresh: 'h' }, { ...before, fresh: 'h' }],
    ['the host changed one', before, { ...before, edit: 'h' }, { ...before, edit: 'h' }],
    ['the host removed one', before, { keep: 'k', edit: 'e', both: 'b' }, { keep: 'k', edit: 'e', both: 'b' }],
    ['both changed the same one', { ...before, both: 'v' }, { ...before, both: 'h' }, { ...before, both: 'v' }],
    [
      'both changed different ones',
      { ...before, edit: 'v' },
      { ...before, both: 'h' },
      { ...before, edit: 'v', both: 'h' },
    ],
    ['the virtual side removed what the host changed', { keep: 'k' }, { ...before, edit: 'h' }, { keep: 'k' }],
    ['both agree', { ...before, edit: 'same' }, { ...before, edit: 'same' }, { ...before, edit: 'same' }],
  ])('%s', async (_story, virtualMap, hostMap, result) => {
    for (const name of ['labels', 'annotations'] as const) {
      const first = endpoints({ [name]: before })
      const copy = await copyOf(first)
      const markers = Object.fromEntries(
        Object.entries(copy.metadata[name] ?? {}).filter(([key]) => key.startsWith('tenant.internal/')),
      )
      const pair = {
        virtual: endpoints({ [name]: virtualMap }),
        copy: changed(copy, { [name]: { ...markers, ...hostMap } }),
      }
      const after = carriedOut(pair, await planned(pair))
      expect(after.virtual.metadata[name]).toEqual(result)
      expect(after.copy.metadata[name]).toMatchObject(result)
      expect(Object.keys(after.copy.metadata[name] ?? {}).filter((key) => !key.startsWith('tenant.'))).toEqual(
        Object.keys(result),
      )
      expect(await planned(after)).toEqual({ action: 'nothing' })
    }
  })

  it('that were lost with the memory of the last sync come from the virtual side', async () => {
    const virtual = endpoints({ labels: { a: 'virtual' } })
    const copy = await copyOf(virtual)
    const { 'tenant.internal/last-sync': _, ...annotations } = copy.metadata.annotations ?? {}
    const pair = {
      virtual,
      copy: changed(copy, { annotations, labels: { ...copy.metadata.labels, a: 'host', b: 'host' } }),
    }
    const after = carriedOut(pair, await planned(pair))
    expect(after.virtual.metadata.labels).toEqual({ a: 'virtual', b: 'host' })
    expect(await planned(after)).toEqual({ action: 'nothing' })
  })

  it('written on the virtual side alone before a crash only renew the memory afterwards', async () => {
    const copy = await copyOf(endpoints({ labels: { a: '1' } }))
    const edited = changed(copy, { labels: { ...copy.metadata.labels, a: '2' } })
    const plan = await planned({ virtual: endpoints({ labels: { a: '2' } }), copy: edited })
    expect(plan).toMatchObject({ action: 'update', host: { metadata: { labels: { a: '2' } } } })
    expect(plan).not.toHaveProperty('virtual')
  })
})

/** Patches as functions, for pairs of which only the effect matters. */
function patchedRules(toHost: (text: string) => string, toVirtual: (text: string) => string): KindRules {
  const patch: KindRules['patch'] = async (object, direction) => {
    const annotations = object.metadata.annotations ?? {}
    const change = direction === 'toHost' ? toHost : toVirtual
    const changedMap = 'a' in annotations ? { ...annotations, a: change(String(annotations.a)) } : annotations
    return { state: 'applied', object: changed(object, { annotations: changedMap }), references: [], counters: [] }
  }
  return { ...rules, patch }
}

describe('patches', () => {
  const pairs = patchedRules(
    (text) => `${text}-host`,
    (text) => text.replace(/-host$/, ''),
  )

  it('that cancel out let a change of the host flow back', async () => {
    const virtual = endpoints({ annotations: { a: '1' } })
    const copy = await copyOf(virtual, pairs)
    expect(copy.metadata.annotations?.a).toBe('1-host')
    const edited = changed(copy, { annotations: { ...copy.metadata.annotations, a: '2-host' } })
    const after = carriedOut({ virtual, copy: edited }, await planned({ virtual, copy: edited }, pairs))
    expect(after.virtual.metadata.annotations).toEqual({ a: '2' })
    expect(await planned(after, pairs)).toEqual({ action: 'nothing' })
  })

  it('that do not cancel out stop, say why, and leave the rest in motion', async () => {
    const oneWay = patchedRules(
      (text) => `${text}-host`,
      (text) => text,
    )
    const virtual = endpoints({ annotations: { a: '1' } })
    const copy = await copyOf(virtual, oneWay)
    const edited = changed(copy, { annotations: { ...copy.metadata.annotations, a: 'other' } })
    const plan = await planned({ virtual, copy: edited }, oneWay)
    expect(plan).toMatchObject({ action: 'nothing', trouble: { reason: 'PatchesDoNotCancelOut' } })
    expect(plan.action === 'nothing' && plan.trouble?.message).toContain('metadata.annotations["a"]')

    const relabelled = changed(virtual, { labels: { x: 'y' } })
    const second = await planned({ virtual: relabelled, copy: edited }, oneWay)
    expect(second).toMatchObject({
      action: 'update',
      host: { metadata: { labels: { x: 'y' }, annotations: { a: 'other' } } },
    })
    expect(second).not.toHaveProperty('virtual')
    const after = carriedOut({ virtual: relabelled, copy: edited }, second)
    expect(await planned(after, oneWay)).toMatchObject({
      action: 'nothing',
      trouble: { reason: 'PatchesDoNotCancelOut' },
    })
  })

  it('that fail leave the host as it was', async () => {
    const failure = { index: 0, path: 'subsets', concretePath: 'subsets', message: 'no' }
    const failing: KindRules = { ...rules, patch: async () => ({ state: 'failed', failure, counters: [] }) }
    const plan = await planned({ virtual: endpoints(), copy: await copyOf(endpoints()) }, failing)
    expect(plan).toMatchObject({ action: 'fail', trouble: { reason: 'PatchFailed' } })
  })
})

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

describe('a Service', () => {
  const byService = rulesFor(servicesSync, 'Service')
  const following = rulesFor(servicesSync, 'Service', {}, true)
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

  it('asks the host for neither address nor node port, and has no selector there', async () => {
    const copy = await copyOf(virtual, byService)
    expect(copy.spec).toEqual({
      type: 'NodePort',
      ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
    })
    expect(copy).not.toHaveProperty('status')
  })

  it('notes the host’s address where the virtual cluster has its own', async () => {
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

  it('takes over the host’s address and node ports where it follows the host', async () => {
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

  it('shows the load balancer of the host, and no longer when it is gone', async () => {
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
  it('carries exactly its data', async () => {
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
