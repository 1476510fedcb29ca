import { systemClock } from '../../base/clock.ts'
import { readEd25519PublicKey } from '../../base/ed25519.ts'
import { createLicenseHolder, type LicenseHolder } from '../../platform/license/license-holder.ts'
import { readText } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { readIssuer } from './read-issuer.ts'

export interface PlatformLicenseOptions {
  readonly license?: string
  readonly licenseIssuer?: string
}

/** The licence that a platform is given at its start. One that is worth nothing is said when somebody wants to link. */
export async function platformLicense(flags: PlatformLicenseOptions, terminal: Terminal): Promise<LicenseHolder> {
  const { license, licenseIssuer = terminal.env.TENANT_LICENSE_ISSUER } = flags
  const document = license === undefined ? undefined : (await readText(license, terminal)).text.trim()
  const issuerKey = licenseIssuer ? readEd25519PublicKey(await readIssuer(licenseIssuer, terminal)) : undefined
  return createLicenseHolder({ document, issuerKey, clock: systemClock })
}
