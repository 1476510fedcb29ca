import type { JsonObject } from '../../api/object.ts'
import type { ConnectorSpec } from '../../api/types/management.ts'
import { claimAt, textClaim } from '../claim-path.ts'
import type { ProviderIdentity } from '../contract.ts'
import { SignOnFailure } from '../failure.ts'
import { groupsFrom } from '../groups.ts'

type Claims = Readonly<Record<string, unknown>>

const longestText = 253
const longestClaims = 4_096

/** Who the claims of a provider are about, as the connector reads them. */
export function identityFrom(claims: Claims, spec: ConnectorSpec): ProviderIdentity {
  const { claims: paths = {}, usernamePrefix = '', groupsPrefix = '' } = spec.oidc ?? {}
  const userId = textClaim(claims, 'sub')
  if (userId === '' || userId.length > longestText) {
    throw new SignOnFailure('untrusted', 'the provider named no subject, or one that is too long')
  }
  const email = short(textClaim(claims, paths.email ?? 'email'))
  const emailVerified = claims.email_verified === true || claims.email_verified === 'true'
  const preferredUsername = short(textClaim(claims, paths.preferredUsername ?? 'name'))
  const username = usernameFrom(claims, paths.username, emailVerified ? email : '') || userId
  return {
    userId,
    username: usernamePrefix + username,
    emailVerified,
    ...(preferredUsername === '' ? {} : { preferredUsername }),
    ...(email === '' ? {} : { email }),
    groups: groupsFrom(claimAt(claims, paths.groups ?? 'groups'), groupsPrefix, spec),
    extraClaims: extraClaims(claims, spec.extraClaims ?? []),
  }
}

/** A mail address that the provider has not verified may be anyone's, and names no user. */
function usernameFrom(claims: Claims, path: string | undefined, verifiedEmail: string): string {
  if (path === 'email') return verifiedEmail
  if (path !== undefined) return short(textClaim(claims, path))
  return short(textClaim(claims, 'preferred_username')) || verifiedEmail
}

function short(text: string): string {
  return text.length <= longestText ? text : ''
}

function extraClaims(claims: Claims, names: readonly string[]): JsonObject {
  const found = names.flatMap((name) => {
    const value = claimAt(claims, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const kept = JSON.stringify(Object.fromEntries(found))
  if (kept.length <= longestClaims) return JSON.parse(kept)
  throw new SignOnFailure('misconfigured', `the claims of extraClaims are longer than ${longestClaims} characters`)
}
