import { describe, expect, it } from 'vitest'
import type { PodDisruptionBudget } from '../../api/types/policy-v1.ts'
import { examplePod, examplePods } from '../endpoints/example-services.ts'
import { failedStatus, planBudget } from './plan.ts'

const nowMs = Date.UTC(2030, 0, 1)
const before = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }

function budget(spec: object, status: object = {}): PodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'p', namespace: 'a', generation: 3 },
    spec,
    status: { ...before, ...status },
  }
}

function agoBy(seconds: number): string {
  return new Date(nowMs - seconds * 1000).toISOString()
}

const sick = examplePod(9, { ready: false })

describe('the number of allowed disruptions', () => {
  it.each([
    ['follows minAvailable', { minAvailable: 3 }, 4, 0, { expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 1 }],
    [
      'rounds a percentage of minAvailable up',
      { minAvailable: '51%' },
      4,
      5,
      { expectedPods: 5, desiredHealthy: 3, disruptionsAllowed: 1 },
    ],
    ['follows maxUnavailable', { maxUnavailable: 1 }, 4, 4, { desiredHealthy: 3, disruptionsAllowed: 1 }],
    [
      'rounds a percentage of maxUnavailable up',
      { maxUnavailable: '30%' },
      4,
      4,
      { desiredHealthy: 2, disruptionsAllowed: 2 },
    ],
    ['is at most the number of Pods', { maxUnavailable: 9 }, 4, 4, { desiredHealthy: 0, disruptionsAllowed: 4 }],
    ['is zero while Pods are missing', { maxUnavailable: 1 }, 4, 8, { desiredHealthy: 7, disruptionsAllowed: 0 }],
    ['is zero without Pods', { minAvailable: 0 }, 0, 0, { expectedPods: 0, disruptionsAllowed: 0 }],
  ])('%s', (_, spec, healthy, scale, wanted) => {
    expect(planBudget(budget(spec), examplePods(healthy), scale, nowMs).status).toMatchObject(wanted)
  })

  it('counts only ready Pods that are not being deleted', () => {
    const going = examplePod(8, { metadata: { deletionTimestamp: agoBy(1) } })
    const { status } = planBudget(budget({ minAvailable: 1 }), [...examplePods(2), sick, going], 0, nowMs)
    expect(status).toMatchObject({ currentHealthy: 2, expectedPods: 4, disruptionsAllowed: 1, observedGeneration: 3 })
  })

  it('counts an evicted Pod again if it still exists after two minutes', () => {
    const evicted = { disruptedPods: { 'web-1': agoBy(100), 'web-2': agoBy(121), gone: agoBy(1) } }
    const plan = planBudget(budget({ minAvailable: 1 }, evicted), examplePods(3), 0, nowMs)
    expect(plan.status).toMatchObject({ currentHealthy: 2, disruptedPods: { 'web-1': agoBy(100) } })
    expect(plan.status.disruptedPods).not.toHaveProperty('gone')
    expect(plan.notDeleted.map(({ name }) => name)).toEqual(['web-2'])
    expect(plan.requeueAfterMs).toBe(20_000)
  })

  it('is reported as a condition with its transition time', () => {
    const old = { type: 'DisruptionAllowed', status: 'True', lastTransitionTime: agoBy(60), reason: 'x', message: '' }
    const other = { type: 'Mine', status: 'True', lastTransitionTime: agoBy(60), reason: 'x', message: '' }
    const conditions = [old, other]
    const said = (minAvailable: number) =>
      planBudget(budget({ minAvailable }, { conditions }), examplePods(2), 0, nowMs).status.conditions
    expect(said(1)).toEqual([{ ...old, reason: 'SufficientPods', observedGeneration: 3 }, other])
    const now = '2030-01-01T00:00:00Z'
    const refused = { status: 'False', reason: 'InsufficientPods', observedGeneration: 3, lastTransitionTime: now }
    expect(said(2)).toEqual([{ ...old, ...refused }, other])
  })

  it('is zero while the expected number of Pods is unknown', () => {
    const status = failedStatus(budget({}, { disruptionsAllowed: 2, currentHealthy: 4 }), 'no scale', nowMs)
    expect(status).not.toHaveProperty('observedGeneration')
    expect(status).toMatchObject({
      disruptionsAllowed: 0,
      currentHealthy: 4,
      conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message: 'no scale' }],
    })
  })
})
