import type { KeyObject } from 'node:crypto'
import { checkLicense } from '../../auth/license/check.ts'
import type { LicenseCheck } from '../../auth/license/contract.ts'
import type { Clock } from '../../base/clock.ts'
import { printEd25519PublicKey } from '../../base/ed25519.ts'

export type HeldLicense = LicenseCheck | { readonly state: 'none'; readonly message: string }

/** The licence of a platform. Tenants get the document itself, and check it with the key they were given, else with the one here. */
export interface LicenseHolder {
  readonly document: string | undefined
  /** The public key of the issuer, as tenants are given it. */
  readonly issuer: string | undefined
  /** As it is now: a licence ends while the platform runs. */
  check(): HeldLicense
}

export interface LicenseHolderOptions {
  readonly document?: string | undefined
  readonly issuerKey?: KeyObject | undefined
  readonly clock: Clock
}

export function createLicenseHolder({ document, issuerKey, clock }: LicenseHolderOptions): LicenseHolder {
  return {
    document,
    issuer: issuerKey === undefined ? undefined : printEd25519PublicKey(issuerKey),
    check: () => {
      if (document === undefined) return { state: 'none', message: 'the platform has no licence' }
      if (issuerKey === undefined) return { state: 'none', message: 'the platform was not told who issues licences' }
      return checkLicense(document, issuerKey, clock.now())
    },
  }
}
