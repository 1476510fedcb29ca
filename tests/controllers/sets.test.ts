import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { pod } from '../../src/api/core/pods/pod.ts'
import { forbidden } from '../../src/api/error.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { ControllerRevision, DaemonSet, StatefulSet } from '../../src/api/types/apps-v1.ts'
import type { Event, Pod } from '../../src/api/types/core-v1.ts'
import { workloadKinds } from '../../src/cluster/controllers/controllers.ts'
import { startWorkloads } from '../../src/controllers/workloads.ts'
import type { ResourceContext } from '../../src/registry/context.ts'
import type { Controller } from '../../src/registry/controllers/controller.ts'
import { documentsIn } from '../../src/registry/documents-in.ts'
import { eventually } from '../support/eventually.ts'
import { bodyOf, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'
import { atRest } from './at-rest.ts'

const place = 'a'
let world: TestRegistry
let workloads: Controller
let mayCreatePods = true
const failures: unknown[] = []

beforeEach(async () => {
  mayCreatePods = true
  failures.length = 0
  world = await startRegistry(builtinKinds(), {
    hooks: ({ kind }) => (kind === 'Pod' ? { admitCreate: admitPod } : {}),
  })
  await create('namespaces', namespaceNamed(place))
  start()
})

afterEach(async () => {
  await workloads.stop()
  await world.stop()
  expect(failures).toEqual([])
})

function admitPod(object: KubeObject) {
  if (!mayCreatePods) throw forbidden(pod, object.metadata.name ?? '', 'exceeded quota')
  return { object }
}

function start(): void {
  workloads = startWorkloads(workloadKinds(world.registry), {
    report: (_, __, error) => failures.push(error),
    mayWrite: () => true,
    nodes: 'own',
    acts: 'alone',
  })
}

describe('a StatefulSet', () => {
  it('creates the next Pod when its predecessor is ready, with its name and claims', async () => {
    await create('statefulsets', statefulSetOf(2))
    await eventually(() => expect(setNow().status).toMatchObject({ replicas: 1, observedGeneration: 1 }))
    expect(podNames()).toEqual(['web-0'])
    await makeReady('web-0')
    await eventually(() => expect(podNames()).toEqual(['web-0', 'web-1']))
    expect(names('', 'PersistentVolumeClaim')).toEqual(['data-web-0', 'data-web-1'])
    await eventually(() =>
      expect(messages('SuccessfulCreate').toSorted()).toEqual([
        'create Claim data-web-0 Pod web-0 in StatefulSet web success',
        'create Claim data-web-1 Pod web-1 in StatefulSet web success',
        'create Pod web-0 in StatefulSet web successful',
        'create Pod web-1 in StatefulSet web successful',
      ]),
    )
  })

  it('replaces Pods from the last down to the partition, and failed ones by their own revision', async () => {
    await create('statefulsets', statefulSetOf(3))
    await readyUntil({ readyReplicas: 3, updatedReplicas: 3 })
    await merge('statefulsets', 'web', withImage('v2', { partition: 2 }))
    await readyUntil({ readyReplicas: 3, updatedReplicas: 1, observedGeneration: 2 })
    await setStatus('web-0', { phase: 'Failed' })
    await eventually(() => expect(podNow('web-0').status.phase).toBe('Pending'))
    await readyUntil({ readyReplicas: 3 })
    expect(podNames().map((name) => imageOf(podNow(name)))).toEqual(['v1', 'v1', 'v2'])
    await merge('statefulsets', 'web', withImage('v2', { partition: 0 }))
    await readyUntil({ readyReplicas: 3, updatedReplicas: 3, observedGeneration: 3 })
    const { currentRevision, updateRevision } = setNow().status
    expect(currentRevision).toBe(updateRevision)
  })

  it('rolls back to an earlier revision, and keeps the configured history', async () => {
    await create('statefulsets', { ...statefulSetOf(0), spec: { ...specOf(0), revisionHistoryLimit: 1 } })
    for (const [image, generation] of [
      ['v2', 2],
      ['v3', 3],
      ['v2', 4],
    ] as const) {
      await merge('statefulsets', 'web', withImage(image))
      await eventually(() => expect(setNow().status.observedGeneration).toBe(generation))
    }
    await eventually(() => expect(revisions().map(({ revision }) => revision)).toEqual([3, 4]))
    const [before, now] = revisions()
    expect([before, now].map(imageIn)).toEqual(['v3', 'v2'])
    expect(setNow().status.updateRevision).toBe(now?.metadata.name)
  })

  it('deletes claims on scale down and with the set, as its policy says', async () => {
    const policy = { whenDeleted: 'Delete', whenScaled: 'Delete' }
    await create('statefulsets', statefulSetOf(2, { persistentVolumeClaimRetentionPolicy: policy }))
    await readyUntil({ readyReplicas: 2 })
    expect([ownerOf('data-web-0'), ownerOf('data-web-1')]).toEqual(['StatefulSet/web', 'StatefulSet/web'])
    const owners: unknown[] = []
    contextOf('', 'PersistentVolumeClaim').cache.listen((events) => {
      for (const { document } of events) if (document.name === 'data-web-1') owners.push(ownerIn(document.object))
    })
    await merge('statefulsets', 'web', { spec: { replicas: 1 } })
    await eventually(() => expect(podNames()).toEqual(['web-0']))
    expect(owners).toContain('Pod/web-1')
    const retained = { whenDeleted: 'Retain', whenScaled: 'Retain' }
    await merge('statefulsets', 'web', { spec: { persistentVolumeClaimRetentionPolicy: retained } })
    await eventually(() => expect(ownerOf('data-web-0')).toBeUndefined())
  })

  it('in parallel creates all Pods at once, and reports a refused write', async () => {
    mayCreatePods = false
    await create('statefulsets', statefulSetOf(3, { podManagementPolicy: 'Parallel' }))
    await eventually(() =>
      expect(messages('FailedCreate')).toContainEqual(
        expect.stringMatching(/^create Pod web-[0-2] in StatefulSet web failed error: pods .* exceeded quota$/),
      ),
    )
    mayCreatePods = true
    await eventually(() => expect(podNames()).toEqual(['web-0', 'web-1', 'web-2']))
  })

  it('waits for a name that another Pod has, and adopts a matching Pod', async () => {
    const spec = specOf(2).template.spec
    const free = { apiVersion: 'v1', kind: 'Pod', spec: { ...spec, containers: [{ name: 'c', image: 'v1' }] } }
    await create('pods', { ...free, metadata: { name: 'web-0', namespace: place, labels: { app: 'other' } } })
    await create('pods', { ...free, metadata: { name: 'web-1', namespace: place, labels: { app: 'web' } } })
    await create('statefulsets', statefulSetOf(2))
    await eventually(() => expect(podNow('web-1').metadata.ownerReferences).toMatchObject([{ name: 'web' }]))
    await eventually(() => {
      expect(podNow('web-1').metadata.labels).toMatchObject({ 'apps.kubernetes.io/pod-index': '1' })
    })
    expect(podNow('web-0').metadata.ownerReferences).toBeUndefined()
    await world.resource('pods').delete({ namespace: place, name: 'web-0' }, { dryRun: false }, writeRequest())
    await eventually(() => expect(podNow('web-0').metadata.ownerReferences).toMatchObject([{ name: 'web' }]))
  })

  it('deletes surplus Pods even while it cannot create missing ones', async () => {
    const taken = { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'c', image: 'v1' }] } }
    await create('pods', { ...taken, metadata: { name: 'web-0', namespace: place, labels: { app: 'other' } } })
    await create('pods', { ...taken, metadata: { name: 'web-5', namespace: place, labels: { app: 'web' } } })
    await create('statefulsets', statefulSetOf(1, { podManagementPolicy: 'Parallel' }))
    await eventually(() => expect(podNames()).toEqual(['web-0']))
  })

  it('at rest writes nothing, even after a restart', async () => {
    await create('statefulsets', statefulSetOf(1))
    await readyUntil({ readyReplicas: 1, availableReplicas: 1 })
    const before = await atRest(world)
    await workloads.stop()
    start()
    await create('statefulsets', { ...statefulSetOf(0), metadata: { name: 'last', namespace: place } })
    await eventually(() => expect(setNow('last').status.observedGeneration).toBe(1))
    // The set, its revision and its status.
    expect(await world.store.currentRevision()).toBe(before + 3)
  })
})

describe('a DaemonSet', () => {
  beforeEach(async () => {
    for (const name of ['n1', 'n2']) await create('nodes', nodeNamed(name))
  })

  it('has a Pod on each matching node, and follows labels and taints', async () => {
    await create('daemonsets', daemonSetOf())
    await eventually(() => expect(targets()).toEqual(['n1', 'n2']))
    await create('nodes', nodeNamed('n3'))
    await eventually(() => expect(targets()).toEqual(['n1', 'n2', 'n3']))
    await mergeNode('n3', { metadata: { labels: { logs: null } } })
    await eventually(() => expect(targets()).toEqual(['n1', 'n2']))
    await mergeNode('n2', { spec: { taints: [{ key: 'ill', effect: 'NoExecute' }] } })
    await eventually(() => expect(targets()).toEqual(['n1']))
    await eventually(() => {
      expect(daemonNow().status).toMatchObject({ desiredNumberScheduled: 1, currentNumberScheduled: 1 })
    })
  })

  it('replaces Pods one by one, and failed ones', async () => {
    await create('daemonsets', daemonSetOf())
    await eventually(() => expect(targets()).toEqual(['n1', 'n2']))
    for (const name of podNames()) await makeReady(name)
    await eventually(() => expect(daemonNow().status).toMatchObject({ numberAvailable: 2 }))
    let fewest = 2
    contextOf('', 'Pod').cache.listen(() => {
      fewest = Math.min(fewest, pods().filter(isReady).length)
    })
    await merge('daemonsets', 'logs', withImage('v2'))
    await eventually(async () => {
      for (const each of pods()) if (!isReady(each)) await makeReady(each.metadata.name ?? '')
      expect(daemonNow().status).toMatchObject({ updatedNumberScheduled: 2, numberAvailable: 2, observedGeneration: 2 })
    })
    expect(fewest).toBe(1)
    const [first = ''] = podNames()
    await setStatus(first, { phase: 'Failed' })
    await eventually(() => expect(podNames()).not.toContain(first))
    await eventually(() => expect(targets()).toEqual(['n1', 'n2']))
    await eventually(() => expect(messages('FailedDaemonPod')).toHaveLength(1))
  })

  it('with a surge keeps the old Pod until the new one is available', async () => {
    await create('daemonsets', daemonSetOf({ maxSurge: 1, maxUnavailable: 0 }))
    await eventually(() => expect(targets()).toEqual(['n1', 'n2']))
    for (const name of podNames()) await makeReady(name)
    await eventually(() => expect(daemonNow().status).toMatchObject({ numberAvailable: 2 }))
    let fewest = 2
    contextOf('', 'Pod').cache.listen(() => {
      fewest = Math.min(fewest, pods().filter(isReady).length)
    })
    await merge('daemonsets', 'logs', withImage('v2'))
    await eventually(async () => {
      for (const each of pods()) if (!isReady(each)) await makeReady(each.metadata.name ?? '')
      expect(daemonNow().status).toMatchObject({ updatedNumberScheduled: 2, numberAvailable: 2, observedGeneration: 2 })
      expect(podNames()).toHaveLength(2)
    })
    expect(fewest).toBe(2)
  })
})

/** Makes every new Pod ready, as a node would, until the status matches. */
async function readyUntil(status: object): Promise<void> {
  await eventually(async () => {
    for (const each of pods()) if (!isReady(each)) await makeReady(each.metadata.name ?? '')
    expect(setNow().status).toMatchObject(status)
  })
}

function specOf(replicas: number, image = 'v1') {
  return {
    replicas,
    serviceName: 'web',
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'c', image, volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  }
}

function statefulSetOf(replicas: number, more: object = {}): KubeObject {
  const metadata = { name: 'web', namespace: place }
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec: { ...specOf(replicas), ...more } }
}

function daemonSetOf(rollingUpdate: object = { maxUnavailable: 1, maxSurge: 0 }): KubeObject {
  const containers = [{ name: 'c', image: 'v1' }]
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'logs', namespace: place },
    spec: {
      selector: { matchLabels: { app: 'logs' } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate },
      template: {
        metadata: { labels: { app: 'logs' } },
        spec: { terminationGracePeriodSeconds: 0, nodeSelector: { logs: 'yes' }, containers },
      },
    },
  }
}

function nodeNamed(name: string): KubeObject {
  const status = { conditions: [{ type: 'Ready', status: 'True' }] }
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { logs: 'yes' } }, spec: {}, status }
}

function withImage(image: string, rollingUpdate: object = {}) {
  const container = { name: 'c', image, volumeMounts: [{ name: 'data', mountPath: '/data' }] }
  const isStateful = Object.keys(rollingUpdate).length > 0 || names('apps', 'StatefulSet').length > 0
  const containers = isStateful ? [container] : [{ name: 'c', image }]
  return { spec: { updateStrategy: { rollingUpdate }, template: { spec: { containers } } } }
}

function create(plural: string, object: KubeObject) {
  return world.resource(plural).create({ namespace: object.metadata.namespace ?? '' }, bodyOf(object), writeRequest())
}

function merge(plural: string, name: string, change: unknown, namespace = place) {
  const patch = { type: 'merge', body: bodyOf(change) } as const
  return world.resource(plural).patch({ namespace, name }, patch, writeRequest())
}

function mergeNode(name: string, change: unknown) {
  return merge('nodes', name, change, '')
}

async function setStatus(name: string, status: unknown): Promise<void> {
  const patch = { type: 'merge', body: bodyOf({ status }) } as const
  await world.resource('pods').patch({ namespace: place, name }, patch, writeRequest({ subresource: 'status' }))
}

function makeReady(name: string): Promise<void> {
  return setStatus(name, {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2029-12-31T00:00:00Z' }],
  })
}

function contextOf(group: string, kind: string): ResourceContext {
  const context = world.registry.engine.find(group, kind)
  if (context === undefined) throw new Error(`${kind} is not served`)
  return context
}

function objects(group: string, kind: string): readonly KubeObject[] {
  return documentsIn(contextOf(group, kind), place).map(({ object }) => object)
}

function names(group: string, kind: string): readonly string[] {
  return objects(group, kind).map(({ metadata }) => metadata.name ?? '')
}

function pods(): readonly Pod[] {
  return objects('', 'Pod') as readonly Pod[]
}

function podNames(): readonly string[] {
  return names('', 'Pod').toSorted()
}

function podNow(name: string): Pod {
  const found = pods().find(({ metadata }) => metadata.name === name)
  if (found === undefined) throw new Error(`there is no Pod ${name}`)
  return found
}

function setNow(name = 'web'): StatefulSet {
  return contextOf('apps', 'StatefulSet').cache.get({ namespace: place, name })?.object as StatefulSet
}

function daemonNow(): DaemonSet {
  return contextOf('apps', 'DaemonSet').cache.get({ namespace: place, name: 'logs' })?.object as DaemonSet
}

function revisions(): readonly ControllerRevision[] {
  const all = objects('apps', 'ControllerRevision') as readonly ControllerRevision[]
  return all.toSorted((left, right) => left.revision - right.revision)
}

function imageIn(revision: ControllerRevision | undefined): string | undefined {
  return /"image":"([^"]*)"/.exec(JSON.stringify(revision?.data))?.[1]
}

function imageOf({ spec }: Pod): string | undefined {
  return spec.containers?.[0]?.image
}

function isReady({ status }: Pod): boolean {
  return status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false
}

/** The nodes for which Pods are intended. */
function targets(): readonly (string | undefined)[] {
  const termsOf = ({ spec }: Pod) =>
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  return pods()
    .map((each) => termsOf(each)?.[0]?.matchFields?.[0]?.values?.[0])
    .toSorted()
}

function ownerOf(claim: string): string | undefined {
  return ownerIn(contextOf('', 'PersistentVolumeClaim').cache.get({ namespace: place, name: claim })?.object)
}

function ownerIn(object: KubeObject | undefined): string | undefined {
  const [owner] = object?.metadata.ownerReferences ?? []
  return owner && `${owner.kind}/${owner.name}`
}

function messages(reason: string): readonly string[] {
  return (objects('', 'Event') as readonly Event[])
    .filter((each) => each.reason === reason)
    .map(({ message }) => message ?? '')
}
