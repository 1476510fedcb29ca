import { describe, expect, it } from 'vitest'
import type { HorizontalPodAutoscaler } from '../../api/types/autoscaling-v2.ts'
import { atOnce } from '../../base/steps.ts'
import { type AutoscalerMemory, type MetricOutcome, planAutoscaler } from './plan.ts'

const nowMs = Date.UTC(2030, 0, 1)
const fresh: AutoscalerMemory = { recommendations: [], scalings: [] }

function autoscaler(spec: object = {}): HorizontalPodAutoscaler {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h', namespace: 'a' },
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 2, maxReplicas: 10, ...spec },
    status: { desiredReplicas: 0, currentMetrics: null },
  }
}

function asking(replicas: number): MetricOutcome {
  return { name: 'cpu', replicas, status: { type: 'Resource' } }
}

const broken: MetricOutcome = { reason: 'FailedGetResourceMetric', problem: 'no metrics', error: 'wrapped: no metrics' }

function plan(current: number, outcomes: readonly MetricOutcome[], memory = fresh, spec: object = {}) {
  function* known() {
    yield
    return outcomes
  }
  return atOnce(planAutoscaler({ autoscaler: autoscaler(spec), current, outcomes: known, memory, nowMs }))
}

function saidBy({ said }: ReturnType<typeof plan>) {
  return said.map(({ type, status, reason }) => `${type}=${status} ${reason}`)
}

const ago = (seconds: number) => nowMs - seconds * 1000

describe('an autoscaler', () => {
  it('scales a target into its range whatever the metrics are', () => {
    expect(plan(12, [broken]).rescale).toEqual({
      replicas: 10,
      reason: 'Current number of replicas above Spec.MaxReplicas',
    })
    expect(plan(1, [broken]).rescale?.reason).toBe('Current number of replicas below Spec.MinReplicas')
  })

  it('ignores a target that was scaled to zero', () => {
    const zero = plan(0, [asking(5)])
    expect(zero.rescale).toBeUndefined()
    expect(saidBy(zero)).toEqual(['AbleToScale=True SucceededGetScale', 'ScalingActive=False ScalingDisabled'])
  })

  it('reports missing metrics, and changes nothing', () => {
    const none = plan(3, [broken])
    expect([none.rescale, none.desired, none.metrics]).toEqual([undefined, 0, [{ type: '' }]])
    expect(saidBy(none)).toEqual(['AbleToScale=True SucceededGetScale', 'ScalingActive=False FailedGetResourceMetric'])
    expect(none.news.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      'FailedGetResourceMetric: no metrics',
      'FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: wrapped: no metrics',
    ])
  })

  it('scales up to the highest proposal even if another metric fails, but not down', () => {
    expect(plan(3, [asking(4), asking(5), broken]).rescale).toEqual({ replicas: 5, reason: 'cpu above target' })
    expect(plan(3, [asking(2), broken]).rescale).toBeUndefined()
  })

  it.each([
    [3, 9, 6, 'True ScaleUpLimit'],
    [1, 4, 4, 'False DesiredWithinRange'],
    [8, 20, 10, 'True TooManyReplicas'],
    [4, 1, 2, 'True TooFewReplicas'],
    [4, 3, 3, 'False DesiredWithinRange'],
  ])('from %i, asked for %i, to %i: %s', (current, asked, wanted, limited) => {
    const next = plan(
      current,
      [asking(asked)],
      { ...fresh, recommendations: [{ atMs: ago(400), replicas: 9 }] },
      { minReplicas: current === 1 ? 1 : 2 },
    )
    expect(next.desired).toBe(wanted)
    expect(saidBy(next)).toContain(`ScalingLimited=${limited}`)
  })

  it('scales down only to the highest proposal of the last five minutes', () => {
    const recommendations = [
      { atMs: ago(400), replicas: 9 },
      { atMs: ago(100), replicas: 6 },
    ]
    const next = plan(8, [asking(3)], { ...fresh, recommendations })
    expect(next.desired).toBe(6)
    expect(saidBy(next)).toContain('AbleToScale=True ScaleDownStabilized')
    expect(next.recommendations.at(-1)).toEqual({ atMs: nowMs, replicas: 3 })
  })
})

describe('scaling policies', () => {
  const behavior = (up: object, down: object) => ({ maxReplicas: 100, behavior: { scaleUp: up, scaleDown: down } })
  const pods = (value: number) => ({ policies: [{ type: 'Pods', value, periodSeconds: 60 }] })
  const now = { stabilizationWindowSeconds: 0 }

  it('limit the change within a period', () => {
    const scalings = [
      { atMs: ago(90), change: 5 },
      { atMs: ago(30), change: 3 },
    ]
    const next = plan(10, [asking(40)], { ...fresh, scalings }, behavior(pods(4), {}))
    expect(next.desired).toBe(11)
    expect(saidBy(next)).toContain('ScalingLimited=True ScaleUpLimit')
  })

  it('select the policy with the largest change, or the smallest with Min', () => {
    const policies = [
      { type: 'Pods', value: 2, periodSeconds: 60 },
      { type: 'Percent', value: 50, periodSeconds: 60 },
    ]
    const up = (selectPolicy: string) => plan(10, [asking(40)], fresh, behavior({ policies, selectPolicy }, {})).desired
    expect([up('Max'), up('Min'), up('Disabled')]).toEqual([15, 12, 10])
    const down = (selectPolicy: string) =>
      plan(10, [asking(2)], fresh, behavior({}, { ...now, policies, selectPolicy })).desired
    expect([down('Max'), down('Min'), down('Disabled')]).toEqual([5, 8, 10])
  })

  it('stabilize at the lowest proposal upward and at the highest downward', () => {
    const recommendations = [
      { atMs: ago(30), replicas: 12 },
      { atMs: ago(20), replicas: 20 },
    ]
    const memory = { ...fresh, recommendations }
    const up = plan(10, [asking(30)], memory, behavior({ ...pods(90), stabilizationWindowSeconds: 60 }, pods(90)))
    expect(up.desired).toBe(12)
    expect(saidBy(up)).toContain('AbleToScale=True ScaleUpStabilized')
    const down = plan(40, [asking(5)], memory, behavior(pods(90), { ...pods(90), stabilizationWindowSeconds: 60 }))
    expect(down.desired).toBe(20)
  })
})
