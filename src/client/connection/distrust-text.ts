import type { PresentedCertificate } from './certificate.ts'
import type { Distrust } from './trust.ts'

/** Why a certificate is not trusted, in one sentence. */
export function distrustText(origin: string, certificate: PresentedCertificate, distrust: Distrust): string {
  const { fingerprint } = certificate
  if (distrust.reason === 'changed') {
    return `the certificate of ${origin} is not the one that was trusted: expected ${distrust.expected}, but it shows ${fingerprint}`
  }
  return `the certificate of ${origin} cannot be trusted: ${problemText(certificate, distrust.problem)}`
}

function problemText({ issuer, names, validFrom, validTo }: PresentedCertificate, problem: string): string {
  switch (problem) {
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
      return `it was issued by "${issuer}", an unknown authority`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return `it was issued by "${issuer}", which vouches only for itself`
    case 'CERT_SIGNATURE_FAILURE':
      return `it names "${issuer}" as issuer, but was not signed by the authority of that name`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `it is for ${names.length === 0 ? 'no host at all' : names.join(', ')}`
    case 'CERT_HAS_EXPIRED':
      return `it was valid until ${validTo}`
    case 'CERT_NOT_YET_VALID':
      return `it is valid from ${validFrom} on`
    default:
      return problem
  }
}
