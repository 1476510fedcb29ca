import { type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import type { HorizontalPodAutoscalerBehavior, HPAScalingPolicy, HPAScalingRules } from '../types/autoscaling-v2.ts'

const maxWindowSeconds = 3600
const maxPeriodSeconds = 1800
const selections = ['Disabled', 'Max', 'Min']

export function validateBehavior(field: string, behavior: HorizontalPodAutoscalerBehavior): readonly FieldError[] {
  return (['scaleUp', 'scaleDown'] as const).flatMap((member) => {
    const rules = behavior[member]
    return rules === undefined ? [] : validateScaling(`${field}.${member}`, rules)
  })
}

function validateScaling(field: string, rules: HPAScalingRules): readonly FieldError[] {
  const { stabilizationWindowSeconds: window, selectPolicy = '', policies = [] } = rules
  return [
    ...(window !== undefined && window < 0
      ? [invalidField(`${field}.stabilizationWindowSeconds`, window, 'must be greater than or equal to zero')]
      : []),
    ...(window !== undefined && window > maxWindowSeconds
      ? [
          invalidField(
            `${field}.stabilizationWindowSeconds`,
            window,
            `must be less than or equal to ${maxWindowSeconds}`,
          ),
        ]
      : []),
    ...(selections.includes(selectPolicy)
      ? []
      : [notSupportedField(`${field}.selectPolicy`, selectPolicy, selections)]),
    ...(policies.length === 0 ? [requiredField(`${field}.policies`, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, index) => validatePolicy(`${field}.policies[${index}]`, policy)),
  ]
}

function validatePolicy(field: string, { type, value, periodSeconds }: HPAScalingPolicy): readonly FieldError[] {
  return [
    ...(type === 'Pods' || type === 'Percent' ? [] : [notSupportedField(`${field}.type`, type, ['Percent', 'Pods'])]),
    ...(value > 0 ? [] : [invalidField(`${field}.value`, value, 'must be greater than zero')]),
    ...(periodSeconds > 0 ? [] : [invalidField(`${field}.periodSeconds`, periodSeconds, 'must be greater than zero')]),
    ...(periodSeconds > maxPeriodSeconds
      ? [invalidField(`${field}.periodSeconds`, periodSeconds, `must be less than or equal to ${maxPeriodSeconds}`)]
      : []),
  ]
}
