import { type FieldError, invalidField, requiredField, tooManyField } from '../../field-error.ts'
import type { SamlConnector } from '../../types/management.ts'
import { isPlainAddress, redirectErrors } from './connector-field-errors.ts'

const mostCertificates = 3
const longestCertificate = 16_384
const longestEntityId = 1_024
const maxSkewSeconds = 600
const whoWeAre = 'without it or spec.saml.entityId, assertions for other services of the provider could count'
const oneCertificate = /^\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/

export function samlErrors(saml: SamlConnector): readonly FieldError[] {
  const { issuer = '', ssoUrl = '', entityId = '', redirectUri = '', clockSkewSeconds: skew = 0 } = saml
  return [
    ...(issuer === '' ? [requiredField('spec.saml.issuer')] : entityErrors('spec.saml.issuer', issuer)),
    ...(ssoUrl === '' ? [requiredField('spec.saml.ssoUrl')] : addressErrors(ssoUrl)),
    ...certificateErrors(saml.certificates ?? []),
    ...entityErrors('spec.saml.entityId', entityId),
    ...(entityId === '' && redirectUri === '' ? [requiredField('spec.saml.redirectUri', whoWeAre)] : []),
    ...redirectErrors('spec.saml.redirectUri', redirectUri),
    ...(skew < 0 || skew > maxSkewSeconds
      ? [invalidField('spec.saml.clockSkewSeconds', skew, `must be between 0 and ${maxSkewSeconds}`)]
      : []),
  ]
}

/** It may have a query, by which some providers identify their tenants. */
function addressErrors(ssoUrl: string): readonly FieldError[] {
  const [address = ''] = ssoUrl.split('?')
  if (isPlainAddress(address, ['https:']) && !ssoUrl.includes('#')) return []
  return [invalidField('spec.saml.ssoUrl', ssoUrl, 'must be an https address without user or fragment')]
}

function entityErrors(field: string, entity: string): readonly FieldError[] {
  if (entity.length <= longestEntityId && /^[\x21-\x7e]*$/.test(entity)) return []
  return [invalidField(field, entity, `must be an address of at most ${longestEntityId} characters, without spaces`)]
}

function certificateErrors(certificates: readonly string[]): readonly FieldError[] {
  const field = 'spec.saml.certificates'
  if (certificates.length === 0) return [requiredField(field, 'without one no answer of the provider can be trusted')]
  if (certificates.length > mostCertificates) return [tooManyField(field, certificates.length, mostCertificates)]
  return certificates.flatMap((pem, index) =>
    pem.length <= longestCertificate && oneCertificate.test(pem)
      ? []
      : [invalidField(`${field}[${index}]`, '…', 'must be one certificate in PEM')],
  )
}
