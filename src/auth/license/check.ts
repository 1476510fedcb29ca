import type { KeyObject } from 'node:crypto'
import { isEd25519Signature } from '../../base/ed25519.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { licenseOf } from './claims.ts'
import type { Feature, License, LicenseCheck } from './contract.ts'
import { licenseHeader } from './sign.ts'

const maxLength = 64 * 1024
/** Clocks of issuers and of those who check differ a little. */
const toleratedSkewMs = 5 * 60_000

/** Needs nothing but the issuer's public key: nobody is asked. */
export function checkLicense(document: string, issuerKey: KeyObject, nowMs: number): LicenseCheck {
  const text = document.trim()
  const parts = text.length > maxLength ? [] : text.split('.')
  const [header = '', payload = '', signature = ''] = parts
  if (parts.length !== 3 || jsonIn(header)?.typ !== licenseHeader.typ || jsonIn(header)?.alg !== licenseHeader.alg) {
    return { state: 'unreadable', message: 'it is not a licence' }
  }
  if (!isEd25519Signature(`${header}.${payload}`, Buffer.from(signature, 'base64url'), issuerKey)) {
    return { state: 'untrusted', message: 'it was changed, or signed by somebody other than the issuer known here' }
  }
  const license = licenseOf(jsonIn(payload) ?? {})
  if (license === undefined) return { state: 'unreadable', message: 'it was signed, but says too little for a licence' }
  return { state: stateOf(license, nowMs), license }
}

/** What a document says of itself, for showing it; nobody vouches for it. */
export function unverifiedLicense(document: string): License | undefined {
  const claims = jsonIn(document.trim().split('.')[1] ?? '')
  return claims && licenseOf(claims)
}

export function grants(check: LicenseCheck, feature: Feature): boolean {
  return check.state === 'valid' && check.license.features.includes(feature)
}

function stateOf({ issuedAtMs, expiresAtMs }: License, nowMs: number): 'valid' | 'expired' | 'not-yet-valid' {
  if (expiresAtMs !== undefined && nowMs >= expiresAtMs) return 'expired'
  return nowMs + toleratedSkewMs < issuedAtMs ? 'not-yet-valid' : 'valid'
}

function jsonIn(segment: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
