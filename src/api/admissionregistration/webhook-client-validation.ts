import { type FieldError, invalidField, requiredField, tooLongField } from '../field-error.ts'
import { parseGoUrl } from '../human/go-url.ts'
import type { WebhookClientConfig } from '../types/admissionregistration-v1.ts'
import { validateWebhookService } from './webhook-service-validation.ts'

/** In bytes of base64: it is read for every connection. */
const maxBundleBytes = 128 * 1024

/** Where a webhook for admission or conversion is. */
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
  const url = parseGoUrl(text)
  if ('problem' in url) return [requiredField(field, `url must be a valid URL: ${url.problem}${form}`)]
  const { scheme, host, user, fragment, query } = url
  return [
    ...(scheme === 'https' ? [] : [invalidField(field, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(host === '' ? [invalidField(field, host, `host must be specified${form}`)] : []),
    ...(user === undefined ? [] : [invalidField(field, user, 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalidField(field, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalidField(field, query, 'query parameters are not permitted in the URL')]),
  ]
}
