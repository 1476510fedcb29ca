import { describe, expect, it } from 'vitest'
import type { MetricSpec } from '../../api/types/autoscaling-v2.ts'
import { atOnce } from '../../base/steps.ts'
import type { ListReading } from '../../registry/aggregation/read-list.ts'
import { type AskedAbout, metricQuestion } from './metric-questions.ts'
import { readMetrics } from './metric-readings.ts'
import { podRequestsFrom } from './pod-usage.ts'
import { type MetricSources, metricOutcomes, usageProblemOf } from './resource-metrics.ts'

const nowMs = Date.UTC(2030, 0, 1)

function podNamed(name: string, isReady = true) {
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: '2029-01-01T00:00:00Z' }]
  return podRequestsFrom({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'a' },
    spec: { containers: [{ name: 'c', resources: {} }] },
    status: { phase: 'Running', startTime: '2029-01-01T00:00:00Z', conditions },
  })
}

const twoPods = [podNamed('p0'), podNamed('p1')]

function outcomeOf(spec: MetricSpec, reading: ListReading | undefined, pods = twoPods, existing = pods.length) {
  const sources: MetricSources = {
    namespace: 'a',
    current: 2,
    existing,
    pods: () => pods.map((requests) => ({ requests, usage: undefined })),
    usageProblem: undefined,
    named: [reading],
    nowMs,
  }
  const [outcome] = atOnce(metricOutcomes([spec], sources))
  return outcome
}

const metric = { name: 'requests' }
const perPod: MetricSpec = { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '10' } } }
const ingress = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'web' }
const object = (target: object): MetricSpec => ({
  type: 'Object',
  object: { describedObject: ingress, metric, target: { type: '', ...target } },
})
const selector = { matchLabels: { queue: 'jobs', app: 'b' } }
const external = (target: object): MetricSpec => ({
  type: 'External',
  external: { metric: { name: 'depth', selector }, target: { type: '', ...target } },
})

const answered = (...items: readonly unknown[]): ListReading => ({ outcome: 'answered', items })
const of = (name: string, value: unknown) => ({ describedObject: { kind: 'Pod', name }, value })
const missing: ListReading = { outcome: 'failed', problem: 'the server could not find the metric requests for pods' }
const notServed: ListReading = { outcome: 'not served' }

describe('the number of replicas for a custom or external metric', () => {
  it.each<[string, MetricSpec, ListReading, number, object]>([
    ['is higher above the target', perPod, answered(of('p0', '30'), of('p1', '10')), 4, { averageValue: '20' }],
    ['fewer if each has less', perPod, answered(of('p0', '1'), of('p1', 3)), 1, { averageValue: '2' }],
    [
      'is unchanged within the tolerance',
      perPod,
      answered(of('p0', '10'), of('p1', '11')),
      2,
      { averageValue: '10500m' },
    ],
    [
      'counts a Pod without a value as zero when scaling up',
      perPod,
      answered(of('p0', '30')),
      3,
      { averageValue: '30' },
    ],
    [
      'values of other Pods count for nothing',
      perPod,
      answered(of('p0', '10'), of('p1', '10'), of('x', '99')),
      2,
      { averageValue: '10' },
    ],
    ['in proportion to a total', object({ value: '10' }), answered({ value: '25' }), 5, { value: '25' }],
    ['in proportion to a small total', object({ value: '10' }), answered({ value: '1500m' }), 1, { value: '1500m' }],
    [
      'so many that each has its share',
      object({ averageValue: '10' }),
      answered({ value: '35' }),
      4,
      { averageValue: '17500m' },
    ],
    ['the sum of all values', external({ value: '10' }), answered({ value: '15' }, { value: '5' }), 4, { value: '20' }],
    ['a share of the sum', external({ averageValue: '10' }), answered({ value: '21' }), 2, { averageValue: '10500m' }],
    [
      'is zero for invalid values',
      external({ averageValue: '10' }),
      answered(null, 7, { value: {} }, { value: 'x' }),
      0,
      { averageValue: '0' },
    ],
  ])('%s', (_, spec, reading, replicas, current) => {
    const outcome = outcomeOf(spec, reading)
    expect(outcome).toMatchObject({ replicas })
    const status = outcome && 'status' in outcome ? outcome.status : undefined
    expect(status?.pods ?? status?.object ?? status?.external).toMatchObject({ current })
  })

  it('divides a total by ready Pods only', () => {
    const pods = [podNamed('p0'), podNamed('p1', false)]
    expect(outcomeOf(object({ value: '10' }), answered({ value: '30' }), pods)).toMatchObject({ replicas: 3 })
  })

  it.each([
    ['pods metric requests', perPod],
    ['Ingress metric requests', object({ value: '1' })],
    [
      'external metric depth(&LabelSelector{MatchLabels:map[string]string{app: b,queue: jobs,},MatchExpressions:[]LabelSelectorRequirement{},})',
      external({ value: '1' }),
    ],
  ])('%s is reported by that name', (name, spec) => {
    expect(outcomeOf(spec, answered(of('p0', '1'), of('p1', '1')))).toMatchObject({ name })
  })
})

describe('errors for missing metrics', () => {
  const customMissing =
    'unable to fetch metrics from custom metrics API: the server could not find the metric requests for pods'
  const externalName =
    'a/depth/&LabelSelector{MatchLabels:map[string]string{app: b,queue: jobs,},MatchExpressions:[]LabelSelectorRequirement{},}'

  it.each<[MetricSpec, ListReading, string, string]>([
    [
      perPod,
      notServed,
      'FailedGetPodsMetric',
      'unable to get metric requests: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
    ],
    [perPod, missing, 'FailedGetPodsMetric', `unable to get metric requests: ${customMissing}`],
    [
      perPod,
      answered(),
      'FailedGetPodsMetric',
      'unable to get metric requests: no metrics returned from custom metrics API',
    ],
    [
      perPod,
      answered(of('x', '1')),
      'FailedGetPodsMetric',
      'did not receive metrics for targeted pods (pods might be unready)',
    ],
    [
      object({ value: '1' }),
      missing,
      'FailedGetObjectMetric',
      `unable to get metric requests: Ingress on a web/${customMissing}`,
    ],
    [
      external({ value: '1' }),
      notServed,
      'FailedGetExternalMetric',
      `unable to get external metric ${externalName}: unable to fetch metrics from external metrics API: the server could not find the requested resource (get depth.external.metrics.k8s.io)`,
    ],
    [
      external({ value: '0' }),
      answered({ value: '1' }),
      'FailedGetExternalMetric',
      'the amounts of depth are too large or too small to calculate a replica count',
    ],
  ])('%j: %j', (spec, reading, reason, problem) => {
    expect(outcomeOf(spec, reading)).toMatchObject({ reason, problem })
  })

  it('are wrapped as in Kubernetes', () => {
    const wrapped =
      'failed to get depth external metric value: failed to get depth external metric: unable to get external metric'
    expect(outcomeOf(external({ averageValue: '1' }), notServed)).toMatchObject({
      error: expect.stringContaining(wrapped),
    })
    expect(outcomeOf(perPod, missing)).toMatchObject({
      error: expect.stringContaining('failed to get pods metric value: unable'),
    })
  })

  it.each<[ListReading, string | undefined]>([
    [
      notServed,
      'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)',
    ],
    [answered(), 'no metrics returned from resource metrics API'],
    [answered({}), undefined],
  ])('of the usage of Pods: %j', (reading, problem) => {
    expect(usageProblemOf(reading)).toBe(problem)
  })
})

describe('the metrics APIs are queried', () => {
  const about: AskedAbout = {
    namespace: 'a',
    selector: 'app=web',
    pluralOf: (group, kind) => (group === 'networking.k8s.io' && kind === 'Ingress' ? 'ingresses' : undefined),
  }
  const pathOf = (spec: MetricSpec) => {
    const question = metricQuestion(spec, about)
    return question && 'segments' in question ? question.segments.join('/') : question?.problem
  }

  it('for Pods, objects and external metrics', () => {
    expect(pathOf(perPod)).toBe('namespaces/a/pods/*/requests')
    expect(metricQuestion(perPod, about)).toMatchObject({
      query: { labelSelector: 'app=web', metricLabelSelector: '' },
    })
    expect(pathOf(object({}))).toBe('namespaces/a/ingresses.networking.k8s.io/web/requests')
    expect(pathOf(external({}))).toBe('namespaces/a/depth')
    expect(metricQuestion(external({}), about)).toMatchObject({ query: { labelSelector: 'app=b,queue=jobs' } })
  })

  it('for a whole namespace, but not for kinds that are not served', () => {
    const described = (kind: string): MetricSpec => ({
      type: 'Object',
      object: { describedObject: { apiVersion: 'v1', kind, name: 'b' }, metric, target: { type: 'Value', value: '1' } },
    })
    expect(pathOf(described('Namespace'))).toBe('namespaces/b/metrics/requests')
    expect(pathOf(described('Thing'))).toBe(
      'unable to map kind Thing to resource: no matches for kind "Thing" in group ""',
    )
  })

  it('for a limited time, and the remaining metrics are skipped', async () => {
    let now = 0
    const read = async () => {
      now += 4_000
      return notServed
    }
    const clock = { now: () => now }
    const signal = new AbortController().signal
    const specs = Array.from({ length: 6 }, () => perPod)
    const { usage, named } = await readMetrics(specs, { ...about, asksUsage: true }, { read, clock, signal })
    expect(usage).toBeUndefined()
    expect(named.map((reading) => reading?.outcome)).toEqual([
      ...Array.from({ length: 3 }, () => 'not served'),
      ...Array.from({ length: 3 }, () => 'failed'),
    ])
  })
})
