import { type FieldError, invalidField, requiredField } from '../../field-error.ts'
import { validateLabel, validateSubdomain } from '../../names.ts'
import type { SecretReference } from './connector-settings.ts'

const longestText = 2_000
const longestBundle = 256 * 1024

/** Without user, query and fragment. */
export function isPlainHttps(text: string): boolean {
  return isPlainAddress(text, ['https:'])
}

export function isPlainAddress(text: string, protocols: readonly string[]): boolean {
  if (text.length > longestText || !URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return protocols.includes(protocol) && username === '' && password === '' && search === '' && hash === ''
}

export function redirectErrors(field: string, redirectUri = ''): readonly FieldError[] {
  if (redirectUri === '') return []
  if (!isPlainHttps(redirectUri)) {
    return [invalidField(field, redirectUri, 'must be an https address without user, query or fragment')]
  }
  if (new URL(redirectUri).pathname.includes('/auth/callback/')) return []
  return [invalidField(field, redirectUri, 'must lead to /auth/callback/<name of the connector>')]
}

export function bundleErrors(field: string, bundle = ''): readonly FieldError[] {
  if (bundle === '' || (isPem(bundle) && bundle.length <= longestBundle)) return []
  return [invalidField(field, '…', `must be certificates in PEM, at most ${longestBundle} bytes`)]
}

function isPem(text: string): boolean {
  return /^\s*-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\s*$/.test(text)
}

export function secretErrors(field: string, reference: SecretReference | undefined): readonly FieldError[] {
  if (reference === undefined) return []
  const { name = '', namespace = '' } = reference
  return [
    ...(name === ''
      ? [requiredField(`${field}.name`)]
      : validateSubdomain(name).map((problem) => invalidField(`${field}.name`, name, problem))),
    ...(namespace === ''
      ? []
      : validateLabel(namespace).map((problem) => invalidField(`${field}.namespace`, namespace, problem))),
  ]
}
