import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus, MetricTarget } from '../types/autoscaling-v2.ts'

const shownMetrics = 2
const unknown = '<unknown>'

/** `cpu: 12%/60%, 3/10 + 1 more...`: current values and targets. */
export function targetsText({ spec, status }: HorizontalPodAutoscaler): string {
  const metrics = spec.metrics ?? []
  if (metrics.length === 0) return '<none>'
  const texts = metrics.map((metric, index) => metricText(metric, status.currentMetrics?.[index]))
  const shown = texts.slice(0, shownMetrics).join(', ')
  return texts.length > shownMetrics ? `${shown} + ${texts.length - shownMetrics} more...` : shown
}

function metricText(metric: MetricSpec, status: MetricStatus | undefined): string {
  const { resource, containerResource } = metric
  switch (metric.type) {
    case 'Resource':
      return resource === undefined ? unknown : namedText(resource.name, resource.target, status?.resource?.current)
    case 'ContainerResource':
      return containerResource === undefined
        ? unknown
        : namedText(containerResource.name, containerResource.target, status?.containerResource?.current)
    case 'Pods':
      return `${status?.pods?.current.averageValue ?? unknown}/${metric.pods?.target.averageValue ?? ''}`
    case 'Object':
      return metric.object === undefined ? unknown : valueText(metric.object.target, status?.object?.current)
    case 'External':
      return metric.external === undefined ? unknown : valueText(metric.external.target, status?.external?.current)
    default:
      return '<unknown type>'
  }
}

type Current = NonNullable<NonNullable<MetricStatus['resource']>['current']>

function namedText(name: string, target: MetricTarget, current: Current | undefined): string {
  if (target.averageValue !== undefined) return `${name}: ${current?.averageValue ?? unknown}/${target.averageValue}`
  const now = current?.averageUtilization === undefined ? unknown : `${current.averageUtilization}%`
  const wanted = target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`
  return `${name}: ${now}/${wanted}`
}

function valueText(target: MetricTarget, current: Current | undefined): string {
  if (target.averageValue !== undefined) return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`
  return `${current?.value ?? unknown}/${target.value ?? ''}`
}
