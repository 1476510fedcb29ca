import type { KubeObject } from '../object.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface CertificateSigningRequest extends KubeObject {
  readonly spec: CertificateSigningRequestSpec
  readonly status: CertificateSigningRequestStatus
}

export interface CertificateSigningRequestCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastUpdateTime: string | null
  readonly lastTransitionTime: string | null
}

export interface CertificateSigningRequestSpec {
  readonly request: string
  readonly signerName: string
  readonly expirationSeconds?: number
  readonly usages?: readonly string[]
  readonly username?: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export interface CertificateSigningRequestStatus {
  readonly conditions?: readonly CertificateSigningRequestCondition[]
  readonly certificate?: string
}
