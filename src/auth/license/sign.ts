import type { KeyObject } from 'node:crypto'
import { CompactSign } from 'jose'
import { claimsOf } from './claims.ts'
import type { License } from './contract.ts'

/** The only header: the document never decides what is verified, or how. */
export const licenseHeader = { alg: 'EdDSA', typ: 'tenant-license' }

/** A license as a compact JSON Web Token, which any JWT tool can show. */
export function signLicense(license: License, issuerKey: KeyObject): Promise<string> {
  const payload = Buffer.from(JSON.stringify(claimsOf(license)))
  return new CompactSign(payload).setProtectedHeader(licenseHeader).sign(issuerKey)
}
