import type { HorizontalPodAutoscaler as AutoscalerV1 } from '../types/autoscaling-v1.ts'
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from '../types/autoscaling-v2.ts'
import { printedMore, readMore, withoutMore } from './more-in-annotations.ts'

/** The stored form of the autoscaler. */
export function fromV1(object: AutoscalerV1): HorizontalPodAutoscaler {
  const { targetCPUUtilizationPercentage: target, ...spec } = object.spec
  const { currentCPUUtilizationPercentage: current, ...status } = object.status
  const more = readMore(object.metadata.annotations)
  const metrics = [...(more.metrics ?? []), ...(target === undefined ? [] : [cpuMetric(target)])]
  const currentMetrics = more.currentMetrics ?? (current === undefined ? [] : [cpuStatus(current)])
  const { currentReplicas, ...rest } = status
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: withoutMore(object.metadata),
    spec: {
      ...spec,
      ...(metrics.length === 0 ? {} : { metrics }),
      ...(more.behavior && { behavior: more.behavior }),
    },
    status: {
      ...rest,
      ...(currentReplicas === 0 ? {} : { currentReplicas }),
      currentMetrics: currentMetrics.length === 0 ? null : currentMetrics,
      ...(more.conditions && { conditions: more.conditions }),
    },
  }
}

/** The autoscaler as `autoscaling/v1` shows it. */
export function toV1(object: HorizontalPodAutoscaler): AutoscalerV1 {
  const { metrics = [], behavior, ...spec } = object.spec
  const { currentMetrics, conditions = [], currentReplicas = 0, ...status } = object.status
  const measured = currentMetrics ?? []
  const target = metrics.find(isCpuMetric)?.resource?.target.averageUtilization
  const current = measured.find(isCpuStatus)?.resource?.current.averageUtilization
  const more = {
    metrics: metrics.filter((metric) => !isCpuMetric(metric)),
    currentMetrics: measured,
    conditions,
    behavior,
  }
  return {
    ...object,
    apiVersion: 'autoscaling/v1',
    metadata: { ...object.metadata, ...printedMore(object.metadata.annotations, more) },
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: {
      ...status,
      currentReplicas,
      ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
    },
  }
}

function cpuMetric(averageUtilization: number): MetricSpec {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }
}

function cpuStatus(averageUtilization: number): MetricStatus {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } }
}

function isCpuMetric({ type, resource }: MetricSpec): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.target.averageUtilization !== undefined
}

function isCpuStatus({ type, resource }: MetricStatus): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.current.averageUtilization !== undefined
}
