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
  /** Called when a use must be stored soon; see `dueFlushes` of the index. */
  readonly onFlushDue?: () => void
}

const unknown: AuthenticationResult = { outcome: 'unknown' }

/**
 * Accepts bearer tokens that are access keys. The owner of a key and their memberships are looked up for every request,
 * so that a change takes effect at once. A use of a connection key counts as a use of the key it was made with. A
 * caller with the right secret learns why it is refused; every other token is unknown, including keys that are being
 * deleted or whose owner was deleted.
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

/** Without a source, the key is only reviewed, not used. */
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

/** Written out for speed: every decision of every request reads it. */
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
