import { timestamp } from '../../base/clock.ts'
import type { AuthenticationResult, TokenSource } from '../contract.ts'
import type { StaticTokens } from '../static-tokens.ts'
import { type AccessKeyAuthenticatorOptions, userWith } from './authenticator.ts'
import type { KeyCheck, KnownKey } from './contract.ts'
import { KeyCredential } from './key-credential.ts'
import { createOwnerLookup, type OwnerLookup } from './key-owner.ts'
import { refusedKey } from './refusals.ts'
import { hashSession, type SessionHalves } from './values/session-value.ts'

export interface SessionAuthenticatorOptions extends AccessKeyAuthenticatorOptions {
  /** The tokens the server was started with. */
  readonly tokens: Pick<StaticTokens, 'holderOf'>
}

/** Authenticates a session. Neither half of it, nor both, are accepted as a bearer token. */
export type AuthenticateSession = (halves: SessionHalves, source: TokenSource) => AuthenticationResult

const unknown: AuthenticationResult = { outcome: 'unknown' }

/**
 * A session acts as its owner while the credential it was started with would be accepted. Its use counts as a use of
 * the key it was started with.
 */
export function createSessionAuthenticator(options: SessionAuthenticatorOptions): AuthenticateSession {
  const { index, owners, clock } = options
  const ownerOf = createOwnerLookup(owners)
  return (halves, source) => {
    const check = index.checkSession(hashSession(halves), clock.now())
    switch (check.state) {
      case 'valid':
        return authenticated(options, ownerOf, check, source)
      case 'disabled':
        return refusedKey(isSession(check.key) ? 'SessionDisabled' : 'KeyDisabled', check.key)
      case 'expired':
        return refusedKey(isSession(check.key) ? 'SessionExpired' : 'KeyExpired', check.key)
      case 'deleted':
      case 'unknown':
        return unknown
    }
  }
}

type ValidSession = Extract<KeyCheck, { readonly state: 'valid' }>

function authenticated(
  options: SessionAuthenticatorOptions,
  ownerOf: OwnerLookup,
  { key: session, value, endsSoonMs }: ValidSession,
  { address }: TokenSource,
): AuthenticationResult {
  const { index, tokens, clock, onFlushDue } = options
  const startedWith = session.session?.startedWith
  if (startedWith === undefined) return unknown
  const lookup: OwnerLookup = startedWith.kind === 'token' ? () => tokens.holderOf(startedWith.hash) ?? 'gone' : ownerOf
  const person = lookup(session)
  if (person === 'gone') return unknown
  const key = startedWith.kind === 'key' ? index.find(startedWith.uid) : undefined
  if (person === 'locked') return refusedKey('OwnerLocked', key ?? session)
  for (const { uid } of [session, ...(key === undefined ? [] : [key])]) {
    if (index.touch(uid, clock.now(), address)) onFlushDue?.()
  }
  const user = userWith(person, new KeyCredential(index, lookup, session, value, key))
  if (endsSoonMs === undefined) return { outcome: 'authenticated', user }
  return { outcome: 'authenticated', user, warning: `the session ends at ${timestamp(endsSoonMs)}` }
}

/** The key responsible for a refusal may be the one that the session was started with. */
function isSession({ session }: KnownKey): boolean {
  return session !== undefined
}
