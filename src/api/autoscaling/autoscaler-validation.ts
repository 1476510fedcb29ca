import { checkNotNegative } from '../core/field-checks.ts'
import { type FieldError, invalidField } from '../field-error.ts'
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec } from '../types/autoscaling-v2.ts'
import { validateBehavior } from './behavior-validation.ts'
import { validateMetrics } from './metric-validation.ts'
import { validateReference } from './reference-validation.ts'

export function validateAutoscaler({ spec }: HorizontalPodAutoscaler): readonly FieldError[] {
  return validateAutoscalerSpec(spec, 1)
}

/** Only a metric that exists without pods allows scaling to zero: then `fewest` is 0. */
function validateAutoscalerSpec(spec: HorizontalPodAutoscalerSpec, fewest: number): readonly FieldError[] {
  const { minReplicas, maxReplicas, scaleTargetRef, metrics = [], behavior } = spec
  return [
    ...(minReplicas !== undefined && minReplicas < fewest
      ? [invalidField('spec.minReplicas', minReplicas, `must be greater than or equal to ${fewest}`)]
      : []),
    ...(maxReplicas < 1 ? [invalidField('spec.maxReplicas', maxReplicas, 'must be greater than 0')] : []),
    ...(minReplicas !== undefined && maxReplicas < minReplicas
      ? [invalidField('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...validateReference('spec.scaleTargetRef', scaleTargetRef),
    ...validateMetrics('spec.metrics', metrics, minReplicas),
    ...(behavior === undefined ? [] : validateBehavior('spec.behavior', behavior)),
  ]
}

export function validateAutoscalerStatus({ status }: HorizontalPodAutoscaler): readonly FieldError[] {
  return [
    ...checkNotNegative('status.currentReplicas', status.currentReplicas),
    ...checkNotNegative('status.desiredReplicas', status.desiredReplicas),
  ]
}
