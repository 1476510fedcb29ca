import { afterEach, beforeEach, expect } from 'vitest'
import { replicaSet } from '../../src/api/apps/replica-set.ts'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import { pod } from '../../src/api/core/pods/pod.ts'
import { alreadyExists, forbidden, serviceUnavailable } from '../../src/api/error.ts'
import type { Kind } from '../../src/api/kind.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { Deployment, ReplicaSet } from '../../src/api/types/apps-v1.ts'
import type { Event } from '../../src/api/types/core-v1.ts'
import { workloadKinds } from '../../src/cluster/controllers/controllers.ts'
import { startWorkloads } from '../../src/controllers/workloads.ts'
import type { Hooks, ResourceContext } from '../../src/registry/context.ts'
import type { Controller } from '../../src/registry/controllers/controller.ts'
import { documentsIn } from '../../src/registry/documents-in.ts'
import { Capacity } from '../../src/registry/quota/capacity.ts'
import { eventually } from '../support/eventually.ts'
import { bodyOf, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'

export const place = 'a'
export const elsewhere = 'b'

/** Refusals of the cluster, which a test may change. */
interface Rules {
  mayCreatePods: boolean
  /** How often the name of a ReplicaSet will collide. */
  collisions: number
  /** A Pod that may not be changed. */
  refused: string
  /** How often an Event cannot be written. */
  unavailable: number
  leads: boolean
  claimsAreSynced: () => boolean
}

const noRules: Rules = {
  mayCreatePods: true,
  collisions: 0,
  refused: '',
  unavailable: 0,
  leads: true,
  claimsAreSynced: () => false,
}

/** A registry with all workload controllers, new for each test of a file. An error in them fails the test. */
export function useWorkloads() {
  const rules = { ...noRules }
  const room = { objects: 0, bytes: 0 }
  const failures: unknown[] = []
  let world: TestRegistry
  let workloads: Controller

  const start = (): void => {
    workloads = startWorkloads(workloadKinds(world.registry), {
      report: reportFailure,
      mayWrite: () => rules.leads,
      claimsAreSynced: () => rules.claimsAreSynced(),
      nodes: 'own',
      acts: 'alone',
    })
  }
  const reportFailure = (_: string, __: string, error: unknown): void => {
    failures.push(error)
  }
  const create = (plural: string, object: KubeObject) =>
    world.resource(plural).create({ namespace: object.metadata.namespace ?? '' }, bodyOf(object), writeRequest())
  const merge = (plural: string, name: string, change: unknown, { namespace = place, subresource = '' } = {}) => {
    const patch = { type: 'merge', body: bodyOf(change) } as const
    return world.resource(plural).patch({ namespace, name }, patch, writeRequest({ subresource }))
  }
  const contextOf = (group: string, kind: string): ResourceContext => {
    const context = world.registry.engine.find(group, kind)
    if (context === undefined) throw new Error(`${kind} is not served`)
    return context
  }
  const objects = (group: string, kind: string): readonly KubeObject[] =>
    documentsIn(contextOf(group, kind), place).map(({ object }) => object)
  const setStatus = async (name: string, status: unknown): Promise<void> => {
    await merge('pods', name, { status }, { subresource: 'status' })
  }
  const makeReady = (name: string): Promise<void> => {
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2029-01-01T00:00:00Z' }
    return setStatus(name, { phase: 'Running', conditions: [ready] })
  }
  const deploymentNow = () =>
    contextOf('apps', 'Deployment').cache.get({ namespace: place, name: 'web' })?.object as Deployment

  beforeEach(async () => {
    Object.assign(rules, noRules)
    Object.assign(room, { objects: 10_000, bytes: 10_000_000 })
    failures.length = 0
    world = await startRegistry(builtinKinds(), {
      hooks: (kind) => new Capacity(room, '').limiting(kind, admissionOf(kind, rules)),
    })
    await create('namespaces', namespaceNamed(place))
    start()
  })

  afterEach(async () => {
    await workloads.stop()
    await world.stop()
    expect(failures).toEqual([])
  })

  return {
    rules,
    room,
    failures,
    get world() {
      return world
    },
    get workloads() {
      return workloads
    },
    start,
    reportFailure,
    create,
    merge,
    contextOf,
    objects,
    setStatus,
    makeReady,
    deploymentNow,
    names: (group: string, kind: string): readonly string[] =>
      documentsIn(contextOf(group, kind), place).map(({ name }) => name),
    replicaSetNow: (name = 'web') =>
      contextOf('apps', 'ReplicaSet').cache.get({ namespace: place, name })?.object as ReplicaSet,
    messages: (reason: string, namespace = place): readonly (string | undefined)[] => {
      const all = documentsIn(contextOf('', 'Event'), namespace).map(({ object }) => object as Event)
      return all.filter((each) => each.reason === reason).map(({ message }) => message)
    },
    ownersOf: (name: string): readonly string[] => {
      const found = objects('', 'Pod').find(({ metadata }) => metadata.name === name)
      return (found?.metadata.ownerReferences ?? []).map((owner) => owner.name)
    },
    /** Stores an object without a spec, which this version never writes. */
    storeOdd: async (name: string, { cache, engine } = contextOf('apps', 'ReplicaSet'), namespace = place) => {
      const bytes = Buffer.from(JSON.stringify({ metadata: { name, namespace, uid: name } }))
      const result = await engine.store.create(cache.storageKey({ namespace, name }), bytes)
      if (result.outcome === 'written') await engine.feed.reached(result.revision)
    },
    /** Makes every new Pod ready, as a node would, until the rollout of that generation is complete. */
    readyUntilComplete: (generation: number): Promise<void> =>
      eventually(async () => {
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
      }),
  }
}

function admissionOf({ kind }: Kind, rules: Rules): Hooks {
  switch (kind) {
    case 'Pod':
      return {
        admitCreate: (object) => {
          if (!rules.mayCreatePods) throw forbidden(pod, object.metadata.name ?? '', 'exceeded quota')
          return { object }
        },
        admitUpdate: (object) => {
          if (object.metadata.name === rules.refused) throw forbidden(pod, rules.refused, 'it stays as it is')
          return { object }
        },
      }
    case 'Event':
      return {
        admitCreate: (object) => {
          if (rules.unavailable === 0) return { object }
          rules.unavailable -= 1
          throw serviceUnavailable('not now')
        },
      }
    case 'ReplicaSet':
      return {
        admitCreate: (object) => {
          if (rules.collisions === 0) return { object }
          rules.collisions -= 1
          throw alreadyExists(replicaSet, object.metadata.name ?? '')
        },
      }
    default:
      return {}
  }
}

export const template = {
  metadata: { labels: { app: 'web' } },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'v1' }] },
}

/**
 * A reference that the writer of a dependent may forge: its kind is not served, so no collector notices that it is
 * absent.
 */
export function foreignOwner({ metadata }: KubeObject) {
  return { apiVersion: 'example.com/v1', kind: 'Nothing', name: 'n', uid: metadata.uid ?? '', controller: true }
}

export function shell(apiVersion: string, kind: string) {
  return { apiVersion, kind, metadata: { name: 'web', namespace: place } }
}

export function replicaSetOf(replicas: number): KubeObject {
  return { ...shell('apps/v1', 'ReplicaSet'), spec: { replicas, selector: { matchLabels: { app: 'web' } }, template } }
}

export function deploymentOf(replicas: number, image: string): KubeObject {
  const spec = { ...template.spec, containers: [{ name: 'c', image }] }
  const strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } }
  const selector = { matchLabels: { app: 'web' } }
  return { ...shell('apps/v1', 'Deployment'), spec: { replicas, selector, strategy, template: { ...template, spec } } }
}

export function imageChange(image: string) {
  return { spec: { template: { spec: { containers: [{ name: 'c', image }] } } } }
}

export function isReady({ status }: KubeObject): boolean {
  return JSON.stringify(status).includes('"Ready"')
}

export function imageOf({ spec }: KubeObject): unknown {
  return Object(spec).containers[0].image
}
