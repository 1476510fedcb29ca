import { pemBlocks } from '../../base/certificates/pem.ts'
import { repeated } from '../core/repeated.ts'
import {
  duplicateField,
  type FieldError,
  invalidField,
  invalidFieldAs,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../field-error.ts'
import type { CertificateSigningRequest } from '../types/certificates-v1.ts'
import { validateSignerName } from './signer-name.ts'

const minExpirationSeconds = 600
/** A hundred names and a key of 8192 bits fit into a tenth of it. */
const maxRequestBytes = 32 * 1024
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
    ...validateText('spec.request', spec.request),
    ...(given.length === 0 ? [requiredField('spec.usages')] : []),
    ...given.flatMap((usage, index) =>
      usages.includes(usage) ? [] : [notSupportedField(`spec.usages[${index}]`, usage, usages)],
    ),
    ...given.flatMap((usage, index) => (isTaken[index] ? [duplicateField(`spec.usages[${index}]`, usage)] : [])),
    ...validateSignerName('spec.signerName', spec.signerName),
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

/** Admission checks whether the request can be read and its signature is valid. */
function validateText(field: string, base64: string): readonly FieldError[] {
  const text = atob(base64)
  if (text.length > maxRequestBytes) return [tooLongField(field, maxRequestBytes)]
  if (pemBlocks(text)[0]?.label === 'CERTIFICATE REQUEST') return []
  return [invalidFieldAs(field, printedBytes(text), 'PEM block type must be CERTIFICATE REQUEST')]
}

const mostPrintedBytes = 1024

/** As Go prints bytes. */
function printedBytes(text: string): string {
  if (text === '') return '[]byte(nil)'
  const bytes = [...text.slice(0, mostPrintedBytes)].map((each) => `0x${each.charCodeAt(0).toString(16)}`)
  return `[]byte{${bytes.join(', ')}${text.length > mostPrintedBytes ? ', ...' : ''}}`
}
