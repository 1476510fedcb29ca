import type { PresentedCertificate } from './certificate.ts'
import type { Distrust } from './trust.ts'

/** No answer came, or none that an API server gives. It says nothing about the credentials. */
export class ConnectionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConnectionError'
  }
}

/** The connection was given up before anything was sent, because the server may be somebody else. */
export class UntrustedCertificate extends ConnectionError {
  readonly certificate: PresentedCertificate
  readonly distrust: Distrust

  constructor(message: string, certificate: PresentedCertificate, distrust: Distrust) {
    super(message)
    this.name = 'UntrustedCertificate'
    this.certificate = certificate
    this.distrust = distrust
  }
}
