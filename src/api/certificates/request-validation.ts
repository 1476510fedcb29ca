import { repeated } from '../core/repeated.ts'
import { duplicateField, type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import { validateSubdomain } from '../names.ts'
import type { CertificateSigningRequest } from '../types/certificates-v1.ts'

const minExpirationSeconds = 600
const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]

export function validateRequest({ spec }: CertificateSigningRequest): readonly FieldError[] {
  const given = spec.usages ?? []
  const isTaken = repeated(given)
  return [
    ...(isPemRequest(spec.request)
      ? []
      : [invalidField('spec.request', decoded(spec.request), 'PEM block type must be CERTIFICATE REQUEST')]),
    ...(given.length === 0 ? [requiredField('spec.usages')] : []),
    ...given.flatMap((usage, index) => [
      ...(usages.includes(usage) ? [] : [notSupportedField(`spec.usages[${index}]`, usage, usages)]),
      ...(isTaken[index] ? [duplicateField(`spec.usages[${index}]`, usage)] : []),
    ]),
    ...validateSigner('spec.signerName', spec.signerName),
    ...(spec.expirationSeconds !== undefined && spec.expirationSeconds < minExpirationSeconds
      ? [
          invalidField(
            'spec.expirationSeconds',
            spec.expirationSeconds,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
  ]
}

function isPemRequest(request: string): boolean {
  return decoded(request).includes('-----BEGIN CERTIFICATE REQUEST-----')
}

function decoded(request: string): string {
  return atob(request)
}

/** A domain and a path, such as `example.com/signer`. */
function validateSigner(field: string, signer: string): readonly FieldError[] {
  if (signer === '') return [requiredField(field)]
  const slash = signer.indexOf('/')
  const rest = signer.slice(slash + 1)
  if (slash < 0 || rest.includes('/')) {
    return [
      invalidField(field, signer, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ]
  }
  return [
    ...validateSubdomain(signer.slice(0, slash)).map((problem) => invalidField(field, signer.slice(0, slash), problem)),
    ...validateSubdomain(rest).map((problem) => invalidField(field, rest, problem)),
  ]
}
