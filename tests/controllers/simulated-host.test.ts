import { afterEach, beforeEach, expect, it } from 'vitest'
import { event } from '../../src/api/core/events/event.ts'
import { lease } from '../../src/api/core/lease.ts'
import { namespace } from '../../src/api/core/namespace.ts'
import { node } from '../../src/api/core/nodes/node.ts'
import { pod } from '../../src/api/core/pods/pod.ts'
import { persistentVolume } from '../../src/api/core/volumes/persistent-volume.ts'
import { persistentVolumeClaim } from '../../src/api/core/volumes/persistent-volume-claim.ts'
import type { KubeObject } from '../../src/api/object.ts'
import { storageClass } from '../../src/api/storage/storage-class.ts'
import type { Node, Pod } from '../../src/api/types/core-v1.ts'
import { startScheduler } from '../../src/controllers/scheduler/start-scheduler.ts'
import { startSimulatedNode } from '../../src/controllers/simulated-node/start-simulated-node.ts'
import type { ResourceContext } from '../../src/registry/context.ts'
import type { Controller } from '../../src/registry/controllers/controller.ts'
import { documentsIn } from '../../src/registry/documents-in.ts'
import { eventually } from '../support/eventually.ts'
import { bodyOf, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'

const place = 'a'
const times = { startMs: 1, readyMs: 1, runMs: 1, stopMs: 1 }
const patienceMs = 240_000
let world: TestRegistry
const running: Controller[] = []
const failures: unknown[] = []

beforeEach(async () => {
  failures.length = 0
  world = await startRegistry([
    namespace,
    pod,
    node,
    lease,
    event,
    persistentVolume,
    persistentVolumeClaim,
    storageClass,
  ])
  await create('namespaces', namespaceNamed(place))
  await create('namespaces', namespaceNamed('kube-node-lease'))
})

afterEach(async () => {
  await stop()
  await world.stop()
  expect(failures).toEqual([])
})

function startNode(): void {
  const kinds = {
    nodes: contextOf('', 'Node'),
    leases: contextOf('coordination.k8s.io', 'Lease'),
    pods: pods(),
    volumes: contextOf('', 'PersistentVolume'),
    claims: contextOf('', 'PersistentVolumeClaim'),
    storageClasses: contextOf('storage.k8s.io', 'StorageClass'),
    events: contextOf('', 'Event'),
  }
  running.push(startSimulatedNode(kinds, { times, version: 'v1.32.4', report: reportFailure, mayWrite: () => true }))
}

function startScheduling(): void {
  const kinds = { pods: pods(), nodes: contextOf('', 'Node'), namespaces: contextOf('', 'Namespace') }
  running.push(startScheduler({ ...kinds, events: contextOf('', 'Event') }, reportFailure, () => true))
}

async function stop(): Promise<void> {
  await Promise.all(running.splice(0).map((controller) => controller.stop()))
}

function reportFailure(_: string, __: string, error: unknown): void {
  failures.push(error)
}

function create(plural: string, object: KubeObject) {
  return world.resource(plural).create({ namespace: object.metadata.namespace ?? '' }, bodyOf(object), writeRequest())
}

function createPod(name: string, spec: object = {}, metadata: object = {}) {
  const containers = [{ name: 'c', image: 'i' }]
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: place, ...metadata } }
  return create('pods', { ...object, spec: { containers, ...spec } })
}

function patchNode(change: unknown, subresource = '') {
  const patch = { type: 'merge', body: bodyOf(change) } as const
  return world.resource('nodes').patch({ namespace: '', name: 'simulated' }, patch, writeRequest({ subresource }))
}

function patchPod(name: string, change: unknown) {
  const patch = { type: 'merge', body: bodyOf(change) } as const
  return world.resource('pods').patch({ namespace: place, name }, patch, writeRequest())
}

function deletePod(name: string) {
  return world.resource('pods').delete({ namespace: place, name }, { dryRun: false }, writeRequest())
}

function contextOf(group: string, kind: string): ResourceContext {
  const context = world.registry.engine.find(group, kind)
  if (context === undefined) throw new Error(`${kind} is not served`)
  return context
}

const pods = () => contextOf('', 'Pod')
const podNow = (name: string) => pods().cache.get({ namespace: place, name })?.object as Pod | undefined
const nodeNow = () => contextOf('', 'Node').cache.get({ namespace: '', name: 'simulated' })?.object as Node | undefined
const bound = () =>
  documentsIn(pods(), place)
    .map(({ object }) => object as Pod)
    .filter(({ spec }) => spec.nodeName !== undefined)
    .map(({ metadata }) => metadata.name)
const isReady = (name: string) =>
  podNow(name)?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true

async function untilReady(...names: readonly string[]): Promise<void> {
  await eventually(() => expect(names.filter((name) => !isReady(name))).toEqual([]), patienceMs)
}

it('the last free capacity goes to the Pods with the highest priority', async () => {
  startNode()
  await eventually(() => expect(nodeNow()).toBeDefined(), patienceMs)
  await patchNode({ status: { allocatable: { pods: '3' } } }, 'status')
  const names = Array.from({ length: 20 }, (_, index) => `p${index}`)
  for (const [index, name] of names.entries()) await createPod(name, { priority: index })
  startScheduling()
  await untilReady('p17', 'p18', 'p19')
  await eventually(() => {
    const waiting = names.filter((name) => podNow(name)?.status.conditions?.[0]?.reason === 'Unschedulable')
    expect(waiting).toHaveLength(17)
  }, patienceMs)
  expect(bound()).toEqual(['p17', 'p18', 'p19'])
  await deletePod('p18')
  await untilReady('p16')
  expect(bound()).toEqual(['p16', 'p17', 'p19'])
})

it('an unschedulable Pod is written once, however often it is checked, and scheduled when it fits', async () => {
  startNode()
  await eventually(() => expect(nodeNow()).toBeDefined(), patienceMs)
  startScheduling()
  let writes = 0
  pods().cache.listen((changes) => {
    writes += changes.filter(({ document }) => document.name === 'picky').length
  })
  await createPod('picky', { nodeSelector: { disk: 'ssd' } })
  await eventually(() => expect(podNow('picky')?.status.conditions?.[0]?.reason).toBe('Unschedulable'), patienceMs)
  for (let label = 0; label < 20; label++) await patchNode({ metadata: { labels: { n: `${label}` } } })
  await createPod('other')
  await untilReady('other')
  expect(writes).toBe(2)
  await patchNode({ metadata: { labels: { disk: 'ssd' } } })
  await untilReady('picky')
  // It was bound, and was ready when it ran.
  expect(writes).toBe(4)
})

it('Pods and their addresses are unchanged after a restart', async () => {
  startNode()
  startScheduling()
  await createPod('old')
  await untilReady('old')
  const before = podNow('old')
  await stop()
  startNode()
  startScheduling()
  await createPod('new')
  await untilReady('new')
  expect(podNow('old')).toEqual(before)
  expect(podNow('new')?.status.podIP).not.toBe(before?.status.podIP)
})

it('a Pod with a finalizer shows how it ended, and is deleted with the finalizer', async () => {
  startNode()
  startScheduling()
  await createPod('kept', {}, { finalizers: ['example.com/count'] })
  await untilReady('kept')
  await deletePod('kept')
  await eventually(() => expect(podNow('kept')?.metadata.deletionGracePeriodSeconds).toBe(0), patienceMs)
  expect(podNow('kept')?.status).toMatchObject({
    phase: 'Failed',
    containerStatuses: [{ state: { terminated: { exitCode: 143 } } }],
  })
  await patchPod('kept', { metadata: { finalizers: null } })
  await eventually(() => expect(podNow('kept')).toBeUndefined(), patienceMs)
})

it('a deleted node returns, with its Lease', async () => {
  startNode()
  const lease = () =>
    contextOf('coordination.k8s.io', 'Lease').cache.get({ namespace: 'kube-node-lease', name: 'simulated' })
  await eventually(() => expect(lease()?.object.spec).toMatchObject({ holderIdentity: 'simulated' }), patienceMs)
  const before = nodeNow()?.metadata.uid
  await world.resource('nodes').delete({ namespace: '', name: 'simulated' }, { dryRun: false }, writeRequest())
  await eventually(() => expect([undefined, before]).not.toContain(nodeNow()?.metadata.uid), patienceMs)
})
