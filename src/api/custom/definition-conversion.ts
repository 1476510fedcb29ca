import { validateWebhookService } from '../admissionregistration/webhook-service-validation.ts'
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
      : []),
    ...urlErrors(clientConfig?.url),
    ...(clientConfig?.service === undefined
      ? []
      : validateWebhookService('spec.conversion.webhookClientConfig.service', clientConfig.service)),
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

function urlErrors(url: string | undefined): readonly FieldError[] {
  const scheme = url === undefined ? 'https' : url.slice(0, Math.max(0, url.indexOf(':')))
  if (scheme === 'https') return []
  const detail = "'https' is the only allowed URL scheme; desired format: https://host[/path]"
  return [invalidField('spec.conversion.webhookClientConfig.url', scheme, detail)]
}
