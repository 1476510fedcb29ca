import { validateReviewVersions } from '../../admissionregistration/review-versions.ts'
import { validateWebhookClient } from '../../admissionregistration/webhook-client-validation.ts'
import { checkOneOf } from '../../core/field-checks.ts'
import { type FieldError, forbiddenField, requiredField } from '../../field-error.ts'
import type { CustomResourceConversion } from '../../types/apiextensions-v1.ts'

const clientField = 'spec.conversion.webhookClientConfig'
const versionsField = 'spec.conversion.conversionReviewVersions'

/** Fields have the names that they had before there was a `webhook`. */
export function conversionErrors(conversion: CustomResourceConversion | undefined): readonly FieldError[] {
  if (conversion === undefined) return []
  return [
    ...checkOneOf('spec.conversion.strategy', conversion.strategy, ['None', 'Webhook']),
    ...(conversion.strategy === 'Webhook' ? webhookErrors(conversion) : unusedErrors(conversion)),
  ]
}

function webhookErrors({ webhook }: CustomResourceConversion): readonly FieldError[] {
  const { clientConfig } = webhook ?? {}
  return [
    ...(clientConfig === undefined
      ? [requiredField(clientField, 'required when strategy is set to Webhook')]
      : validateWebhookClient(clientField, clientConfig)),
    ...validateReviewVersions(versionsField, webhook?.conversionReviewVersions ?? []),
  ]
}

function unusedErrors({ webhook }: CustomResourceConversion): readonly FieldError[] {
  const detail = 'should not be set when strategy is not set to Webhook'
  return [
    ...(webhook?.clientConfig === undefined ? [] : [forbiddenField(clientField, detail)]),
    ...((webhook?.conversionReviewVersions ?? []).length === 0 ? [] : [forbiddenField(versionsField, detail)]),
  ]
}

/** A service is reached at the HTTPS port by default. */
export function withConversionDefaults(conversion: CustomResourceConversion | undefined): CustomResourceConversion {
  if (conversion === undefined) return { strategy: 'None' }
  const { webhook } = conversion
  const service = webhook?.clientConfig?.service
  if (service === undefined || service.port !== undefined) return conversion
  const clientConfig = { ...webhook?.clientConfig, service: { ...service, port: 443 } }
  return { ...conversion, webhook: { conversionReviewVersions: null, ...webhook, clientConfig } }
}
