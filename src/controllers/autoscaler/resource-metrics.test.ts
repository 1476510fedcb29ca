import { expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import type { MetricSpec } from '../../api/types/autoscaling-v2.ts'
import { atOnce } from '../../base/steps.ts'
import { podRequestsFrom, podUsageFrom } from './pod-usage.ts'
import { type MetricSources, metricOutcomes, type UsedPod } from './resource-metrics.ts'

const nowMs = Date.UTC(2030, 0, 1)

function podNamed(name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'a' },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { memory: '1Gi' } } }] },
    status: { phase: 'Running' },
  }
}

function metricsOf(more: object): KubeObject {
  return { apiVersion: 'metrics.k8s.io/v1beta1', kind: 'PodMetrics', metadata: { name: 'p', namespace: 'a' }, ...more }
}

function using(name: string, memory: string): UsedPod {
  const usage = podUsageFrom(metricsOf({ containers: [{ name: 'c', usage: { memory } }] }))
  return { requests: podRequestsFrom(podNamed(name)), usage }
}

function sourcesOf(current: number, pods: MetricSources['pods']): MetricSources {
  return { namespace: 'a', current, existing: current, pods, usageProblem: undefined, named: [], nowMs }
}

function outcomesOf(specs: readonly MetricSpec[], pods: readonly UsedPod[]) {
  return atOnce(
    metricOutcomes(
      specs,
      sourcesOf(pods.length, () => pods),
    ),
  )
}

it('Pods and their usage are read once and in steps, however many metrics there are', () => {
  const target = { type: 'Utilization', averageUtilization: 50 }
  const specs = Array.from({ length: 20 }, () => ({ type: 'Resource', resource: { name: 'memory', target } }))
  let reads = 0
  function* pods(): Iterable<UsedPod> {
    for (const name of ['p0', 'p1']) {
      reads++
      yield using(name, '1Gi')
    }
  }
  const steps = metricOutcomes(specs, sourcesOf(2, pods))
  let rests = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) rests++
  expect(step.value.map((outcome) => ('replicas' in outcome ? outcome.replicas : outcome.problem))).toEqual(
    Array.from({ length: 20 }, () => 4),
  )
  expect({ reads, rests }).toEqual({ reads: 2, rests: 2 + 20 * 2 })
})

it('amounts below a thousandth are rounded up', () => {
  const target = { type: 'AverageValue', averageValue: '100u' }
  const spec = { type: 'Resource', resource: { name: 'memory', target } }
  expect(outcomesOf([spec], [using('p', '3m')])).toMatchObject([{ replicas: 3 }])
})

it.each([{ containers: 5 }, { containers: [null, 'c', { name: 'c', usage: null }] }, { timestamp: {}, window: [] }])(
  'metrics of a custom kind may be anything: %j',
  (more) => {
    expect(podUsageFrom(metricsOf(more))).toMatchObject({ atMs: 0, windowMs: 0 })
  },
)

it('the error for a container without a measurement names the Pod', () => {
  const target = { type: 'Utilization', averageUtilization: 50 }
  const spec = { type: 'ContainerResource', containerResource: { name: 'memory', container: 'zz', target } }
  const why = 'failed to get container metrics: container zz not present in metrics for pod a/p'
  expect(outcomesOf([spec], [using('p', '1Gi')])).toMatchObject([
    { problem: `failed to get memory utilization: unable to get metrics for resource memory: ${why}` },
  ])
})
