import type { KeyObject } from 'node:crypto'
import { compactVerify, decodeJwt, decodeProtectedHeader, errors } from 'jose'
import { isJsonObject } from '../../base/json/member.ts'
import { licenseOf } from './claims.ts'
import type { Feature, License, LicenseCheck, OpenedLicense } from './contract.ts'
import { licenseHeader } from './sign.ts'

const maxLength = 64 * 1024
/** Tolerance between the clocks of issuers and verifiers. */
const toleratedSkewMs = 5 * 60_000

/** Needs only the issuer's public key; no server is asked. */
export async function checkLicense(document: string, issuerKey: KeyObject, nowMs: number): Promise<LicenseCheck> {
  return licenseAt(await openLicense(document, issuerKey), nowMs)
}

/** The part of a check that never changes: whether the issuer signed the license. */
export async function openLicense(document: string, issuerKey: KeyObject): Promise<OpenedLicense> {
  const text = document.trim()
  if (text.length > maxLength || !isLicense(text)) return { state: 'unreadable', message: 'it is not a license' }
  try {
    const { payload } = await compactVerify(text, issuerKey, { algorithms: [licenseHeader.alg] })
    const license = licenseIn(Buffer.from(payload).toString('utf8'))
    if (license !== undefined) return { state: 'signed', license }
    return { state: 'unreadable', message: 'it was signed, but says too little for a license' }
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) {
      return { state: 'untrusted', message: 'it was changed, or signed by an issuer other than the one known here' }
    }
    return { state: 'unreadable', message: 'it asks for more than this release understands' }
  }
}

/** The state of an opened license at a given time. */
export function licenseAt(opened: OpenedLicense, nowMs: number): LicenseCheck {
  return opened.state === 'signed' ? { state: stateOf(opened.license, nowMs), license: opened.license } : opened
}

/** The content of a document, for display only: its signature is not verified. */
export function unverifiedLicense(document: string): License | undefined {
  try {
    return licenseOf(decodeJwt(document.trim()))
  } catch {
    return undefined
  }
}

export function grants(check: LicenseCheck, feature: Feature): boolean {
  return check.state === 'valid' && check.license.features.includes(feature)
}

function stateOf({ issuedAtMs, expiresAtMs }: License, nowMs: number): 'valid' | 'expired' | 'not-yet-valid' {
  if (expiresAtMs !== undefined && nowMs >= expiresAtMs) return 'expired'
  return nowMs + toleratedSkewMs < issuedAtMs ? 'not-yet-valid' : 'valid'
}

function isLicense(text: string): boolean {
  try {
    const { alg, typ } = decodeProtectedHeader(text)
    return alg === licenseHeader.alg && typ === licenseHeader.typ
  } catch {
    return false
  }
}

function licenseIn(payload: string): License | undefined {
  try {
    const claims: unknown = JSON.parse(payload)
    return isJsonObject(claims) ? licenseOf(claims) : undefined
  } catch {
    return undefined
  }
}
