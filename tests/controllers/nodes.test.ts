import { describe, expect, it } from 'vitest'
import type { Event, Node, Pod } from '../../src/api/types/core-v1.ts'
import { documentsIn } from '../../src/registry/documents-in.ts'
import { eventually } from '../support/eventually.ts'
import { namespaceNamed, writeRequest } from '../support/registry.ts'
import { place, shell, template, useWorkloads } from './workload-world.ts'

const w = useWorkloads()
const { create, merge, messages, names, contextOf, makeReady } = w
const ofNode = { namespace: '' }

const nodeNow = (name: string) => contextOf('', 'Node').cache.get({ namespace: '', name })?.object as Node
const podNow = (name: string) => contextOf('', 'Pod').cache.get({ namespace: place, name })?.object as Pod
const taintsOf = (name: string) => (nodeNow(name).spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`)

async function createNode(name: string, ready = 'True'): Promise<void> {
  await create('nodes', { ...shell('v1', 'Node'), metadata: { name } })
  await tellReady(name, ready)
}

async function tellReady(name: string, status: string): Promise<void> {
  const conditions = [{ type: 'Ready', status, lastTransitionTime: '2029-01-01T00:00:00Z' }]
  await merge('nodes', name, { status: { conditions } }, { ...ofNode, subresource: 'status' })
}

async function createPod(name: string, nodeName: string, tolerations: readonly object[] = []): Promise<void> {
  const spec = { ...template.spec, nodeName, tolerations }
  await create('pods', { ...shell('v1', 'Pod'), metadata: { name, namespace: place }, spec })
}

describe('a node that is not ready', () => {
  it('loses Pods that do not tolerate it, with an Event', async () => {
    await createNode('n1')
    await createNode('n2')
    await createPod('leaves', 'n1')
    await createPod('stays', 'n1', [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }])
    await createPod('held', 'n1')
    await merge('pods', 'held', { metadata: { finalizers: ['example.com/look-first'] } })
    await tellReady('n1', 'False')
    await eventually(() => expect(names('', 'Pod')).toEqual(['held', 'stays']))
    expect(taintsOf('n1')).toEqual([
      'node.kubernetes.io/not-ready:NoSchedule',
      'node.kubernetes.io/not-ready:NoExecute',
    ])
    await eventually(() =>
      expect(podNow('held').status.conditions).toMatchObject([
        { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' },
      ]),
    )
    await eventually(() =>
      expect(messages('TaintManagerEviction').toSorted()).toEqual(
        ['held', 'leaves'].map((name) => `Marking for deletion Pod ${place}/${name}`),
      ),
    )
    await tellReady('n1', 'True')
    await eventually(() => expect(taintsOf('n1')).toEqual([]))
  })

  it('keeps them if no node is ready', async () => {
    await createNode('n1')
    await createPod('stays', 'n1')
    await tellReady('n1', 'False')
    await eventually(() => expect(taintsOf('n1')).toEqual(['node.kubernetes.io/not-ready:NoSchedule']))
    await createNode('n2')
    await eventually(() => expect(names('', 'Pod')).toEqual([]))
    await tellReady('n2', 'False')
    await eventually(() => expect(taintsOf('n1')).toEqual(['node.kubernetes.io/not-ready:NoSchedule']))
  })

  it('is the only one to lose Pods for a while', async () => {
    for (const name of ['n1', 'n2', 'n3']) await createNode(name)
    await tellReady('n1', 'False')
    await eventually(() => expect(taintsOf('n1')).toHaveLength(2))
    await tellReady('n2', 'False')
    await eventually(() => expect(taintsOf('n2')).toEqual(['node.kubernetes.io/not-ready:NoSchedule']))
    w.world.clock.advance(10_000)
    await merge('nodes', 'n2', { metadata: { labels: { looked: 'again' } } }, ofNode)
    await eventually(() => expect(taintsOf('n2')).toContain('node.kubernetes.io/not-ready:NoExecute'))
  })
})

it('a node without heartbeats is unreachable, and its Pods are not ready', async () => {
  await createNode('n1')
  await createNode('n2')
  await createPod('web', 'n1', [{ operator: 'Exists' }])
  await makeReady('web')
  await create('namespaces', namespaceNamed('kube-node-lease'))
  await create('namespaces', namespaceNamed('default'))
  const metadata = { name: 'n1', namespace: 'kube-node-lease' }
  const spec = { holderIdentity: 'n1', leaseDurationSeconds: 40, renewTime: '2029-01-01T00:00:00.000000Z' }
  await create('leases', { ...shell('coordination.k8s.io/v1', 'Lease'), metadata, spec })
  w.world.clock.advance(49_999)
  await merge('nodes', 'n1', { metadata: { labels: { looked: 'early' } } }, ofNode)
  await eventually(() => expect(nodeNow('n1').metadata.annotations).toEqual({ 'node.alpha.kubernetes.io/ttl': '0' }))
  expect(nodeNow('n1').status.conditions).toMatchObject([{ type: 'Ready', status: 'True' }])
  w.world.clock.advance(1)
  await merge('nodes', 'n1', { metadata: { labels: { looked: 'late' } } }, ofNode)
  await eventually(() => {
    const [ready, pressure] = nodeNow('n1').status.conditions ?? []
    expect(ready).toMatchObject({ status: 'Unknown', reason: 'NodeStatusUnknown' })
    const lastHeartbeatTime = nodeNow('n1').metadata.creationTimestamp
    expect(pressure).toMatchObject({ reason: 'NodeStatusNeverUpdated', lastHeartbeatTime })
    expect(taintsOf('n1')).toEqual(
      ['unreachable:NoSchedule', 'unreachable:NoExecute'].map((each) => `node.kubernetes.io/${each}`),
    )
    expect(podNow('web').status.conditions).toMatchObject([{ type: 'Ready', status: 'False' }])
  })
  await eventually(() => {
    expect(messages('NodeNotReady')).toEqual(['Node is not ready'])
    expect(messages('NodeNotReady', 'default')).toEqual(['Node n1 status is now: NodeNotReady'])
  })
  expect(nodeNow('n2').status.conditions).toMatchObject([{ type: 'Ready', status: 'True' }])
})

it('a node that is added or removed is reported once, even after a restart', async () => {
  await create('namespaces', namespaceNamed('default'))
  await createNode('n1')
  const registered = 'Node n1 event: Registered Node n1 in Controller'
  await eventually(() => expect(messages('RegisteredNode', 'default')).toEqual([registered]))
  const [told] = documentsIn(contextOf('', 'Event'), 'default').map(({ object }) => object as Event)
  expect(told).toMatchObject({ count: 1, source: { component: 'node-controller' } })
  const { uid } = nodeNow('n1').metadata
  expect(told?.involvedObject).toEqual({ apiVersion: 'v1', kind: 'Node', name: 'n1', uid })
  await w.workloads.stop()
  w.start()
  const options = { dryRun: false }
  await w.world.resource('nodes').delete({ namespace: '', name: 'n1' }, options, writeRequest())
  const removed = 'Node n1 event: Removing Node n1 from Controller'
  await eventually(() => expect(messages('RemovingNode', 'default')).toEqual([removed]))
  const counts = documentsIn(contextOf('', 'Event'), 'default').map(({ object }) => (object as Event).count)
  expect(counts).toEqual([1, 1])
})
