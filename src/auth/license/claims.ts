import { isJsonObject } from '../../base/json/member.ts'
import type { License, LicenseLimits } from './contract.ts'

/** The claims as written: JSON Web Token names where they exist, times in seconds. */
export function claimsOf(license: License): Readonly<Record<string, unknown>> {
  const { id, issuedTo, features, limits, issuedAtMs, expiresAtMs } = license
  return {
    jti: id,
    sub: issuedTo,
    features,
    limits,
    iat: Math.floor(issuedAtMs / 1000),
    ...(expiresAtMs !== undefined && { exp: Math.floor(expiresAtMs / 1000) }),
  }
}

/** Undefined if a required claim is missing or has another type. */
export function licenseOf(claims: Readonly<Record<string, unknown>>): License | undefined {
  const { jti, sub, features, limits, iat, exp } = claims
  if (typeof jti !== 'string' || typeof sub !== 'string' || !isSeconds(iat)) return undefined
  if (!Array.isArray(features) || !features.every((feature) => typeof feature === 'string')) return undefined
  if (exp !== undefined && !isSeconds(exp)) return undefined
  const limitsRead = limitsOf(limits)
  if (limitsRead === undefined) return undefined
  return {
    id: jti,
    issuedTo: sub,
    features,
    limits: limitsRead,
    issuedAtMs: iat * 1000,
    ...(exp !== undefined && { expiresAtMs: exp * 1000 }),
  }
}

/** A limit that cannot be parsed does not mean that there is no limit. */
function limitsOf(limits: unknown): LicenseLimits | undefined {
  if (limits === undefined) return {}
  if (!isJsonObject(limits)) return undefined
  const { virtualClusters } = limits
  if (virtualClusters === undefined) return {}
  const isCount = typeof virtualClusters === 'number' && Number.isSafeInteger(virtualClusters) && virtualClusters >= 0
  return isCount ? { virtualClusters } : undefined
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
