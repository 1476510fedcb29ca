import type { UserInfo } from '../../api/access.ts'
import type { AuthenticationResult, Authenticator } from '../../auth/contract.ts'
import { userWith } from '../../auth/keys/authenticator.ts'
import { type AdminRecord, firstKeyName } from './admin-record.ts'

/**
 * For a server beside the platform with the same administrator: accepts only the administrator's key, under the same
 * conditions as the platform, and cuts open connections when the key ends. Key values never contain a dot, so tokens of
 * service accounts do not reach the platform and do not depend on its store.
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

/** Any user may reuse the name of a deleted key, and the key itself may have been limited since. */
function isAdministrator({ name, groups, credential }: UserInfo, administrator: UserInfo): boolean {
  const isWhole = credential?.scope === undefined && administrator.groups.every((group) => groups.includes(group))
  return name === administrator.name && isWhole
}
