import type { ConnectorSpec, OidcConnector } from '../../api/types/management.ts'
import { claimAt, textClaim } from '../claims/claim-path.ts'
import { groupsFrom } from '../claims/groups.ts'
import { keptClaims } from '../claims/kept-claims.ts'
import { longestName, shortText } from '../claims/short-text.ts'
import type { ProviderIdentity } from '../contract.ts'
import { SignOnFailure } from '../failure.ts'

type Claims = Readonly<Record<string, unknown>>
type ClaimPaths = NonNullable<OidcConnector['claims']>

/** The identity in a provider's claims, as the connector reads them. */
export function identityFrom(claims: Claims, spec: ConnectorSpec): ProviderIdentity {
  const { claims: paths = {}, usernamePrefix = '', groupsPrefix = '' } = spec.oidc ?? {}
  const userId = textClaim(claims, 'sub')
  if (userId === '' || userId.length > longestName) {
    throw new SignOnFailure('untrusted', 'the provider named no subject, or one that is too long')
  }
  const email = shortText(textClaim(claims, paths.email ?? 'email'))
  const emailVerified = isVerified(claims, paths)
  const preferredUsername = shortText(textClaim(claims, paths.preferredUsername ?? 'name'))
  const username = usernameFrom(claims, paths.username, emailVerified ? email : '') || userId
  return {
    userId,
    username: usernamePrefix + username,
    emailVerified,
    ...(preferredUsername === '' ? {} : { preferredUsername }),
    ...(email === '' ? {} : { email }),
    groups: groupsFrom(claimAt(claims, paths.groups ?? 'groups'), groupsPrefix, spec),
    extraClaims: keptClaims(claims, spec.extraClaims ?? []),
  }
}

/** The ID token takes precedence. Only the response that names a mail address says whether it is verified. */
export function mergedClaims(userInfo: Claims = {}, idToken: Claims = {}): Claims {
  const [naming, other] = idToken.email === undefined ? [userInfo, idToken] : [idToken, userInfo]
  const isNamedByBoth = naming.email === other.email
  const { email_verified: verified = isNamedByBoth ? other.email_verified : undefined } = naming
  return { ...userInfo, ...idToken, email_verified: verified }
}

/** `email_verified` refers to `email`: it says nothing about another claim, which users may be able to write. */
function isVerified(claims: Claims, { email = 'email', emailVerified }: ClaimPaths): boolean {
  const path = emailVerified ?? (email === 'email' ? 'email_verified' : undefined)
  const told = path === undefined ? undefined : claimAt(claims, path)
  return told === true || told === 'true'
}

/** A mail address that the provider has not verified may be anyone's, and names no user. */
function usernameFrom(claims: Claims, path: string | undefined, verifiedEmail: string): string {
  if (path === 'email') return verifiedEmail
  if (path !== undefined) return shortText(textClaim(claims, path))
  return shortText(textClaim(claims, 'preferred_username')) || verifiedEmail
}
