import type { KeyObject } from 'node:crypto'
import { licenseAt, openLicense } from '../../auth/license/check.ts'
import type { LicenseCheck } from '../../auth/license/contract.ts'
import type { Clock } from '../../base/clock.ts'
import { printEd25519PublicKey } from '../../base/keys/ed25519.ts'

export type HeldLicense = LicenseCheck | { readonly state: 'none'; readonly message: string }

/**
 * The license of a platform. Tenants receive the document and verify it with the public key they were configured with,
 * or else with this issuer's.
 */
export interface LicenseHolder {
  readonly document: string | undefined
  /** The public key of the issuer, as sent to tenants. */
  readonly issuer: string | undefined
  /** Checks the license now: it may end while the platform runs. */
  check(): HeldLicense
}

export interface LicenseHolderOptions {
  readonly document?: string | undefined
  readonly issuerKey?: KeyObject | undefined
  readonly clock: Clock
}

export async function createLicenseHolder(options: LicenseHolderOptions): Promise<LicenseHolder> {
  const { document, issuerKey, clock } = options
  const opened = document === undefined || issuerKey === undefined ? undefined : await openLicense(document, issuerKey)
  return {
    document,
    issuer: issuerKey === undefined ? undefined : printEd25519PublicKey(issuerKey),
    check: () => {
      if (document === undefined) return { state: 'none', message: 'the platform has no license' }
      if (opened === undefined) return { state: 'none', message: 'the platform was not told who issues licenses' }
      return licenseAt(opened, clock.now())
    },
  }
}
