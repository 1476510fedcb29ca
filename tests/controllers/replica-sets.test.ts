import { describe, expect, it } from 'vitest'
import { documentsIn } from '../../src/registry/documents-in.ts'
import { eventually } from '../support/eventually.ts'
import { namespaceNamed } from '../support/registry.ts'
import { atRest } from './at-rest.ts'
import { elsewhere, foreignOwner, place, replicaSetOf, shell, template, useWorkloads } from './workload-world.ts'

const w = useWorkloads()
const { create, merge, storeOdd, setStatus, makeReady, ownersOf, replicaSetNow, messages, objects, names, contextOf } =
  w

describe('a ReplicaSet', () => {
  it('has the desired number of Pods, and counts them', async () => {
    await create('replicasets', replicaSetOf(3))
    await eventually(() => expect(replicaSetNow().status).toMatchObject({ replicas: 3, observedGeneration: 1 }))
    expect(names('', 'Pod')).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^web-[a-z0-9]{5}$/)))
  })

  it('never has more Pods than desired, however often it changes', async () => {
    let most = 0
    contextOf('', 'Pod').cache.listen(() => {
      most = Math.max(most, names('', 'Pod').length)
    })
    await create('replicasets', replicaSetOf(20))
    for (let label = 0; label < 10; label++)
      await merge('replicasets', 'web', { metadata: { labels: { n: `${label}` } } })
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(20))
    expect(most).toBe(20)
  })

  it('replaces failed Pods, and deletes unready ones first', async () => {
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

  it('reports a refused write, and continues when writes succeed again', async () => {
    w.rules.mayCreatePods = false
    await create('replicasets', replicaSetOf(1))
    await eventually(() => {
      expect(replicaSetNow().status.conditions).toMatchObject([{ type: 'ReplicaFailure', reason: 'FailedCreate' }])
      expect(messages('FailedCreate')).toContainEqual(
        expect.stringMatching(/^Error creating: pods .* is forbidden: exceeded quota$/),
      )
    })
    w.rules.mayCreatePods = true
    await eventually(() =>
      expect(replicaSetNow().status).toEqual({ replicas: 1, fullyLabeledReplicas: 1, observedGeneration: 1 }),
    )
  })

  it('neither counts, releases nor deletes Pods of another namespace with its uid', async () => {
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

  it('reports missing capacity, and deletes Pods, if there is none at all', async () => {
    await create('replicasets', replicaSetOf(2))
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(2))
    await w.workloads.stop()
    await merge('replicasets', 'web', { spec: { replicas: 5 } })
    Object.assign(w.room, { objects: 0, bytes: 0 })
    w.start()
    await eventually(() =>
      expect(replicaSetNow().status.conditions).toMatchObject([{ type: 'ReplicaFailure', reason: 'FailedCreate' }]),
    )
    await merge('replicasets', 'web', { spec: { replicas: 0 } })
    await eventually(() => expect(replicaSetNow().status).toEqual({ replicas: 0, observedGeneration: 3 }))
    expect(names('', 'Pod')).toEqual([])
  })

  it('is not affected by an unreadable one, stored before or after the start', async () => {
    await w.workloads.stop()
    await storeOdd('before')
    w.start()
    await storeOdd('after')
    await create('replicasets', replicaSetOf(1))
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(1))
    expect(w.failures.splice(0)).toEqual([expect.any(TypeError), expect.any(TypeError)])
  })

  it('adopts matching orphans, even if one refuses, and replaces Pods that no longer match', async () => {
    const free = { labels: { app: 'web' }, namespace: place }
    w.rules.refused = 'a-refused'
    for (const name of [w.rules.refused, 'b-free']) {
      await create('pods', { ...shell('v1', 'Pod'), metadata: { ...free, name }, spec: template.spec })
    }
    await create('replicasets', replicaSetOf(2))
    await eventually(() => expect(ownersOf('b-free')).toEqual(['web']))
    w.rules.refused = ''
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(2))
    expect(names('', 'Pod')).toEqual(['a-refused', 'b-free'])
    await merge('pods', 'b-free', { metadata: { labels: { app: 'else' } } })
    await eventually(() => expect(names('', 'Pod')).toHaveLength(3))
    expect(ownersOf('b-free')).toEqual([])
  })

  it('has the right number of Pods if a leader is lost while it creates them', async () => {
    const unfollow = contextOf('', 'Pod').cache.listen(() => {
      if (names('', 'Pod').length >= 20) w.rules.leads = false
    })
    await create('replicasets', replicaSetOf(50))
    await eventually(() => expect(w.rules.leads).toBe(false))
    unfollow()
    await w.workloads.stop()
    expect(names('', 'Pod').length).toBeLessThan(50)
    w.rules.leads = true
    w.start()
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(50))
    expect(names('', 'Pod')).toHaveLength(50)
  })

  it('at rest writes nothing, even after a restart', async () => {
    await create('replicasets', replicaSetOf(2))
    await eventually(() => expect(replicaSetNow().status.replicas).toBe(2))
    const before = await atRest(w.world)
    await w.workloads.stop()
    w.start()
    await create('replicasets', { ...replicaSetOf(0), metadata: { name: 'last', namespace: place } })
    await eventually(() => expect(replicaSetNow('last').status.observedGeneration).toBe(1))
    expect(await w.world.store.currentRevision()).toBe(before + 2)
  })
})

it('a ReplicationController creates Pods, too', async () => {
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

it('an Event that could not be written is retried', async () => {
  w.rules.unavailable = 1
  await create('replicasets', replicaSetOf(1))
  await eventually(() => expect(messages('SuccessfulCreate')).toHaveLength(1))
  expect(w.failures.splice(0)).toMatchObject([{ status: { code: 503 } }])
})
