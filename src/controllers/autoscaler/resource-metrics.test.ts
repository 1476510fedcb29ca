import { expect, it } from 'vitest'
import type { Pod } from '../../api/types/core-v1.ts'
import { metricOutcomes } from './resource-metrics.ts'

const nowMs = Date.UTC(2030, 0, 1)

function podNamed(name: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'a' },
    spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { memory: '1Gi' } } }] },
    status: { phase: 'Running' },
  }
}

it('Pods and what they use are read once, however many metrics there are', () => {
  const pods = [podNamed('p0'), podNamed('p1')]
  const reads = { pods: 0, metrics: 0 }
  const target = { type: 'Utilization', averageUtilization: 50 }
  const specs = Array.from({ length: 20 }, () => ({ type: 'Resource', resource: { name: 'memory', target } }))
  const outcomes = metricOutcomes(specs, {
    current: 2,
    pods: () => {
      reads.pods++
      return pods
    },
    metricsOf: ({ metadata }) => {
      reads.metrics++
      return { apiVersion: 'v1', kind: 'PodMetrics', metadata, containers: [{ name: 'c', usage: { memory: '1Gi' } }] }
    },
    nowMs,
  })
  expect(outcomes.map((outcome) => ('replicas' in outcome ? outcome.replicas : outcome.problem))).toEqual(
    Array.from({ length: 20 }, () => 4),
  )
  expect(reads).toEqual({ pods: 1, metrics: 2 })
})

it('amounts below a thousandth count as one', () => {
  const target = { type: 'AverageValue', averageValue: '100u' }
  const spec = { type: 'Resource', resource: { name: 'memory', target } }
  const outcomes = metricOutcomes([spec], {
    current: 1,
    pods: () => [podNamed('p')],
    metricsOf: ({ metadata }) => ({
      apiVersion: 'v1',
      kind: 'PodMetrics',
      metadata,
      containers: [{ name: 'c', usage: { memory: '3m' } }],
    }),
    nowMs,
  })
  expect(outcomes).toMatchObject([{ replicas: 3 }])
})
