import { hash } from 'node:crypto'
import type { UserInfo } from '../api/access.ts'
import type { AuthenticationResult, Authenticator } from './contract.ts'

export interface StaticToken {
  readonly token: string
  readonly name: string
  readonly uid?: string
  readonly groups?: readonly string[]
}

export interface StaticTokens extends Authenticator {
  /** The user whose token has this hash, among the tokens that the server was started with. */
  holderOf(hash: string): UserInfo | undefined
}

export const authenticatedGroup = 'system:authenticated'

const unknown: AuthenticationResult = { outcome: 'unknown' }

/**
 * Tokens that are fixed when the server starts. Only their hashes are kept, and a token is looked up by its hash, so
 * that the time of a lookup does not reveal how much of a guess was right.
 */
export function createStaticTokenAuthenticator(tokens: readonly StaticToken[]): StaticTokens {
  const byHash = new Map<string, UserInfo>()
  for (const each of tokens) {
    if (each.token === '') throw new Error(`The token of user ${each.name} is empty.`)
    byHash.set(tokenHash(each.token), userOf(each))
  }
  return {
    authenticateToken: (token) => {
      const user = byHash.get(tokenHash(token))
      return user === undefined ? unknown : { outcome: 'authenticated', user }
    },
    holderOf: (hash) => byHash.get(hash),
  }
}

/** Adds the group of all authenticated users if it is missing. */
export function withAuthenticatedGroup(groups: readonly string[]): readonly string[] {
  return groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup]
}

function userOf({ name, uid, groups }: Omit<StaticToken, 'token'>): UserInfo {
  return {
    name,
    ...(uid === undefined || uid === '' ? {} : { uid }),
    groups: withAuthenticatedGroup(groups ?? []),
  }
}

export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64')
}
