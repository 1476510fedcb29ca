import type { Credential, UserInfo } from '../../api/access.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import type { AuthenticationResult, Authenticator, TokenSource } from '../contract.ts'
import type { KeyCheck, KeyIndex, KnownKey, OwnerDirectory, UsedValue } from './contract.ts'
import { KeyCredential } from './key-credential.ts'
import { createOwnerLookup, type OwnerLookup } from './key-owner.ts'
import { refusedKey } from './refusals.ts'

export interface AccessKeyAuthenticatorOptions {
  readonly index: KeyIndex
  readonly owners: OwnerDirectory
  readonly clock: Clock
  /** Told when a use has to be stored soon; see `dueFlushes` of the index. */
  readonly onFlushDue?: () => void
}

const unknown: AuthenticationResult = { outcome: 'unknown' }

/**
 * Takes bearer tokens that are access keys. Who is behind a key, and what they belong to, is looked up for every request,
 * so that a change counts at once. A use of a connection key is one of the key that it was made with. A caller who presents
 * the right secret is told why it is refused; all else is unknown, and so is a key that is being deleted or whose owner is gone.
 */
export function createAccessKeyAuthenticator(options: AccessKeyAuthenticatorOptions): Authenticator {
  const { index, owners, clock } = options
  const ownerOf = createOwnerLookup(owners)
  return {
    authenticateToken: (token, _audiences, source) => {
      const nowMs = clock.now()
      const check = index.check(token, nowMs)
      switch (check.state) {
        case 'valid':
          return authenticated(options, ownerOf, check, source, nowMs)
        case 'disabled':
          return refusedKey('KeyDisabled', check.key)
        case 'expired':
          return refusedKey('KeyExpired', check.key)
        case 'deleted':
        case 'unknown':
          return unknown
      }
    },
  }
}

type ValidKey = Extract<KeyCheck, { readonly state: 'valid' }>

/** Without a source the key is only asked about, not used. */
function authenticated(
  options: AccessKeyAuthenticatorOptions,
  ownerOf: OwnerLookup,
  { key, value, endsSoonMs }: ValidKey,
  source: TokenSource | undefined,
  nowMs: number,
): AuthenticationResult {
  const owner = ownerOf(key)
  if (owner === 'gone') return unknown
  if (owner === 'locked') return refusedKey('OwnerLocked', key)
  const startedWith = key.session?.startedWith
  const madeWith = startedWith?.kind === 'key' ? options.index.find(startedWith.uid) : undefined
  if (source !== undefined) {
    noteUse(options, key, value, source, nowMs)
    if (madeWith !== undefined) noteUse(options, madeWith, value, source, nowMs)
  }
  const user = userWith(owner, new KeyCredential(options.index, ownerOf, key, value, madeWith))
  if (endsSoonMs === undefined) return { outcome: 'authenticated', user }
  return { outcome: 'authenticated', user, warning: `the access key expires at ${timestamp(endsSoonMs)}` }
}

/** Written out: every decision on every request reads it. */
export function userWith({ name, uid, groups }: UserInfo, credential: Credential): UserInfo {
  return uid === undefined ? { name, groups, credential } : { name, uid, groups, credential }
}

function noteUse(
  { index, onFlushDue }: AccessKeyAuthenticatorOptions,
  { uid }: KnownKey,
  { which }: UsedValue,
  { address, userAgent }: TokenSource,
  nowMs: number,
): void {
  if (which === 'previous') index.notePreviousUser(uid, nowMs, address, userAgent)
  if (index.touch(uid, nowMs, address)) onFlushDue?.()
}
