import { asMembers } from '../../base/json/lenient.ts'
import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
} from '../types/autoscaling-v2.ts'

/**
 * Metrics and behavior as the annotations of `autoscaling/v1` have them. Metrics are flat, with the members of its own
 * types in their order, and a quantity that is always there is 0 if nothing sets it.
 */

const nothing = '0'

export function flatMetric({ type, object, pods, resource, containerResource, external }: MetricSpec): object {
  return {
    type,
    object: object && {
      target: flatReference(object.describedObject),
      metricName: object.metric.name,
      targetValue: object.target.value ?? nothing,
      selector: object.metric.selector,
      averageValue: object.target.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue ?? nothing,
      selector: pods.metric.selector,
    },
    resource: resource && { name: resource.name, ...flatTarget(resource.target) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...flatTarget(containerResource.target),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      targetValue: external.target.value,
      targetAverageValue: external.target.averageValue,
    },
  }
}

export function flatStatus({ type, object, pods, resource, containerResource, external }: MetricStatus): object {
  return {
    type,
    object: object && {
      target: flatReference(object.describedObject),
      metricName: object.metric.name,
      currentValue: object.current.value ?? nothing,
      selector: object.metric.selector,
      averageValue: object.current.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue ?? nothing,
      selector: pods.metric.selector,
    },
    resource: resource && { name: resource.name, ...flatValue(resource.current) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...flatValue(containerResource.current),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      currentValue: external.current.value ?? nothing,
      currentAverageValue: external.current.averageValue,
    },
  }
}

/** With the names of a type in Go that has no names in JSON. */
export function namedBehavior({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): object {
  return { ScaleUp: namedRules(scaleUp), ScaleDown: namedRules(scaleDown) }
}

/** The members of a `MetricSpec` in a flat one. */
export function metricIn(flat: unknown): object {
  const { type, object, pods, resource, containerResource, external } = groups(flat)
  return {
    type,
    object: object && {
      describedObject: object.target,
      metric: { name: object.metricName, selector: object.selector },
      target: targetOf(object.averageValue, object.targetValue),
    },
    pods: pods && {
      metric: { name: pods.metricName, selector: pods.selector },
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue },
    },
    resource: resource && { name: resource.name, target: resourceTarget(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      container: containerResource.container,
      target: resourceTarget(containerResource),
    },
    external: external && {
      metric: { name: external.metricName, selector: external.metricSelector },
      target: targetOf(external.targetAverageValue, external.targetValue),
    },
  }
}

/** The members of a `MetricStatus` in a flat one. */
export function statusIn(flat: unknown): object {
  const { type, object, pods, resource, containerResource, external } = groups(flat)
  return {
    type,
    object: object && {
      describedObject: object.target,
      metric: { name: object.metricName, selector: object.selector },
      current: { value: object.currentValue, averageValue: object.averageValue },
    },
    pods: pods && {
      metric: { name: pods.metricName, selector: pods.selector },
      current: { averageValue: pods.currentAverageValue },
    },
    resource: resource && { name: resource.name, current: resourceValue(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      container: containerResource.container,
      current: resourceValue(containerResource),
    },
    external: external && {
      metric: { name: external.metricName, selector: external.metricSelector },
      current: { value: external.currentValue, averageValue: external.currentAverageValue },
    },
  }
}

/** The members of a behavior, whose names Go reads in any case. */
export function behaviorIn(named: unknown): unknown {
  if (Array.isArray(named)) return named.map(behaviorIn)
  if (typeof named !== 'object' || named === null) return named
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [
      `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`,
      behaviorIn(value),
    ]),
  )
}

type Members = Readonly<Record<string, unknown>>

function groups(flat: unknown) {
  const { type, ...rest } = asMembers(flat)
  const group = (name: string): Members | undefined => (rest[name] === undefined ? undefined : asMembers(rest[name]))
  return {
    type,
    object: group('object'),
    pods: group('pods'),
    resource: group('resource'),
    containerResource: group('containerResource'),
    external: group('external'),
  }
}

function flatReference({ kind, name, apiVersion }: NonNullable<MetricSpec['object']>['describedObject']): object {
  return { kind, name, apiVersion }
}

function flatTarget({ averageUtilization, averageValue }: NonNullable<MetricSpec['resource']>['target']): object {
  return { targetAverageUtilization: averageUtilization, targetAverageValue: averageValue }
}

function flatValue({ averageUtilization, averageValue }: NonNullable<MetricStatus['resource']>['current']): object {
  return { currentAverageUtilization: averageUtilization, currentAverageValue: averageValue ?? nothing }
}

function namedRules(rules: HPAScalingRules | undefined): object | null {
  if (rules === undefined) return null
  const { stabilizationWindowSeconds, selectPolicy, policies } = rules
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
    SelectPolicy: selectPolicy ?? null,
    Policies:
      policies?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ??
      null,
  }
}

/** What was printed as 0 beside an average was not set. */
function targetOf(averageValue: unknown, value: unknown): object {
  if (averageValue === undefined) return { type: 'Value', value }
  return { type: 'AverageValue', averageValue, ...(value !== nothing && { value }) }
}

function resourceTarget({ targetAverageUtilization: averageUtilization, targetAverageValue: averageValue }: Members) {
  return { type: averageUtilization === undefined ? 'AverageValue' : 'Utilization', averageUtilization, averageValue }
}

function resourceValue({ currentAverageUtilization: averageUtilization, currentAverageValue: averageValue }: Members) {
  return { averageUtilization, averageValue }
}
