import { printQuantity } from '../../api/quantity.ts'
import type { LabelSelectorObject } from '../../api/selectors/label-selector-object.ts'
import type {
  ExternalMetricSource,
  MetricTarget,
  MetricValueStatus,
  ObjectMetricSource,
  PodsMetricSource,
} from '../../api/types/autoscaling-v2.ts'
import type { Steps } from '../../base/steps.ts'
import type { ListReading } from '../../registry/aggregation/read-list.ts'
import { customMetricsGroup, externalMetricsGroup } from './metric-questions.ts'
import { type MetricValue, metricValueFrom } from './metric-values.ts'
import type { MetricOutcome } from './plan.ts'
import { type PodRequests, thousandths } from './pod-usage.ts'
import { type ComputedReplicas, proposedReplicas } from './proposed-replicas.ts'
import { replicasForShare, replicasForTotal, type TotalUsage } from './total-replicas.ts'

/** What must be known to evaluate a named metric. */
export interface NamedMetricState {
  readonly namespace: string
  /** How many Pods the target asks for, and how many exist. */
  readonly current: number
  readonly existing: number
  readonly pods: readonly PodRequests[]
  readonly nowMs: number
}

type Values = readonly MetricValue[] | { readonly problem: string }

/** One value per Pod. */
export function* podsOutcome(
  { metric, target }: PodsMetricSource,
  reading: ListReading | undefined,
  state: NamedMetricState,
): Steps<MetricOutcome> {
  const refuse = refusal('Pods', 'pods metric value')
  const values = yield* valuesIn(reading, 'custom')
  if ('problem' in values) return refuse(`unable to get metric ${metric.name}: ${values.problem}`)
  const samples = new Map(values.map(({ name, value }) => [name, { value, atMs: 0, windowMs: 0 }]))
  const measured = state.pods.map((pod) => ({ ...pod, request: undefined, sample: samples.get(pod.name) }))
  const goal = { type: 'average', value: thousandths(target.averageValue ?? 0) } as const
  const computed = proposedReplicas(measured, state.current, goal, `metric ${metric.name}`, state.nowMs)
  if ('problem' in computed) return refuse(computed.problem)
  return {
    name: `pods metric ${metric.name}`,
    replicas: computed.replicas,
    status: { type: 'Pods', pods: { metric, current: { averageValue: printed(computed.average) } } },
  }
}

/** One value of one object. */
export function* objectOutcome(
  { describedObject, metric, target }: ObjectMetricSource,
  reading: ListReading | undefined,
  state: NamedMetricState,
): Steps<MetricOutcome> {
  const refuse = refusal('Object', 'object metric value')
  const values = yield* valuesIn(reading, 'custom')
  const { kind, name } = describedObject
  // The word order is that of Kubernetes.
  if ('problem' in values) {
    return refuse(`unable to get metric ${metric.name}: ${kind} on ${state.namespace} ${name}/${values.problem}`)
  }
  const judged = judgedTotal({ metric: metric.name, value: values[0]?.value ?? 0 }, target, state)
  if ('problem' in judged) return refuse(judged.problem)
  return {
    name: `${kind} metric ${metric.name}`,
    replicas: judged.replicas,
    status: { type: 'Object', object: { describedObject, metric, current: judged.shown } },
  }
}

/** The sum of all values. */
export function* externalOutcome(
  { metric, target }: ExternalMetricSource,
  reading: ListReading | undefined,
  state: NamedMetricState,
): Steps<MetricOutcome> {
  const { name } = metric
  const inside = target.averageValue === undefined ? `external metric ${name}` : `${name} external metric`
  const refuse = refusal('External', `${name} external metric value: failed to get ${inside}`)
  const selector = printedSelector(metric.selector)
  const values = yield* valuesIn(reading, 'external', name)
  if ('problem' in values) {
    return refuse(`unable to get external metric ${state.namespace}/${name}/${selector}: ${values.problem}`)
  }
  const value = values.reduce((sum, each) => sum + each.value, 0)
  const judged = judgedTotal({ metric: name, value }, target, state)
  if ('problem' in judged) return refuse(judged.problem)
  return {
    name: `external metric ${name}(${selector})`,
    replicas: judged.replicas,
    status: { type: 'External', external: { metric, current: judged.shown } },
  }
}

function refusal(type: 'Pods' | 'Object' | 'External', what: string): (problem: string) => MetricOutcome {
  return (problem) => ({ reason: `FailedGet${type}Metric`, problem, error: `failed to get ${what}: ${problem}` })
}

interface JudgedTotal {
  readonly replicas: number
  readonly shown: MetricValueStatus
}

function judgedTotal(
  usage: TotalUsage,
  { value, averageValue }: MetricTarget,
  { current, existing, pods }: NamedMetricState,
): JudgedTotal | { readonly problem: string } {
  const shownAs = (computed: ComputedReplicas, as: 'value' | 'averageValue') =>
    'problem' in computed ? computed : { replicas: computed.replicas, shown: { [as]: printed(computed.average) } }
  if (averageValue !== undefined) {
    return shownAs(replicasForShare(usage, thousandths(averageValue), existing), 'averageValue')
  }
  if (value !== undefined) return shownAs(replicasForTotal(usage, thousandths(value), current, pods), 'value')
  return { problem: 'invalid metric source: neither a value target nor an average value target was set' }
}

function* valuesIn(reading: ListReading | undefined, api: 'custom' | 'external', metric = ''): Steps<Values> {
  const unread = (why: string) => ({ problem: `unable to fetch metrics from ${api} metrics API: ${why}` })
  if (reading === undefined || reading.outcome === 'not served') return unread(notServed(api, metric))
  if (reading.outcome === 'failed') return unread(reading.problem)
  if (reading.items.length === 0) return { problem: `no metrics returned from ${api} metrics API` }
  const values: MetricValue[] = []
  for (const item of reading.items) {
    values.push(metricValueFrom(item))
    yield
  }
  return values
}

function notServed(api: 'custom' | 'external', metric: string): string {
  return api === 'custom'
    ? `no custom metrics API (${customMetricsGroup}) registered`
    : `the server could not find the requested resource (get ${metric}.${externalMetricsGroup})`
}

function printed(amount: number): string {
  return printQuantity({ nanos: BigInt(amount) * 1_000_000n, format: 'decimal' })
}

/** Printed as in Go, since people search for it. */
function printedSelector(selector: LabelSelectorObject | undefined): string {
  if (selector === undefined) return 'nil'
  const labels = Object.entries(selector.matchLabels ?? {}).toSorted(([left], [right]) => (left < right ? -1 : 1))
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],}`,
  )
  const shown = labels.map(([key, value]) => `${key}: ${value},`).join('')
  const listed = expressions.map((each) => `${each},`).join('')
  return `&LabelSelector{MatchLabels:map[string]string{${shown}},MatchExpressions:[]LabelSelectorRequirement{${listed}},}`
}
