import {
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  tooManyField,
} from '../field-error.ts'
import type { MetricSpec, MetricTarget } from '../types/autoscaling-v2.ts'

const sources = {
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  External: 'external',
  ContainerResource: 'containerResource',
} as const
const types = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']
const targetTypes = ['AverageValue', 'Utilization', 'Value']

/** Each of them is worked out from all Pods of the target. Kubernetes has no limit. */
const mostMetrics = 100

export function validateMetrics(
  field: string,
  metrics: readonly MetricSpec[],
  minReplicas: number | undefined,
): readonly FieldError[] {
  if (metrics.length > mostMetrics) return [tooManyField(field, metrics.length, mostMetrics)]
  const hasOutside = metrics.some(({ type }) => type === 'Object' || type === 'External')
  return [
    ...metrics.flatMap((metric, index) => validateMetric(`${field}[${index}]`, metric)),
    ...(minReplicas === 0 && !hasOutside
      ? [
          forbiddenField(
            field,
            'must specify at least one Object or External metric to support scaling to zero replicas',
          ),
        ]
      : []),
  ]
}

function validateMetric(field: string, metric: MetricSpec): readonly FieldError[] {
  if (metric.type === '') return [requiredField(`${field}.type`, 'must specify a metric source type')]
  if (!isType(metric.type)) return [notSupportedField(`${field}.type`, metric.type, types)]
  const own = sources[metric.type]
  const others = Object.values(sources).filter((member) => member !== own && metric[member] !== undefined)
  const source = metric[own]
  return [
    ...others.map((member) => forbiddenField(`${field}.${member}`, 'must populate the given metric source only')),
    ...(source === undefined
      ? [requiredField(`${field}.${own}`, `must populate information for the given metric source`)]
      : validateTarget(`${field}.${own}.target`, source.target)),
  ]
}

function isType(type: string): type is keyof typeof sources {
  return Object.hasOwn(sources, type)
}

function validateTarget(field: string, target: MetricTarget): readonly FieldError[] {
  const { type, averageUtilization, value, averageValue } = target
  return [
    ...(type === '' ? [requiredField(`${field}.type`, 'must specify a metric target type')] : []),
    ...(type === '' || targetTypes.includes(type)
      ? []
      : [invalidField(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [invalidField(`${field}.averageUtilization`, averageUtilization, 'must be greater than 0')]
      : []),
    ...(averageUtilization !== undefined && averageValue !== undefined
      ? [forbiddenField(`${field}.averageValue`, 'may not set both a target raw value and a target utilization')]
      : []),
    ...(value === undefined && averageValue === undefined && averageUtilization === undefined
      ? [requiredField(`${field}.averageUtilization`, 'must set either a target raw value or a target utilization')]
      : []),
  ]
}
