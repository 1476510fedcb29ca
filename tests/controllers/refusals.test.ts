import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { podDisruptionBudget } from '../../src/api/policy/pod-disruption-budget.ts'
import type { Deployment } from '../../src/api/types/apps-v1.ts'
import type { PodDisruptionBudget } from '../../src/api/types/policy-v1.ts'
import { eventually } from '../support/eventually.ts'
import { atRest } from './at-rest.ts'
import { deploymentOf, place, replicaSetOf, useWorkloads } from './workload-world.ts'

const w = useWorkloads()
const { create, merge, messages, names, contextOf, replicaSetNow, makeReady, ownersOf } = w

/** The number of reconciles of a controller so far. */
function looksOf(controller: string): number {
  const text = w.world.registry.engine.metrics.render()
  const results = new RegExp(
    `^controller_runtime_reconcile_total\\{controller="${controller}",result="\\w+"\\} (\\d+)$`,
    'gm',
  )
  return [...text.matchAll(results)].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** More would be a loop without backoff: the pauses begin with a few milliseconds and double each time. */
const fewLooks = 12

it('a refused Pod is reported on all owners, and retried with backoff', async () => {
  w.rules.mayCreatePods = false
  await create('deployments', deploymentOf(1, 'v1'))
  const refusal = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }
  await eventually(() => {
    const found = contextOf('apps', 'Deployment').cache.get({ namespace: place, name: 'web' })?.object as Deployment
    expect(found.status.conditions).toContainEqual(expect.objectContaining(refusal))
    expect(messages('FailedCreate')).toContainEqual(expect.stringContaining('is forbidden: exceeded quota'))
  })
  const before = looksOf('replicaset-controller')
  await delay(500)
  expect(looksOf('replicaset-controller') - before).toBeLessThan(fewLooks)
})

it('an owner reference that changes repeatedly settles with its last value', async () => {
  await create('replicasets', replicaSetOf(1))
  await eventually(() => expect(replicaSetNow().status.replicas).toBe(1))
  const [name = ''] = names('', 'Pod')
  const owned = contextOf('', 'Pod').cache.get({ namespace: place, name })?.object.metadata.ownerReferences ?? []
  for (let turn = 0; turn < 5; turn++) {
    await merge('pods', name, { metadata: { ownerReferences: null } })
    await merge('pods', name, { metadata: { ownerReferences: owned } }).catch(() => undefined)
  }
  await merge('pods', name, { metadata: { ownerReferences: null } })
  await eventually(() => {
    expect(ownersOf(name)).toEqual(['web'])
    expect(names('', 'Pod')).toEqual([name])
  })
  await eventually(() => expect(replicaSetNow().status.replicas).toBe(1))
  const revision = await atRest(w.world)
  const before = looksOf('replicaset-controller')
  await delay(200)
  expect([looksOf('replicaset-controller'), await w.world.store.currentRevision()]).toEqual([before, revision])
})

it('a budget that allows no eviction reports it, and is not reconciled again', async () => {
  await create('replicasets', replicaSetOf(2))
  await eventually(() => expect(names('', 'Pod')).toHaveLength(2))
  for (const name of names('', 'Pod')) await makeReady(name)
  const spec = { minAvailable: 2, selector: { matchLabels: { app: 'web' } } }
  const { group, version, kind } = podDisruptionBudget
  await create('poddisruptionbudgets', {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name: 'web', namespace: place },
    spec,
  })
  const budget = () =>
    contextOf('policy', 'PodDisruptionBudget').cache.get({ namespace: place, name: 'web' })
      ?.object as PodDisruptionBudget
  await eventually(() => {
    expect(budget().status).toMatchObject({ disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 })
    expect(budget().status.conditions).toMatchObject([
      { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' },
    ])
  })
  await eventually(() => expect(replicaSetNow().status.readyReplicas).toBe(2))
  await atRest(w.world)
  const before = looksOf('disruption-controller')
  await delay(200)
  expect(looksOf('disruption-controller')).toBe(before)
})
