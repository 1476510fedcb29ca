import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { replicaSet } from '../../src/api/apps/replica-set.ts'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { pod } from '../../src/api/core/pod.ts'
import { alreadyExists, forbidden, serviceUnavailable } from '../../src/api/error.ts'
import type { Kind } from '../../src/api/kind.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { Deployment, ReplicaSet } from '../../src/api/types/apps-v1.ts'
import type { Event } from '../../src/api/types/core-v1.ts'
import { workloadKinds } from '../../src/cluster/controllers.ts'
import { OwnedObjects } from '../../src/controllers/ownership/owned-objects.ts'
import { EndedPods } from '../../src/controllers/pods/ended-pods.ts'
import { podFactsFrom } from '../../src/controllers/pods/pod-facts.ts'
import { startWorkloads } from '../../src/controllers/workloads.ts'
import type { Hooks, ResourceContext } from '../../src/registry/context.ts'
import type { Controller } from '../../src/registry/controllers/controller.ts'
import { documentsIn } from '../../src/registry/documents-in.ts'
import { Capacity } from '../../src/registry/quota/capacity.ts'
import { eventually } from '../support/eventually.ts'
import { bodyOf, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'

const place = 'a'
const elsewhere = 'b'
let world: TestRegistry
let workloads: Controller
let mayCreatePods = true
/** How often the name of a ReplicaSet is still taken. */
let collisions = 0
/** A Pod that may not be changed. */
let refused = ''
/** How often an Event cannot be written. */
let unavailable = 0
let leads = true
const room = { objects: 0, bytes: 0 }
const failures: unknown[] = []

beforeEach(async () => {
  mayCreatePods = true
  collisions = 0
  refused = ''
  unavailable = 0
  leads = true
  Object.assign(room, { objects: 10_000, bytes: 10_000_000 })
  failures.length = 0
  world = await startRegistry(builtinKinds(), {
    hooks: (kind) => new Capacity(room, '').limiting(kind, admissionOf(kind)),
  })
  await create('namespaces', namespaceNamed(place))
  start()
})

afterEach(async () => {
  await workloads.stop()
  await world.stop()
  expect(failures).toEqual([])
})

function admissionOf({ kind }: Kind): Hooks {
  if (kind === 'Pod') return { admitCreate: admitPod, admitUpdate: admitPodChange }
  if (kind === 'Event') return { admitCreate: admitEvent }
  return kind === 'ReplicaSet' ? { admitCreate: admitReplicaSet } : {}
}

function admitEvent(object: KubeObject) {
  if (unavailable === 0) return { object }
  unavailable -= 1
  throw serviceUnavailable('not now')
}

function admitPodChange(object: KubeObject) {
  if (object.metadata.name === refused) throw forbidden(pod, refused, 'it stays as it is')
  return { object }
}

function admitReplicaSet(object: KubeObject) {
  if (collisions === 0) return { object }
  collisions -= 1
  throw alreadyExists(replicaSet, object.metadata.name ?? '')
}

function admitPod(object: KubeObject) {
  if (!mayCreatePods) throw forbidden(pod, object.metadata.name ?? '', 'exceeded quota')
  return { object }
}

function start(): void {
  workloads = startWorkloads(workloadKinds(world.registry), reportFailure, () => leads)
}

function reportFailure(_: string, __: string, error: unknown): void {
  failures.push(error)
}

describe('a ReplicaSet', () => {
  it('has as many Pods as it asks for, and counts them', async () => {
    await create('replicasets', replicaSetOf(3))
    await eventually(() => expect(replicaSetNow().status).toMatchObject({ replicas: 3, observedGeneration: 1 }))
    expect(names('', 'Pod')).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^web-[a-z0-9]{5}$/)))
  })

  it('never has more Pods than it asks for, however often it changes', async () => {
    await create('replicasets', replicaSetOf(20))
    let most = 0
    contextOf('', 'Pod').cache.listen(() => {
      most = Math.max(most, names('', 'Pod').length)
    })
    for (let label = 0; label < 10; label++)
      await merge('replicasets', 'web', { metadata: { labels: { n: `${label}` } } })
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(20))
    expect(most).toBe(20)
  })

  it('replaces Pods that failed, and gives up the one that is not ready', async () => {
    await create('replicasets', replicaSetOf(2))
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(2))
    const [failed = '', ready = ''] = names('', 'Pod')
    await setStatus(failed, { phase: 'Failed' })
    await eventually(() => expect(names('', 'Pod')).toHaveLength(3))
    await makeReady(ready)
    await merge('replicasets', 'web', { spec: { replicas: 1 } })
    await eventually(() => expect(names('', 'Pod').toSorted()).toEqual([failed, ready].toSorted()))
    await eventually(() => expect(replicaSetNow().status).toMatchObject({ replicas: 1, readyReplicas: 1 }))
  })

  it('tells what it is refused, and goes on when it no longer is', async () => {
    mayCreatePods = false
    await create('replicasets', replicaSetOf(1))
    await eventually(() => {
      expect(replicaSetNow().status.conditions).toMatchObject([{ type: 'ReplicaFailure', reason: 'FailedCreate' }])
      expect(messages('FailedCreate')).toContainEqual(
        expect.stringMatching(/^Error creating: pods .* is forbidden: exceeded quota$/),
      )
    })
    mayCreatePods = true
    await eventually(() =>
      expect(replicaSetNow().status).toEqual({ replicas: 1, fullyLabeledReplicas: 1, observedGeneration: 1 }),
    )
  })

  it('neither counts, releases nor deletes Pods of another namespace that name its uid', async () => {
    await create('namespaces', namespaceNamed(elsewhere))
    await create('replicasets', replicaSetOf(2))
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(2))
    const ownerReferences = [foreignOwner(replicaSetNow())]
    const spec = template.spec
    for (const [name, labels] of [
      ['like', { app: 'web' }],
      ['unlike', { app: 'else' }],
    ] as const) {
      await create('pods', {
        ...shell('v1', 'Pod'),
        metadata: { name, namespace: elsewhere, labels, ownerReferences },
        spec,
      })
    }
    await merge('replicasets', 'web', { spec: { replicas: 3 } })
    await eventually(() => expect(replicaSetNow().status).toMatchObject({ replicas: 3, observedGeneration: 2 }))
    await merge('replicasets', 'web', { spec: { replicas: 0 } })
    await eventually(() => expect(replicaSetNow().status).toMatchObject({ replicas: 0, observedGeneration: 3 }))
    const foreign = documentsIn(contextOf('', 'Pod'), elsewhere).map(({ object }) => object.metadata)
    expect(foreign).toMatchObject([
      { name: 'like', ownerReferences },
      { name: 'unlike', ownerReferences },
    ])
  })

  it('tells that there is no room, and gives up Pods, where there is none at all', async () => {
    await create('replicasets', replicaSetOf(2))
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(2))
    await workloads.stop()
    await merge('replicasets', 'web', { spec: { replicas: 5 } })
    Object.assign(room, { objects: 0, bytes: 0 })
    start()
    await eventually(() =>
      expect(replicaSetNow().status.conditions).toMatchObject([{ type: 'ReplicaFailure', reason: 'FailedCreate' }]),
    )
    await merge('replicasets', 'web', { spec: { replicas: 0 } })
    await eventually(() => expect(replicaSetNow().status).toEqual({ replicas: 0, observedGeneration: 3 }))
    expect(names('', 'Pod')).toEqual([])
  })

  it('is not disturbed by one that cannot be read, stored before the start or after it', async () => {
    await workloads.stop()
    await storeOdd('before')
    start()
    await storeOdd('after')
    await create('replicasets', replicaSetOf(1))
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(1))
    expect(failures.splice(0)).toEqual([expect.any(TypeError), expect.any(TypeError)])
  })

  it('adopts Pods that are free, also if one of them refuses, and replaces those that no longer match', async () => {
    const free = { labels: { app: 'web' }, namespace: place }
    refused = 'a-refused'
    for (const name of [refused, 'b-free']) {
      await create('pods', { ...shell('v1', 'Pod'), metadata: { ...free, name }, spec: template.spec })
    }
    await create('replicasets', replicaSetOf(2))
    await eventually(() => expect(ownersOf('b-free')).toEqual(['web']))
    refused = ''
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(2))
    expect(names('', 'Pod')).toEqual(['a-refused', 'b-free'])
    await merge('pods', 'b-free', { metadata: { labels: { app: 'else' } } })
    await eventually(() => expect(names('', 'Pod')).toHaveLength(3))
    expect(ownersOf('b-free')).toEqual([])
  })

  it('has the right number of Pods in the end if a leader is lost in the middle of making them', async () => {
    const unfollow = contextOf('', 'Pod').cache.listen(() => {
      if (names('', 'Pod').length >= 20) leads = false
    })
    await create('replicasets', replicaSetOf(50))
    await eventually(() => expect(leads).toBe(false))
    unfollow()
    await workloads.stop()
    expect(names('', 'Pod').length).toBeLessThan(50)
    leads = true
    start()
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(50))
    expect(names('', 'Pod')).toHaveLength(50)
  })

  it('at rest writes nothing, also after a restart', async () => {
    await create('replicasets', replicaSetOf(2))
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(2))
    await eventually(() => expect(messages('SuccessfulCreate')).toHaveLength(2))
    const before = await world.store.currentRevision()
    await workloads.stop()
    start()
    await create('replicasets', { ...replicaSetOf(0), metadata: { name: 'last', namespace: place } })
    await eventually(() => expect(replicaSetNow('last').status.observedGeneration).toBe(1))
    expect(await world.store.currentRevision()).toBe(before + 2)
  })
})

it('a ReplicationController has Pods too', async () => {
  const selector = { app: 'web' }
  await create('replicationcontrollers', {
    ...shell('v1', 'ReplicationController'),
    spec: { replicas: 2, selector, template },
  })
  await eventually(() => expect(messages('SuccessfulCreate')).toHaveLength(2))
  const [first] = objects('', 'Pod')
  expect(first?.metadata.ownerReferences).toMatchObject([
    { apiVersion: 'v1', kind: 'ReplicationController', controller: true },
  ])
})

describe('a Deployment', () => {
  it('makes no ReplicaSet that it would let go at once, and says so', async () => {
    const labels = { app: 'web', 'pod-template-hash': 'x' }
    const { spec, ...rest } = deploymentOf(1, 'v1')
    const selecting = { selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } }
    await create('deployments', { ...rest, spec: { ...Object(spec), ...selecting } })
    await eventually(() =>
      expect(messages('ReplicaSetCreateError')).toContainEqual(
        expect.stringContaining('spec.selector does not select'),
      ),
    )
    expect(names('apps', 'ReplicaSet')).toEqual([])
    expect(deploymentNow().status.collisionCount).toBeUndefined()
  })

  it('rolls out, and never has more Pods than allowed nor fewer that work', async () => {
    await create('deployments', deploymentOf(4, 'v1'))
    await readyUntilComplete(1)
    const counts = { most: 0, fewest: 4 }
    contextOf('', 'Pod').cache.listen(() => {
      const living = objects('', 'Pod')
      counts.most = Math.max(counts.most, living.length)
      counts.fewest = Math.min(counts.fewest, living.filter(isReady).length)
    })
    await merge('deployments', 'web', imageChange('v2'))
    await readyUntilComplete(2)
    expect(counts).toEqual({ most: 5, fewest: 3 })
    expect(objects('', 'Pod').map(imageOf)).toEqual(['v2', 'v2', 'v2', 'v2'])
  })

  it('takes no ReplicaSet of another namespace for its own', async () => {
    await create('namespaces', namespaceNamed(elsewhere))
    await create('deployments', deploymentOf(1, 'v1'))
    await eventually(() => expect(deploymentNow().status.updatedReplicas).toBe(1))
    const [own] = objects('apps', 'ReplicaSet') as readonly ReplicaSet[]
    const { labels = {} } = own?.metadata ?? {}
    const ownerReferences = [foreignOwner(deploymentNow())]
    const metadata = { name: 'next', namespace: elsewhere, labels, ownerReferences }
    const next = { ...template.spec, containers: [{ name: 'c', image: 'v2' }] }
    await create('replicasets', {
      ...replicaSetOf(0),
      metadata,
      spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: next } },
    })
    await merge('deployments', 'web', imageChange('v2'))
    await readyUntilComplete(2)
    expect(objects('', 'Pod').map(imageOf)).toEqual(['v2'])
    const [foreign] = documentsIn(contextOf('apps', 'ReplicaSet'), elsewhere)
    expect(foreign?.object).toMatchObject({ metadata: { generation: 1, ownerReferences }, spec: { replicas: 0 } })
  })

  it('tries again if a name was taken a moment ago and is free again', async () => {
    collisions = 1
    await create('deployments', deploymentOf(1, 'v1'))
    await eventually(() => expect(deploymentNow().status.updatedReplicas).toBe(1))
    expect([collisions, deploymentNow().status.collisionCount]).toEqual([0, undefined])
  })

  it('that is recreated has no Pod of the next template while one of the last is there', async () => {
    const recreated = { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } }
    await create('deployments', deploymentOf(2, 'v1'))
    await readyUntilComplete(1)
    await merge('deployments', 'web', recreated)
    await eventually(() => expect(deploymentNow().status.observedGeneration).toBe(2))
    const together: unknown[] = []
    contextOf('', 'Pod').cache.listen(() => together.push(new Set(objects('', 'Pod').map(imageOf)).size))
    await merge('deployments', 'web', imageChange('v2'))
    await readyUntilComplete(3)
    expect(together).not.toContain(2)
    expect(objects('', 'Pod').map(imageOf)).toEqual(['v2', 'v2'])
  })

  it('that is paused is scaled and takes no template until it goes on', async () => {
    await create('deployments', deploymentOf(1, 'v1'))
    await readyUntilComplete(1)
    await merge('deployments', 'web', { spec: { paused: true, replicas: 2, ...imageChange('v2').spec } })
    await eventually(() => expect(objects('', 'Pod').map(imageOf)).toEqual(['v1', 'v1']))
    await merge('deployments', 'web', { spec: { paused: false } })
    await readyUntilComplete(3)
    expect(objects('', 'Pod').map(imageOf)).toEqual(['v2', 'v2'])
  })

  it('takes another name for its ReplicaSet if its name is taken', async () => {
    await create('deployments', deploymentOf(1, 'v1'))
    await eventually(() => expect(names('apps', 'ReplicaSet')).toHaveLength(1))
    const [taken = ''] = names('apps', 'ReplicaSet')
    await workloads.stop()
    await world.resource('deployments').delete({ namespace: place, name: 'web' }, { dryRun: false }, writeRequest())
    await merge('replicasets', taken, { metadata: { ownerReferences: null, labels: { app: 'else' } } })
    start()
    await create('deployments', deploymentOf(1, 'v1'))
    await eventually(() => expect(deploymentNow().status).toMatchObject({ collisionCount: 1, updatedReplicas: 1 }))
    expect(names('apps', 'ReplicaSet')).toHaveLength(2)
  })
})

it('an Event that could not be written is written later', async () => {
  unavailable = 1
  await create('replicasets', replicaSetOf(1))
  await eventually(() => expect(messages('SuccessfulCreate')).toHaveLength(1))
  expect(failures.splice(0)).toMatchObject([{ status: { code: 503 } }])
})

it('of Pods that have ended, the oldest go if there are too many', async () => {
  for (const name of ['a', 'b', 'c', 'd']) {
    await create('pods', { ...shell('v1', 'Pod'), metadata: { name, namespace: place }, spec: template.spec })
    world.clock.advance(1_000)
  }
  for (const name of ['d', 'c', 'a']) await setStatus(name, { phase: 'Failed' })
  const pods = contextOf('', 'Pod')
  const podsKnown = new OwnedObjects({ context: pods, read: podFactsFrom, unreadable: () => {} })
  await podsKnown.loaded
  const ended = new EndedPods({ pods, podsKnown, report: reportFailure, mayWrite: () => true, most: 1, intervalMs: 5 })
  await eventually(() => expect(names('', 'Pod')).toEqual(['b', 'd']))
  await ended.stop()
  podsKnown.stop()
})

/** Makes every new Pod ready, as a node would, until the rollout of that generation is complete. */
async function readyUntilComplete(generation: number): Promise<void> {
  await eventually(async () => {
    for (const each of objects('', 'Pod')) if (!isReady(each)) await makeReady(each.metadata.name ?? '')
    const { status, spec } = deploymentNow()
    const { conditions = [], observedGeneration } = status
    const progress = conditions.find(({ type }) => type === 'Progressing')
    expect([observedGeneration, progress?.reason, status.updatedReplicas, status.replicas]).toEqual([
      generation,
      'NewReplicaSetAvailable',
      spec.replicas,
      spec.replicas,
    ])
  })
}

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'v1' }] },
}

/** As the writer of a dependent may put it: the kind is served nowhere, so that no collector finds it wanting. */
function foreignOwner({ metadata }: KubeObject) {
  return { apiVersion: 'example.com/v1', kind: 'Nothing', name: 'n', uid: metadata.uid ?? '', controller: true }
}

function shell(apiVersion: string, kind: string) {
  return { apiVersion, kind, metadata: { name: 'web', namespace: place } }
}

function replicaSetOf(replicas: number): KubeObject {
  return { ...shell('apps/v1', 'ReplicaSet'), spec: { replicas, selector: { matchLabels: { app: 'web' } }, template } }
}

function deploymentOf(replicas: number, image: string): KubeObject {
  const spec = { ...template.spec, containers: [{ name: 'c', image }] }
  const strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } }
  const selector = { matchLabels: { app: 'web' } }
  return { ...shell('apps/v1', 'Deployment'), spec: { replicas, selector, strategy, template: { ...template, spec } } }
}

function create(plural: string, object: KubeObject) {
  return world.resource(plural).create({ namespace: object.metadata.namespace ?? '' }, bodyOf(object), writeRequest())
}

function merge(plural: string, name: string, change: unknown) {
  const patch = { type: 'merge', body: bodyOf(change) } as const
  return world.resource(plural).patch({ namespace: place, name }, patch, writeRequest())
}

/** As no version of this one writes it: without a spec. */
async function storeOdd(name: string): Promise<void> {
  const { cache, engine } = contextOf('apps', 'ReplicaSet')
  const bytes = Buffer.from(JSON.stringify({ metadata: { name, namespace: place, uid: name } }))
  const result = await engine.store.create(cache.storageKey({ namespace: place, name }), bytes)
  if (result.outcome === 'written') await engine.feed.reached(result.revision)
}

async function setStatus(name: string, status: unknown): Promise<void> {
  const patch = { type: 'merge', body: bodyOf({ status }) } as const
  await world.resource('pods').patch({ namespace: place, name }, patch, writeRequest({ subresource: 'status' }))
}

function makeReady(name: string): Promise<void> {
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2029-01-01T00:00:00Z' }
  return setStatus(name, { phase: 'Running', conditions: [ready] })
}

function ownersOf(name: string): readonly string[] {
  const found = objects('', 'Pod').find(({ metadata }) => metadata.name === name)
  return (found?.metadata.ownerReferences ?? []).map((owner) => owner.name)
}

function imageChange(image: string) {
  return { spec: { template: { spec: { containers: [{ name: 'c', image }] } } } }
}

function isReady({ status }: KubeObject): boolean {
  return JSON.stringify(status).includes('"Ready"')
}

function imageOf({ spec }: KubeObject): unknown {
  return Object(spec).containers[0].image
}

function replicaSetNow(name = 'web'): ReplicaSet {
  return contextOf('apps', 'ReplicaSet').cache.get({ namespace: place, name })?.object as ReplicaSet
}

function deploymentNow(): Deployment {
  return contextOf('apps', 'Deployment').cache.get({ namespace: place, name: 'web' })?.object as Deployment
}

function messages(reason: string): readonly (string | undefined)[] {
  const all = objects('', 'Event').map((object) => object as Event)
  return all.filter((each) => each.reason === reason).map(({ message }) => message)
}

function objects(group: string, kind: string): readonly KubeObject[] {
  return documentsIn(contextOf(group, kind), place).map(({ object }) => object)
}

function names(group: string, kind: string): readonly string[] {
  return documentsIn(contextOf(group, kind), place).map(({ name }) => name)
}

function contextOf(group: string, kind: string): ResourceContext {
  const context = world.registry.engine.find(group, kind)
  if (context === undefined) throw new Error(`${kind} is not served`)
  return context
}
