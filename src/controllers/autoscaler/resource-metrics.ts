import { printQuantity } from '../../api/quantity.ts'
import type { ExternalMetricSource, MetricSpec, MetricTarget } from '../../api/types/autoscaling-v2.ts'
import type { Steps } from '../../base/steps.ts'
import type { ListReading } from '../../registry/aggregation/read-list.ts'
import { externalOutcome, objectOutcome, podsOutcome } from './named-metrics.ts'
import type { MetricOutcome } from './plan.ts'
import { isMeasured, measuredPod, type PodRequests, type PodUsage, thousandths } from './pod-usage.ts'
import { type MeasuredPod, proposedReplicas, type UsageGoal } from './proposed-replicas.ts'

/** A Pod and its usage, if known. */
export interface UsedPod {
  readonly requests: PodRequests
  readonly usage: PodUsage | undefined
}

export interface MetricSources {
  readonly namespace: string
  /** How many Pods the target asks for, and how many exist. */
  readonly current: number
  readonly existing: number
  /** Yielded one by one, as there may be very many. */
  readonly pods: () => Iterable<UsedPod>
  /** Why the usage is unknown. Undefined: it is known. */
  readonly usageProblem: string | undefined
  /** The answers for named metrics, each at the metric's index. */
  readonly named: readonly (ListReading | undefined)[]
  readonly nowMs: number
}

const noMetricsOf = 'the server could not find the requested resource (get pods.metrics.k8s.io)'

/** Why the usage of Pods is unknown; undefined: there was an answer. */
export function usageProblemOf(reading: ListReading): string | undefined {
  const unread = (why: string) => `unable to fetch metrics from resource metrics API: ${why}`
  switch (reading.outcome) {
    case 'not served':
      return unread(noMetricsOf)
    case 'failed':
      return unread(reading.problem)
    case 'answered':
      return reading.items.length === 0 ? 'no metrics returned from resource metrics API' : undefined
  }
}

/** Reads the Pods and their usage once for all metrics. */
export function* metricOutcomes(
  specs: readonly MetricSpec[],
  { pods, named, ...more }: MetricSources,
): Steps<readonly MetricOutcome[]> {
  const known = { ...more, pods: yield* collected(pods()) }
  const outcomes: MetricOutcome[] = []
  for (const [index, spec] of specs.entries()) outcomes.push(yield* metricOutcome(spec, named[index], known))
  return outcomes
}

interface KnownPods extends Omit<MetricSources, 'pods' | 'named'> {
  readonly pods: readonly UsedPod[]
}

function* collected<T>(items: Iterable<T>): Steps<readonly T[]> {
  const all: T[] = []
  for (const item of items) {
    all.push(item)
    yield
  }
  return all
}

function* metricOutcome(spec: MetricSpec, reading: ListReading | undefined, known: KnownPods): Steps<MetricOutcome> {
  const { resource, containerResource, pods, object, external } = spec
  if (resource !== undefined) {
    const reason = 'FailedGetResourceMetric'
    const wrapped = `failed to get ${resource.name} resource metric value`
    return yield* resourceOutcome({ ...resource, reason, wrapped, container: undefined }, known)
  }
  if (containerResource !== undefined) {
    const reason = 'FailedGetContainerResourceMetric'
    const wrapped = `failed to get ${containerResource.container} container metric value`
    return yield* resourceOutcome({ ...containerResource, reason, wrapped }, known)
  }
  const state = { ...known, pods: known.pods.map(({ requests }) => requests) }
  if (pods !== undefined) return yield* podsOutcome(pods, reading, state)
  if (object !== undefined) return yield* objectOutcome(object, reading, state)
  return yield* externalOutcome(external ?? unnamed, reading, state)
}

/** Validation refuses metrics without a source. */
const unnamed: ExternalMetricSource = { metric: { name: '' }, target: { type: '' } }

interface ResourceAsked {
  readonly name: string
  readonly target: MetricTarget
  /** Absent: all containers of a Pod. */
  readonly container: string | undefined
  readonly reason: string
  readonly wrapped: string
}

function* resourceOutcome(
  asked: ResourceAsked,
  { namespace, pods, usageProblem, current, nowMs }: KnownPods,
): Steps<MetricOutcome> {
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
  const unread = (why: string) => refuse(`unable to get metrics for resource ${name}: ${why}`)
  if (usageProblem !== undefined) return unread(usageProblem)
  const measured: MeasuredPod[] = []
  for (const { requests, usage } of pods) {
    if (container !== undefined && usage !== undefined && !isMeasured(usage, container)) {
      const where = `${namespace}/${requests.name}`
      return unread(`failed to get container metrics: container ${container} not present in metrics for pod ${where}`)
    }
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
