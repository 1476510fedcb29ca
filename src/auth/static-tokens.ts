import { hash } from 'node:crypto'
import type { UserInfo } from '../api/access.ts'
import type { AuthenticationResult, Authenticator } from './contract.ts'

export interface StaticToken {
  readonly token: string
  readonly name: string
  readonly uid?: string
  readonly groups?: readonly string[]
}

export const authenticatedGroup = 'system:authenticated'

const unknown: AuthenticationResult = { outcome: 'unknown' }

/**
 * Tokens that are fixed when the server starts. Only their hashes are kept, and a token is looked up by its hash, so
 * that the time a look-up takes says nothing about how much of a guess was right.
 */
export function createStaticTokenAuthenticator(tokens: readonly StaticToken[]): Authenticator {
  const byHash = new Map<string, AuthenticationResult>()
  for (const each of tokens) {
    if (each.token === '') throw new Error(`The token of user ${each.name} is empty.`)
    byHash.set(tokenHash(each.token), { outcome: 'authenticated', user: userOf(each) })
  }
  return { authenticateToken: (token) => byHash.get(tokenHash(token)) ?? unknown }
}

/** Adds the group of everyone who has shown who they are, unless it is there. */
export function withAuthenticatedGroup(groups: readonly string[]): readonly string[] {
  return groups.includes(authenticatedGroup) ? groups : [...groups, authenticatedGroup]
}

function userOf({ name, uid, groups }: StaticToken): UserInfo {
  return {
    name,
    ...(uid === undefined || uid === '' ? {} : { uid }),
    groups: withAuthenticatedGroup(groups ?? []),
  }
}

function tokenHash(token: string): string {
  return hash('sha256', token, 'base64')
}
