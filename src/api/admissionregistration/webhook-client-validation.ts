import { type FieldError, invalidField, requiredField, tooLongField } from '../field-error.ts'
import type { WebhookClientConfig } from '../types/admissionregistration-v1.ts'
import { validateWebhookService } from './webhook-service-validation.ts'

/** In bytes of base64: it is read for every connection. */
const maxBundleBytes = 128 * 1024

/** Where a webhook is, of an admission configuration or of a conversion. */
export function validateWebhookClient(
  field: string,
  { url, service, caBundle = '' }: WebhookClientConfig,
): readonly FieldError[] {
  if (caBundle.length > maxBundleBytes) return [tooLongField(`${field}.caBundle`, maxBundleBytes)]
  if ((url === undefined) === (service === undefined)) {
    return [requiredField(field, 'exactly one of url or service is required')]
  }
  if (url !== undefined) return validateUrl(`${field}.url`, url)
  return service === undefined ? [] : validateWebhookService(`${field}.service`, service)
}

const form = '; desired format: https://host[/path]'

function validateUrl(field: string, text: string): readonly FieldError[] {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return [requiredField(field, `url must be a valid URL${form}`)]
  return [
    ...(url.protocol === 'https:'
      ? []
      : [invalidField(field, url.protocol.slice(0, -1), `'https' is the only allowed URL scheme${form}`)]),
    ...(url.host === '' ? [invalidField(field, url.host, `host must be specified${form}`)] : []),
    ...(url.username === '' ? [] : [invalidField(field, url.username, 'user information is not permitted in the URL')]),
    ...(url.hash === '' ? [] : [invalidField(field, url.hash.slice(1), 'fragments are not permitted in the URL')]),
    ...(url.search === ''
      ? []
      : [invalidField(field, url.search.slice(1), 'query parameters are not permitted in the URL')]),
  ]
}
