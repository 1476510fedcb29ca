import type { KubeObject } from '../../api/object.ts'
import { parseQuantity, printQuantity } from '../../api/quantity.ts'
import type { MetricSpec, MetricTarget } from '../../api/types/autoscaling-v2.ts'
import type { Container, Pod } from '../../api/types/core-v1.ts'
import type { MetricOutcome } from './plan.ts'
import { type MeasuredPod, proposedReplicas, type UsageGoal, type UsageSample } from './proposed-replicas.ts'

/** As metrics.k8s.io shows what the containers of a Pod use. */
interface PodMetrics extends KubeObject {
  readonly timestamp?: string
  readonly window?: string
  readonly containers?: readonly {
    readonly name: string
    readonly usage?: Readonly<Record<string, string | number>>
  }[]
}

export interface MetricSources {
  readonly current: number
  readonly pods: () => readonly Pod[]
  /** What a Pod uses, if that is known; undefined: no one tells what Pods use. */
  readonly metricsOf: ((pod: Pod) => KubeObject | undefined) | undefined
  readonly nowMs: number
}

const noResourceMetrics =
  'unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)'
const noCustomMetrics =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered'
const noExternalMetrics =
  'unable to fetch metrics from external metrics API: no external metrics API (external.metrics.k8s.io) registered'

/** The Pods, and what each of them uses, are read once for all metrics. */
export function metricOutcomes(specs: readonly MetricSpec[], sources: MetricSources): readonly MetricOutcome[] {
  const { metricsOf } = sources
  const used = new Map<Pod, KubeObject | undefined>()
  let found: readonly Pod[] | undefined
  const once: MetricSources = {
    ...sources,
    pods: () => {
      found ??= sources.pods()
      return found
    },
    metricsOf:
      metricsOf &&
      ((pod) => {
        if (!used.has(pod)) used.set(pod, metricsOf(pod))
        return used.get(pod)
      }),
  }
  return specs.map((spec) => metricOutcome(spec, once))
}

function metricOutcome(spec: MetricSpec, sources: MetricSources): MetricOutcome {
  const { resource, containerResource, pods, object, external } = spec
  if (resource !== undefined) {
    const reason = 'FailedGetResourceMetric'
    const wrapped = `failed to get ${resource.name} resource metric value`
    return resourceOutcome({ ...resource, reason, wrapped, container: undefined }, sources)
  }
  if (containerResource !== undefined) {
    const reason = 'FailedGetContainerResourceMetric'
    const wrapped = `failed to get ${containerResource.name} container metric value`
    return resourceOutcome({ ...containerResource, reason, wrapped }, sources)
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

function resourceOutcome(asked: ResourceAsked, sources: MetricSources): MetricOutcome {
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
  const { metricsOf, pods, current, nowMs } = sources
  if (metricsOf === undefined) return refuse(`unable to get metrics for resource ${name}: ${noResourceMetrics}`)
  const measured = pods().map((pod) => measuredPod(pod, metricsOf(pod) as PodMetrics | undefined, name, container))
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

function measuredPod(
  { metadata, spec, status }: Pod,
  metrics: PodMetrics | undefined,
  resource: string,
  container: string | undefined,
): MeasuredPod {
  const isAsked = ({ name }: { readonly name: string }) => container === undefined || name === container
  const ready = status.conditions?.find(({ type }) => type === 'Ready')
  const { startTime } = status
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  return {
    name: metadata.name ?? '',
    phase: status.phase ?? '',
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
    startedMs: startTime === undefined ? undefined : Date.parse(startTime),
    ready: ready && { isReady: ready.status === 'True', changedMs: Date.parse(ready.lastTransitionTime ?? '') || 0 },
    request: requestOf([...(spec.containers ?? []), ...sidecars].filter(isAsked), resource),
    sample: metrics && sampleOf(metrics, resource, isAsked),
  }
}

function requestOf(containers: readonly Container[], resource: string): number | undefined {
  const requests = containers.map(({ resources }) => resources.requests?.[resource])
  if (requests.some((request) => request === undefined)) return undefined
  return requests.reduce<number>((sum, request) => sum + thousandths(request ?? 0), 0)
}

function sampleOf(
  { timestamp, window, containers = [] }: PodMetrics,
  resource: string,
  isAsked: (container: { readonly name: string }) => boolean,
): UsageSample {
  const value = containers.filter(isAsked).reduce((sum, { usage }) => sum + thousandths(usage?.[resource] ?? 0), 0)
  return { value, atMs: Date.parse(timestamp ?? '') || 0, windowMs: Number.parseFloat(window ?? '0') * 1000 || 0 }
}

/** Rounded up, as in Kubernetes: what is little is not nothing. */
function thousandths(quantity: string | number): number {
  const parsed = parseQuantity(String(quantity))
  return 'problem' in parsed ? 0 : Number((parsed.nanos + 999_999n) / 1_000_000n)
}
