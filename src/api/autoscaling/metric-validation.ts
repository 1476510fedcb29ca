import { type FieldError, forbiddenField, notSupportedField, requiredField, tooManyField } from '../field-error.ts'
import type { MetricSpec } from '../types/autoscaling-v2.ts'
import { validateSource } from './metric-source-validation.ts'

const sources = {
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  External: 'external',
  ContainerResource: 'containerResource',
} as const
const types = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']

/** Each is computed from all Pods of the target. Kubernetes has no limit. */
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
  const { type } = metric
  const present = Object.values(sources).filter((member) => metric[member] !== undefined)
  if (!isType(type)) {
    const unsupported = notSupportedField(`${field}.type`, type, types)
    return [
      ...(type === '' ? [requiredField(`${field}.type`, 'must specify a metric source type')] : []),
      unsupported,
      ...validateSource(field, metric),
      // As in Kubernetes, repeated where the sources are checked.
      unsupported,
      ...validateAlone(field, present, undefined),
    ]
  }
  const own = sources[type]
  return [
    ...validateSource(field, metric),
    ...(metric[own] === undefined
      ? [requiredField(`${field}.${own}`, 'must populate information for the given metric source')]
      : []),
    ...validateAlone(field, present, own),
  ]
}

/** The source that the type names, or any single one, must be the only one. */
function validateAlone(field: string, present: readonly string[], own: string | undefined): readonly FieldError[] {
  if (present.length === 1) return []
  return present
    .filter((member) => member !== own)
    .map((member) => forbiddenField(`${field}.${member}`, 'must populate the given metric source only'))
}

function isType(type: string): type is keyof typeof sources {
  return Object.hasOwn(sources, type)
}
