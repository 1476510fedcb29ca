import { validateWebhookClient } from '../admissionregistration/webhook-client-validation.ts'
import { type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import type { CustomResourceConversion } from '../types/apiextensions-v1.ts'

const strategies = ['None', 'Webhook']
const reviewVersions = ['v1', 'v1beta1']

export function conversionErrors(conversion: CustomResourceConversion | undefined): readonly FieldError[] {
  if (conversion === undefined) return []
  const { strategy, webhook } = conversion
  if (!strategies.includes(strategy)) return [notSupportedField('spec.conversion.strategy', strategy, strategies)]
  if (strategy === 'None') return []
  const { clientConfig } = webhook ?? {}
  const versions = webhook?.conversionReviewVersions ?? []
  return [
    ...(clientConfig === undefined
      ? [requiredField('spec.conversion.webhookClientConfig', 'required when strategy is set to Webhook')]
      : validateWebhookClient('spec.conversion.webhookClientConfig', clientConfig)),
    ...(versions.length === 0 ? [requiredField('spec.conversion.conversionReviewVersions')] : []),
    ...(versions.length > 0 && !versions.some((version) => reviewVersions.includes(version))
      ? [
          invalidField(
            'spec.conversion.conversionReviewVersions',
            versions,
            `must include at least one of ${reviewVersions.join(', ')}`,
          ),
        ]
      : []),
  ]
}
