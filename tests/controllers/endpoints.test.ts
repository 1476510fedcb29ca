import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { forbidden } from '../../src/api/error.ts'
import type { Kind } from '../../src/api/kind.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { Endpoints, Event } from '../../src/api/types/core-v1.ts'
import type { EndpointSlice } from '../../src/api/types/discovery-v1.ts'
import type { PodDisruptionBudget } from '../../src/api/types/policy-v1.ts'
import { workloadKinds } from '../../src/cluster/controllers/controllers.ts'
import { startWorkloads } from '../../src/controllers/workloads.ts'
import type { Hooks } from '../../src/registry/context.ts'
import type { Controller } from '../../src/registry/controllers/controller.ts'
import { documentsIn } from '../../src/registry/documents-in.ts'
import { eventually } from '../support/eventually.ts'
import { bodyOf, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'
import { atRest } from './at-rest.ts'

const place = 'a'
let world: TestRegistry
let controllers: Controller
let mayCreateSlices = true
const failures: unknown[] = []

beforeEach(async () => {
  mayCreateSlices = true
  failures.length = 0
  world = await startRegistry(builtinKinds(), { hooks: admissionOf })
  await create('namespaces', namespaceNamed(place))
  await createNode('one')
  start()
})

afterEach(async () => {
  await controllers.stop()
  await world.stop()
  expect(failures).toEqual([])
})

async function createNode(name: string, labels: object = {}): Promise<void> {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } }
  await world.resource('nodes').create({ namespace: '' }, bodyOf(node), writeRequest())
}

function start(): void {
  controllers = startWorkloads(workloadKinds(world.registry), {
    report: (_, __, error) => failures.push(error),
    mayWrite: () => true,
    nodes: 'own',
    acts: 'alone',
  })
}

function admissionOf({ kind, plural }: Kind): Hooks {
  if (kind !== 'EndpointSlice') return {}
  return {
    admitCreate: (object) => {
      if (!mayCreateSlices) throw forbidden({ group: 'discovery.k8s.io', plural }, '', 'exceeded quota')
      return { object }
    },
  }
}

const ports = [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }]

function serviceOf(spec: object = { selector: { app: 'web' } }): object {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports, ...spec } }
}

async function createPod(name: string, labels: object = { app: 'web' }, nodeName = 'one'): Promise<void> {
  const spec = { nodeName, containers: [{ name: 'c', image: 'nginx' }] }
  await create('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec })
}

/** Writes the status like a kubelet. */
async function report(name: string, ip: string, isReady = true): Promise<void> {
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }]
  const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions }
  await merge('pods', name, { status }, 'status')
}

async function runningPod(name: string, ip: string): Promise<void> {
  await createPod(name)
  await report(name, ip)
}

describe('a Service that selects Pods', () => {
  it('lists each ready Pod in its Endpoints and its slice, with one write per change', async () => {
    await create('services', serviceOf())
    await eventually(() => expect(slices()).toHaveLength(1))
    let writes = 0
    contextOf('discovery.k8s.io', 'EndpointSlice').cache.listen((events) => {
      writes += events.length
    })
    await runningPod('one', '10.7.0.1')
    await eventually(() => expect(readyInSlices()).toEqual(['10.7.0.1']))
    await eventually(() => expect(readyInEndpoints()).toEqual(['10.7.0.1']))
    await merge('pods', 'one', { metadata: { annotations: { seen: 'yes' } } })
    await report('one', '10.7.0.1', false)
    await eventually(() => expect(readyInSlices()).toEqual([]))
    // Another controller writes it, perhaps later.
    await eventually(() => expect(endpointsNow().subsets).toMatchObject([{ notReadyAddresses: [{ ip: '10.7.0.1' }] }]))
    expect(writes).toBe(2)
  })

  it('leaves nothing behind, even if it is deleted while no controller runs', async () => {
    await create('services', serviceOf())
    await runningPod('one', '10.7.0.1')
    await eventually(() => expect(readyInEndpoints()).toEqual(['10.7.0.1']))
    const byHand = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'alone' }, subsets: [] }
    await create('endpoints', byHand)
    await controllers.stop()
    await remove('services', 'web')
    start()
    await eventually(() => expect(names('', 'Endpoints')).toEqual(['alone']))
  })

  it('is deleted together with its manual Endpoints, as in Kubernetes', async () => {
    await create('services', serviceOf({}))
    await create('endpoints', { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web' }, subsets: [] })
    await remove('services', 'web')
    await eventually(() => expect(names('', 'Endpoints')).toEqual([]))
  })

  it('gets its slice back after it was deleted or changed', async () => {
    await create('services', serviceOf())
    await runningPod('one', '10.7.0.1')
    await eventually(() => expect(readyInSlices()).toEqual(['10.7.0.1']))
    await merge('endpointslices', sliceName(), { endpoints: [] })
    await eventually(() => expect(readyInSlices()).toEqual(['10.7.0.1']))
    const before = sliceName()
    await remove('endpointslices', before)
    await eventually(() => expect(readyInSlices()).toEqual(['10.7.0.1']))
    expect(sliceName()).not.toBe(before)
  })

  it('includes a Pod whose node cannot be read', async () => {
    const { cache, engine } = contextOf('', 'Node')
    const bytes = Buffer.from(JSON.stringify({ metadata: { name: 'odd', uid: 'odd' } }))
    const stored = await engine.store.create(cache.storageKey({ namespace: '', name: 'odd' }), bytes)
    if (stored.outcome === 'written') await engine.feed.reached(stored.revision)
    await create('services', serviceOf())
    await createPod('there', { app: 'web' }, 'odd')
    await report('there', '10.7.0.5')
    await eventually(() => expect(readyInSlices()).toEqual(['10.7.0.5']))
    // The controllers that read Nodes report it.
    for (const failure of failures.splice(0)) expect(failure).toBeInstanceOf(TypeError)
  })

  it('omits a Pod whose node is missing, and learns its zone when the node appears', async () => {
    await create('services', serviceOf())
    await createPod('far', { app: 'web' }, 'two')
    await report('far', '10.7.0.9')
    await runningPod('one', '10.7.0.1')
    await eventually(() => expect(readyInSlices()).toEqual(['10.7.0.1']))
    await createNode('two', { 'topology.kubernetes.io/zone': 'z1' })
    await eventually(() => expect(readyInSlices()).toEqual(['10.7.0.1', '10.7.0.9']))
    const zones = slices().flatMap(({ endpoints }) => (endpoints ?? []).map(({ zone }) => zone))
    expect(zones.toSorted()).toEqual(['z1', undefined])
  })

  it('is not written after a restart', async () => {
    await create('services', serviceOf())
    await runningPod('one', '10.7.0.1')
    await eventually(() => expect(readyInSlices()).toEqual(['10.7.0.1']))
    await eventually(() => expect(readyInEndpoints()).toEqual(['10.7.0.1']))
    const before = await atRest(world)
    await controllers.stop()
    start()
    await createPod('other', { app: 'other' })
    await create('services', { ...serviceOf({ selector: { app: 'other' } }), metadata: { name: 'later' } })
    await eventually(() => expect(names('', 'Endpoints')).toEqual(['later', 'web']))
    await eventually(() => expect(slices()).toHaveLength(2))
    expect(await world.store.currentRevision()).toBe(before + 4)
  })

  it('reports a refused write in an Event, and continues when writes succeed again', async () => {
    mayCreateSlices = false
    await create('services', serviceOf())
    await eventually(() => {
      const told = documentsIn(contextOf('', 'Event'), place).map(({ object }) => object as Event)
      expect(told.map(({ reason, involvedObject, message }) => [reason, involvedObject.name, message])).toEqual([
        [
          'FailedToUpdateEndpointSlices',
          'web',
          expect.stringMatching(/^Error updating Endpoint Slices for Service a\/web: .*exceeded quota/),
        ],
      ])
    })
    mayCreateSlices = true
    await runningPod('one', '10.7.0.1')
    await eventually(() => expect(readyInSlices()).toEqual(['10.7.0.1']))
  })
})

describe('a Service that selects no Pods', () => {
  const subsets = [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ name: 'http', port: 80, protocol: 'TCP' }] }]
  const byHand = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web' }, subsets }

  it('has its manual Endpoints mirrored into slices, while it has no selector', async () => {
    await create('services', serviceOf({}))
    await create('endpoints', byHand)
    await eventually(() => expect(readyInSlices()).toEqual(['10.1.0.1']))
    await merge('endpoints', 'web', { subsets: [{ ...subsets[0], addresses: [{ ip: '10.1.0.2' }] }] })
    await eventually(() => expect(readyInSlices()).toEqual(['10.1.0.2']))
    await merge('services', 'web', { spec: { selector: { app: 'web' } } })
    await eventually(() => expect(managers()).toEqual(['endpointslice-controller.k8s.io']))
    // Another controller writes them than the slices.
    await eventually(() => expect(readyInEndpoints()).toEqual([]))
  })

  it('has no slices of deleted Endpoints', async () => {
    await create('services', serviceOf({}))
    await create('endpoints', byHand)
    await eventually(() => expect(slices()).toHaveLength(1))
    await remove('endpoints', 'web')
    await eventually(() => expect(slices()).toEqual([]))
  })
})

describe('a disruption budget', () => {
  const selector = { matchLabels: { app: 'web' } }
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } }

  it('gets the expected number of Pods from the Deployment', async () => {
    const metadata = { name: 'web' }
    await create('poddisruptionbudgets', budgetOf({ maxUnavailable: '50%', selector }))
    const spec = { replicas: 4, selector, template }
    await create('deployments', { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec })
    await eventually(() => expect(budgetNow().status).toMatchObject({ expectedPods: 4, desiredHealthy: 2 }))
    await eventually(() => expect(names('', 'Pod')).toHaveLength(4))
    await Promise.all(names('', 'Pod').map((name, at) => report(name, `10.7.0.${at + 1}`)))
    await eventually(() => expect(budgetNow().status).toMatchObject({ currentHealthy: 4, disruptionsAllowed: 2 }))
  })

  it('allows no eviction if the expected number is unknown', async () => {
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'daemon', controller: true }
    const metadata = { name: 'one', labels: { app: 'web' }, ownerReferences: [owner] }
    await create('pods', { apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec })
    await create('poddisruptionbudgets', budgetOf({ maxUnavailable: 1, selector }))
    const message = 'daemonsets.apps does not implement the scale subresource'
    await eventually(() =>
      expect(budgetNow().status).toMatchObject({
        disruptionsAllowed: 0,
        conditions: [{ status: 'False', reason: 'SyncFailed', message }],
      }),
    )
  })

  function budgetOf(spec: object): object {
    return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'p' }, spec }
  }

  function budgetNow(): PodDisruptionBudget {
    return objectsOf('policy', 'PodDisruptionBudget')[0] as PodDisruptionBudget
  }
})

function request(subresource = '') {
  return writeRequest({ subresource })
}

async function create(plural: string, object: object): Promise<void> {
  await world.resource(plural).create({ namespace: plural === 'namespaces' ? '' : place }, bodyOf(object), request())
}

async function merge(plural: string, name: string, change: object, subresource = ''): Promise<void> {
  const target = { namespace: place, name }
  await world.resource(plural).patch(target, { type: 'merge', body: bodyOf(change) }, request(subresource))
}

async function remove(plural: string, name: string): Promise<void> {
  await world.resource(plural).delete({ namespace: place, name }, { dryRun: false }, request())
}

function contextOf(group: string, kind: string) {
  const context = world.registry.engine.find(group, kind)
  if (context === undefined) throw new Error(`${kind} is not served`)
  return context
}

function objectsOf(group: string, kind: string): readonly KubeObject[] {
  return documentsIn(contextOf(group, kind), place).map(({ object }) => object)
}

function names(group: string, kind: string): readonly string[] {
  return objectsOf(group, kind).map(({ metadata }) => metadata.name ?? '')
}

function slices(): readonly EndpointSlice[] {
  return objectsOf('discovery.k8s.io', 'EndpointSlice') as readonly EndpointSlice[]
}

function sliceName(): string {
  return slices()[0]?.metadata.name ?? ''
}

function managers() {
  return slices().map(({ metadata }) => metadata.labels?.['endpointslice.kubernetes.io/managed-by'])
}

function readyInSlices(): readonly string[] {
  const all = slices().flatMap(({ endpoints }) => endpoints ?? [])
  return all.filter(({ conditions }) => conditions.ready).flatMap(({ addresses }) => addresses ?? [])
}

function endpointsNow(): Endpoints {
  return contextOf('', 'Endpoints').cache.get({ namespace: place, name: 'web' })?.object as Endpoints
}

function readyInEndpoints(): readonly string[] {
  return (endpointsNow()?.subsets ?? []).flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip))
}
