import { X509Certificate } from 'node:crypto'
import type { CertificateSigningRequest } from '../../api/types/certificates-v1.ts'
import type { StoredDocument } from '../../registry/document.ts'

const hourMs = 3_600_000
const pendingMs = 24 * hourMs

/** Undecided requests expire after a day, handled ones after an hour, and all of them with their certificate. */
export function requestExpiry({ object }: StoredDocument): number | undefined {
  const { metadata, status } = object as CertificateSigningRequest
  const created = Date.parse(metadata.creationTimestamp ?? '')
  const decided = (status.conditions ?? []).filter(({ type }) => ['Approved', 'Denied', 'Failed'].includes(type))
  const certificate = status.certificate ?? ''
  const isDealtWith = certificate !== '' || decided.some(({ type }) => type !== 'Approved')
  const times = isDealtWith
    ? [...decided.map(({ lastUpdateTime }) => Date.parse(lastUpdateTime ?? '') + hourMs), endOf(certificate)]
    : [decided.length === 0 ? created + pendingMs : Number.NaN]
  const known = times.filter((time) => Number.isFinite(time))
  return known.length === 0 ? undefined : Math.min(...known)
}

function endOf(certificate: string): number {
  if (certificate === '') return Number.NaN
  try {
    return Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo)
  } catch {
    return Number.NaN
  }
}
