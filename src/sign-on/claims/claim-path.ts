import { asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'

/** The value of a claim. A name with dots may be that of one claim, or a path into one. */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const member of path.split('.')) {
    value = isJsonObject(value) && Object.hasOwn(value, member) ? value[member] : undefined
  }
  return value
}

export function textClaim(claims: Readonly<Record<string, unknown>>, path: string): string {
  return asText(claimAt(claims, path))
}
