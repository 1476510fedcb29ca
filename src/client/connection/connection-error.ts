import type { PresentedCertificate } from './certificate.ts'
import type { Distrust } from './trust.ts'

/** No answer arrived, or none that an API server gives. It says nothing about the credentials. */
export class ConnectionError extends Error {
  /** Whether the request cannot have had any effect, because there was no connection to send it on. */
  readonly nothingSent: boolean

  constructor(message: string, { nothingSent = false }: { readonly nothingSent?: boolean } = {}) {
    super(message)
    this.name = 'ConnectionError'
    this.nothingSent = nothingSent
  }
}

/** The server's answer is not read any further: it is too large or too slow. A retry would change nothing. */
export class UnacceptableAnswer extends ConnectionError {
  constructor(message: string) {
    super(message)
    this.name = 'UnacceptableAnswer'
  }
}

/** The connection was given up before anything was sent, because the server may be an impostor. */
export class UntrustedCertificate extends ConnectionError {
  readonly certificate: PresentedCertificate
  readonly distrust: Distrust

  constructor(message: string, certificate: PresentedCertificate, distrust: Distrust) {
    super(message, { nothingSent: true })
    this.name = 'UntrustedCertificate'
    this.certificate = certificate
    this.distrust = distrust
  }
}
