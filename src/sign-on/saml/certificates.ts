import { X509Certificate } from 'node:crypto'
import { SignOnFailure } from '../failure.ts'

const fewestBits = 2048

/** A certificate only serves as a public key here: its expiry and issuer do not count, as is usual for providers. */
export function usableCertificates(certificates: readonly string[]): string[] {
  return certificates.map((pem, index) => {
    const problem = problemOf(pem)
    if (problem === undefined) return pem
    throw new SignOnFailure('misconfigured', `spec.saml.certificates[${index}] ${problem}`)
  })
}

function problemOf(pem: string): string | undefined {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = new X509Certificate(pem).publicKey
    if (asymmetricKeyType !== 'rsa') return 'is not that of an RSA key'
    return (asymmetricKeyDetails?.modulusLength ?? 0) < fewestBits ? `is of less than ${fewestBits} bits` : undefined
  } catch {
    return 'is not a certificate'
  }
}
