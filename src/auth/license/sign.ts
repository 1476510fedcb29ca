import type { KeyObject } from 'node:crypto'
import { signEd25519 } from '../../base/ed25519.ts'
import { claimsOf } from './claims.ts'
import type { License } from './contract.ts'

/** The one header there is: what is checked, and how, is never up to the document. */
export const licenseHeader = { alg: 'EdDSA', typ: 'tenant-license' }

/** A licence as a compact JSON Web Token, which any tool for them can show. */
export function signLicense(license: License, issuerKey: KeyObject): string {
  const signed = `${encoded(licenseHeader)}.${encoded(claimsOf(license))}`
  return `${signed}.${signEd25519(signed, issuerKey).toString('base64url')}`
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
