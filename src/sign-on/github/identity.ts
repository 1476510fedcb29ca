import type { ConnectorSpec } from '../../api/types/management.ts'
import { textClaim } from '../claims/claim-path.ts'
import { groupsFrom } from '../claims/groups.ts'
import { keptClaims } from '../claims/kept-claims.ts'
import { shortText } from '../claims/short-text.ts'
import type { ProviderIdentity } from '../contract.ts'
import { SignOnFailure } from '../failure.ts'

type Json = Readonly<Record<string, unknown>>

/** What GitHub says about one user. */
export interface GithubAccount {
  readonly user: Json
  readonly emails: readonly Json[]
  readonly memberships: readonly Json[]
  readonly teams: readonly Json[]
}

/** The identity of an account, as the connector reads it. Free account names are given to others; numbers never are. */
export function githubIdentity(account: GithubAccount, spec: ConnectorSpec): ProviderIdentity {
  const { usernamePrefix = '', groupsPrefix = '', organizations = [] } = spec.github ?? {}
  const { user } = account
  if (typeof user.id !== 'number' || !Number.isSafeInteger(user.id) || user.id <= 0) {
    throw new SignOnFailure('untrusted', 'GitHub named no number of the account')
  }
  const groups = groupsIn(account, organizations)
  if (groups.length === 0) throw new SignOnFailure('not-allowed', 'the user is in none of spec.github.organizations')
  const userId = String(user.id)
  const preferredUsername = shortText(textClaim(user, 'name'))
  const email = shortText(verifiedEmail(account.emails))
  return {
    userId,
    username: usernamePrefix + (shortText(textClaim(user, 'login')) || userId),
    emailVerified: email !== '',
    ...(preferredUsername === '' ? {} : { preferredUsername }),
    ...(email === '' ? {} : { email }),
    groups: groupsFrom(groups, groupsPrefix, spec),
    extraClaims: keptClaims(user, spec.extraClaims ?? []),
  }
}

/** Only the primary mail address, and only if GitHub has verified it. A profile may show any address. */
function verifiedEmail(emails: readonly Json[]): string {
  const primary = emails.find(({ primary: isPrimary, verified }) => isPrimary === true && verified === true)
  return primary === undefined ? '' : textClaim(primary, 'email')
}

/** The configured organizations, and their teams. An invitation is not a membership. */
function groupsIn({ memberships, teams }: GithubAccount, organizations: readonly string[]): readonly string[] {
  const wanted = new Set(organizations.map((name) => name.toLowerCase()))
  const member = memberships
    .filter(({ state }) => state === 'active')
    .map((membership) => textClaim(membership, 'organization.login').toLowerCase())
    .filter((name) => wanted.has(name))
  const inTeams = teams
    .map((team) => ({ name: textClaim(team, 'organization.login').toLowerCase(), slug: textClaim(team, 'slug') }))
    .filter(({ name, slug }) => member.includes(name) && slug !== '')
  return [...new Set([...member, ...inTeams.map(({ name, slug }) => `${name}/${slug.toLowerCase()}`)])]
}
