import type { UserInfo } from '../../api/access.ts'
import type { AuthenticationResult, Authenticator } from '../../auth/contract.ts'
import { userWith } from '../../auth/keys/authenticator.ts'
import { type AdminRecord, firstKeyName } from './admin-record.ts'

/**
 * For a server beside the platform that has the same administrator: takes the administrator's key, as far as the platform
 * does, and no other. What it has opened is cut when the key ends. No value of ours has a dot: tokens of service accounts
 * are none of the platform's business, and do not depend on its store.
 */
export function firstKeyAuthenticator(
  platform: Authenticator,
  record: () => AdminRecord | undefined,
  administrator: UserInfo,
): Authenticator {
  return {
    authenticateToken: async (token, _audiences, source) => {
      if (token.includes('.')) return { outcome: 'unknown' }
      const result = await platform.authenticateToken(token, undefined, source)
      return ofFirstKey(result, record(), administrator)
    },
  }
}

function ofFirstKey(
  result: AuthenticationResult,
  record: AdminRecord | undefined,
  administrator: UserInfo,
): AuthenticationResult {
  const name = record && firstKeyName(record)
  if (result.outcome === 'unavailable') return result
  if (result.outcome === 'refused') return result.key?.keyName === name ? result : { outcome: 'unknown' }
  if (result.outcome === 'unknown' || name === undefined) return { outcome: 'unknown' }
  const { user } = result
  const { credential } = user
  if (credential?.keyName !== name || !isAdministrator(user, administrator)) return { outcome: 'unknown' }
  return { outcome: 'authenticated', user: userWith(administrator, credential) }
}

/** The name of a key that was deleted is free for every user, and the key itself may have been limited since. */
function isAdministrator({ name, groups, credential }: UserInfo, administrator: UserInfo): boolean {
  const isWhole = credential?.scope === undefined && administrator.groups.every((group) => groups.includes(group))
  return name === administrator.name && isWhole
}
