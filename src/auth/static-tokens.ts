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
  /** Who has the token with this hash, now that the server has been started with what it has been started with. */
  holderOf(hash: string): UserInfo | undefined
}

export const authenticatedGroup = 'system:authenticated'

const unknown: AuthenticationResult = { outcome: 'unknown' }

/**
 * Tokens that are fixed when the server starts. Only their hashes are kept, and a token is looked up by its hash, so
 * that the time a look-up takes says nothing about how much of a guess was right.
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

/** Adds the group of everyone who has shown who they are, unless it is there. */
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
