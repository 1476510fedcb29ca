import { describe, expect, it } from 'vitest'
import { type MeasuredPod, proposedReplicas, type UsageGoal } from './proposed-replicas.ts'

const nowMs = Date.UTC(2030, 0, 1)
const half: UsageGoal = { type: 'utilization', percent: 50 }

/** A Pod that has been ready for an hour and requests one CPU. */
function pod(value: number | undefined, more: Partial<MeasuredPod> = {}): MeasuredPod {
  return {
    name: 'p',
    phase: 'Running',
    isBeingDeleted: false,
    startedMs: nowMs - 3_600_000,
    ready: { isReady: true, changedMs: nowMs - 3_500_000 },
    request: 1_000,
    sample: value === undefined ? undefined : { value, atMs: nowMs, windowMs: 30_000 },
    ...more,
  }
}

const pending = pod(undefined, { phase: 'Pending' })
const starting = pod(2_000, { startedMs: nowMs - 10_000, ready: { isReady: false, changedMs: nowMs - 10_000 } })
const going = pod(1_000, { isBeingDeleted: true })

function replicasOf(pods: readonly MeasuredPod[], goal: UsageGoal = half, resource = 'cpu') {
  const computed = proposedReplicas(pods, pods.length, goal, resource, nowMs)
  return 'problem' in computed ? computed.problem : computed.replicas
}

describe('the proposed number of replicas', () => {
  it.each<[string, readonly MeasuredPod[], number | string]>([
    ['is higher above the target', [pod(1_000), pod(1_000)], 4],
    ['is lower below the target', [pod(100), pod(100), pod(100), pod(100)], 1],
    ['is unchanged within the tolerance', [pod(545), pod(545)], 2],
    ['ignores terminating Pods', [pod(1_000), going], 2],
    ['counts pending Pods as idle when scaling up', [pod(1_000), pending], 2],
    ['counts starting Pods as idle when scaling up', [pod(1_500), starting], 3],
    ['ignores pending Pods when scaling down', [pod(100), pod(100), pending], 1],
    ['counts Pods without metrics as idle when scaling up', [pod(1_500), pod(undefined)], 3],
    ['counts Pods without metrics at their full request when scaling down', [pod(100), pod(100), pod(undefined)], 3],
    ['is an error without Pods', [], 'no pods returned by selector while calculating replica count'],
    [
      'is an error without any metrics',
      [pod(undefined)],
      'did not receive metrics for targeted pods (pods might be unready)',
    ],
    [
      'is an error without a request',
      [pod(1, { request: undefined, unrequested: 'c' })],
      'missing request for cpu in container c of Pod p',
    ],
  ])('%s', (_, pods, wanted) => {
    expect(replicasOf(pods)).toBe(wanted)
  })

  it('is computed from a utilization or an average value', () => {
    const computed = proposedReplicas([pod(300), pod(500)], 2, { type: 'average', value: 200 }, 'memory', nowMs)
    expect(computed).toEqual({ replicas: 4, average: 400, percent: undefined })
    expect(proposedReplicas([pod(300), pod(500)], 2, half, 'cpu', nowMs)).toMatchObject({ average: 400, percent: 40 })
  })

  it.each<[string, MeasuredPod, UsageGoal]>([
    ['nothing of nothing', pod(0), { type: 'average', value: 0 }],
    ['something of nothing', pod(1), { type: 'average', value: 0 }],
    ['more than can be counted', pod(Number.POSITIVE_INFINITY), { type: 'average', value: 1 }],
    ['a share of more than can be counted', pod(1e308), half],
  ])('is an error for %s', (_, only, goal) => {
    expect(replicasOf([only], goal)).toBe('the amounts of cpu are too large or too small to calculate a replica count')
  })

  it('includes the memory of starting Pods', () => {
    expect(replicasOf([pod(1_000), starting], half, 'memory')).toBe(6)
  })
})
