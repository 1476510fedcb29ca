import type { KeyObject } from 'node:crypto'
import { licenseAt, openLicense } from '../../auth/license/check.ts'
import type { LicenseCheck } from '../../auth/license/contract.ts'
import type { Clock } from '../../base/clock.ts'
import { printEd25519PublicKey } from '../../base/ed25519.ts'

export type HeldLicense = LicenseCheck | { readonly state: 'none'; readonly message: string }

/** The license of a platform. Tenants get the document itself, and check it with the key they were given, else with the one here. */
export interface LicenseHolder {
  readonly document: string | undefined
  /** The public key of the issuer, as tenants are given it. */
  readonly issuer: string | undefined
  /** As it is now: a license ends while the platform runs. */
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
