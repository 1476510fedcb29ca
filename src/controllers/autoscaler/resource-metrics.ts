import { printQuantity } from '../../api/quantity.ts'
import type { MetricSpec, MetricTarget } from '../../api/types/autoscaling-v2.ts'
import type { Steps } from '../../base/pace.ts'
import type { MetricOutcome } from './plan.ts'
import { measuredPod, type PodRequests, type PodUsage, thousandths } from './pod-usage.ts'
import { type MeasuredPod, proposedReplicas, type UsageGoal } from './proposed-replicas.ts'

/** A Pod, and what it uses if that is known. */
export interface UsedPod {
  readonly requests: PodRequests
  readonly usage: PodUsage | undefined
}

export interface MetricSources {
  readonly current: number
  /** Found one by one, as there may be very many. Undefined: there are no metrics of Pods. */
  readonly pods: (() => Iterable<UsedPod>) | undefined
  readonly nowMs: number
}

const noResourceMetrics =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)'
const noCustomMetrics =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered'
const noExternalMetrics =
  'unable to fetch metrics from external metrics API: no external metrics API (external.metrics.k8s.io) registered'

/** The Pods, and what each of them uses, are read once for all metrics. */
export function* metricOutcomes(
  specs: readonly MetricSpec[],
  { current, pods, nowMs }: MetricSources,
): Steps<readonly MetricOutcome[]> {
  const known = pods && specs.some(isAboutResources) ? yield* collected(pods()) : undefined
  const outcomes: MetricOutcome[] = []
  for (const spec of specs) outcomes.push(yield* metricOutcome(spec, { current, pods: known, nowMs }))
  return outcomes
}

interface KnownPods {
  readonly current: number
  readonly pods: readonly UsedPod[] | undefined
  readonly nowMs: number
}

function isAboutResources({ resource, containerResource }: MetricSpec): boolean {
  return resource !== undefined || containerResource !== undefined
}

function* collected<T>(items: Iterable<T>): Steps<readonly T[]> {
  const all: T[] = []
  for (const item of items) {
    all.push(item)
    yield
  }
  return all
}

function* metricOutcome(spec: MetricSpec, known: KnownPods): Steps<MetricOutcome> {
  const { resource, containerResource, pods, object, external } = spec
  if (resource !== undefined) {
    const reason = 'FailedGetResourceMetric'
    const wrapped = `failed to get ${resource.name} resource metric value`
    return yield* resourceOutcome({ ...resource, reason, wrapped, container: undefined }, known)
  }
  if (containerResource !== undefined) {
    const reason = 'FailedGetContainerResourceMetric'
    const wrapped = `failed to get ${containerResource.name} container metric value`
    return yield* resourceOutcome({ ...containerResource, reason, wrapped }, known)
  }
  if (pods !== undefined) return failed('FailedGetPodsMetric', 'pods', pods.metric.name, noCustomMetrics)
  if (object !== undefined) return failed('FailedGetObjectMetric', 'object', object.metric.name, noCustomMetrics)
  const name = external?.metric.name ?? ''
  return failed('FailedGetExternalMetric', 'external', name, noExternalMetrics)
}

function failed(reason: string, type: string, metric: string, why: string): MetricOutcome {
  const problem = `unable to get metric ${metric}: ${why}`
  return { reason, problem, error: `failed to get ${type} metric value: ${problem}` }
}

interface ResourceAsked {
  readonly name: string
  readonly target: MetricTarget
  /** Absent: all containers of a Pod. */
  readonly container: string | undefined
  readonly reason: string
  readonly wrapped: string
}

function* resourceOutcome(asked: ResourceAsked, { pods, current, nowMs }: KnownPods): Steps<MetricOutcome> {
  const { name, target, reason, wrapped, container } = asked
  const goal = goalOf(target)
  const what = goal?.type === 'average' ? 'usage' : 'utilization'
  const refuse = (why: string): MetricOutcome => {
    const problem = `failed to get ${name} ${what}: ${why}`
    return { reason, problem, error: `${wrapped}: ${problem}` }
  }
  if (goal === undefined) {
    const why = 'neither an average utilization target nor an average value (usage) target was set'
    const problem = `invalid resource metric source: ${why}`
    return { reason, problem, error: `${wrapped}: ${problem}` }
  }
  if (pods === undefined) return refuse(`unable to get metrics for resource ${name}: ${noResourceMetrics}`)
  const measured: MeasuredPod[] = []
  for (const { requests, usage } of pods) {
    measured.push(measuredPod(requests, usage, name, container))
    yield
  }
  const computed = proposedReplicas(measured, current, goal, name, nowMs)
  if ('problem' in computed) return refuse(computed.problem)
  const averageValue = printQuantity({ nanos: BigInt(computed.average) * 1_000_000n, format: 'decimal' })
  const value = {
    averageValue,
    ...(computed.percent !== undefined && { averageUtilization: computed.percent }),
  }
  const kind = container === undefined ? 'resource' : 'container resource'
  return {
    name: goal.type === 'average' ? `${name} ${kind}` : `${name} ${kind} utilization (percentage of request)`,
    replicas: computed.replicas,
    status:
      container === undefined
        ? { type: 'Resource', resource: { name, current: value } }
        : { type: 'ContainerResource', containerResource: { name, container, current: value } },
  }
}

function goalOf({ averageUtilization, averageValue }: MetricTarget): UsageGoal | undefined {
  if (averageValue !== undefined) return { type: 'average', value: thousandths(averageValue) }
  return averageUtilization === undefined ? undefined : { type: 'utilization', percent: averageUtilization }
}
