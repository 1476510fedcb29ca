import type { PresentedCertificate } from './certificate.ts'

/** Why a client trusts the identity of a server. There is no mode that trusts anything. */
export type Trust =
  /** An authority that this machine trusts vouches for it. */
  | { readonly mode: 'system' }
  /** One of these authorities, in PEM, vouches for it. */
  | { readonly mode: 'authority'; readonly authority: string }
  /** A user has checked this certificate, so its names and dates do not matter. */
  | { readonly mode: 'fingerprint'; readonly fingerprint: string }

export interface Handshake {
  readonly certificate: PresentedCertificate
  /** The code of the certificate's problem; undefined if the authorities vouch for it and it names the host. */
  readonly problem: string | undefined
}

/** The reason not to trust the server, or undefined. */
export type Distrust =
  | { readonly reason: 'changed'; readonly expected: string }
  | { readonly reason: 'not-vouched-for'; readonly problem: string }

export function distrustOf(trust: Trust, { certificate, problem }: Handshake): Distrust | undefined {
  if (trust.mode === 'fingerprint') {
    const { fingerprint: expected } = trust
    return certificate.fingerprint === expected ? undefined : { reason: 'changed', expected }
  }
  return problem === undefined ? undefined : { reason: 'not-vouched-for', problem }
}
