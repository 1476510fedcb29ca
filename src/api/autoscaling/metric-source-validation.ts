import { checkContainerResourceName } from '../core/amounts/resource-name-check.ts'
import { checkLabelName, checkPathSegment } from '../core/field-checks.ts'
import { type FieldError, forbiddenField, invalidField, invalidFieldAs, requiredField } from '../field-error.ts'
import { goQuantity } from '../human/go-quantity.ts'
import { nanosOf } from '../quantity.ts'
import type {
  ContainerResourceMetricSource,
  ExternalMetricSource,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from '../types/autoscaling-v2.ts'
import { validateReference } from './reference-validation.ts'

const targetTypes = ['AverageValue', 'Utilization', 'Value']

/** As in Kubernetes, only the first source is validated. */
export function validateSource(field: string, metric: MetricSpec): readonly FieldError[] {
  const { object, external, pods, resource, containerResource } = metric
  if (object !== undefined) return validateObject(`${field}.object`, object)
  if (external !== undefined) return validateExternal(`${field}.external`, external)
  if (pods !== undefined) return validatePods(`${field}.pods`, pods)
  if (resource !== undefined) return validateResource(`${field}.resource`, resource)
  return containerResource === undefined ? [] : validateContainer(`${field}.containerResource`, containerResource)
}

function validateObject(field: string, { describedObject, metric, target }: ObjectMetricSource): readonly FieldError[] {
  return [
    ...validateReference(`${field}.describedObject`, describedObject),
    ...validateMetricName(field, metric),
    ...validateTarget(`${field}.target`, target),
    ...(hasValue(target)
      ? []
      : [requiredField(`${field}.target.averageValue`, 'must set either a target value or averageValue')]),
  ]
}

function validateExternal(field: string, { metric, target }: ExternalMetricSource): readonly FieldError[] {
  const { value, averageValue } = target
  return [
    ...validateMetricName(field, metric),
    ...validateTarget(`${field}.target`, target),
    ...(hasValue(target)
      ? []
      : [
          requiredField(
            `${field}.target.averageValue`,
            'must set either a target value for metric or a per-pod target',
          ),
        ]),
    ...(value !== undefined && averageValue !== undefined
      ? [forbiddenField(`${field}.target.value`, 'may not set both a target value for metric and a per-pod target')]
      : []),
  ]
}

function validatePods(field: string, { metric, target }: PodsMetricSource): readonly FieldError[] {
  return [
    ...validateMetricName(field, metric),
    ...validateTarget(`${field}.target`, target),
    ...(target.averageValue === undefined
      ? [requiredField(`${field}.target.averageValue`, 'must specify a positive target averageValue')]
      : []),
  ]
}

function validateResource(field: string, { name, target }: ResourceMetricSource): readonly FieldError[] {
  return [
    ...(name === '' ? [requiredField(`${field}.name`, 'must specify a resource name')] : []),
    ...validateUse(`${field}.target`, target),
  ]
}

function validateContainer(field: string, source: ContainerResourceMetricSource): readonly FieldError[] {
  const { name, container, target } = source
  return [
    ...(name === ''
      ? [requiredField(`${field}.name`, 'must specify a resource name')]
      : checkContainerResourceName(`${field}.name`, name)),
    ...(container === ''
      ? [requiredField(`${field}.container`, 'must specify a container')]
      : checkLabelName(`${field}.container`, container)),
    ...validateUse(`${field}.target`, target),
  ]
}

function validateMetricName(field: string, { name }: { readonly name: string }): readonly FieldError[] {
  return checkPathSegment(`${field}.metric.name`, name, 'must specify a metric name')
}

/** The usage of a resource: an amount, or a percentage of the request. */
function validateUse(field: string, target: MetricTarget): readonly FieldError[] {
  const { averageUtilization, averageValue } = target
  const hasNone = averageUtilization === undefined && averageValue === undefined
  const hasBoth = averageUtilization !== undefined && averageValue !== undefined
  return [
    ...validateTarget(field, target),
    ...(hasNone
      ? [requiredField(`${field}.averageUtilization`, 'must set either a target raw value or a target utilization')]
      : []),
    ...(hasBoth
      ? [forbiddenField(`${field}.averageValue`, 'may not set both a target raw value and a target utilization')]
      : []),
  ]
}

function validateTarget(field: string, target: MetricTarget): readonly FieldError[] {
  const { type, averageUtilization, value, averageValue } = target
  return [
    ...(type === '' ? [requiredField(`${field}.type`, 'must specify a metric target type')] : []),
    ...(targetTypes.includes(type)
      ? []
      : [invalidField(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...checkPositive(`${field}.value`, value),
    ...checkPositive(`${field}.averageValue`, averageValue),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [invalidField(`${field}.averageUtilization`, averageUtilization, 'must be greater than 0')]
      : []),
  ]
}

function checkPositive(field: string, amount: string | number | undefined): readonly FieldError[] {
  if (amount === undefined || nanosOf(amount) > 0n) return []
  return [invalidFieldAs(field, goQuantity(amount), 'must be positive')]
}

function hasValue({ value, averageValue }: MetricTarget): boolean {
  return value !== undefined || averageValue !== undefined
}
