import type { Credential, KeyScope, UserInfo } from '../../api/access.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import type { AuthenticationResult, Authenticator, TokenSource } from '../contract.ts'
import type { KeyCheck, KeyIndex, KeyOwner, KnownKey, OwnerDirectory, UsedValue } from './contract.ts'
import { type ActingUser, createOwnerLookup } from './key-owner.ts'

export interface AccessKeyAuthenticatorOptions {
  readonly index: KeyIndex
  readonly owners: OwnerDirectory
  readonly clock: Clock
  /** Told when a use has to be stored soon; see `dueFlushes` of the index. */
  readonly onFlushDue?: () => void
}

const unknown: AuthenticationResult = { outcome: 'unknown' }

const refusals = {
  KeyDisabled: 'the access key is disabled',
  KeyExpired: 'the access key has expired',
  OwnerLocked: 'the owner of the access key is locked',
} as const

/**
 * Takes bearer tokens that are access keys. Who is behind a key, and what they belong to, is looked up for every request,
 * so that a change counts at once. Whoever presents the right secret is told why it is refused; all else is unknown, and
 * so is a key that is being deleted or whose owner is gone.
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
          return refused('KeyDisabled', check.key)
        case 'expired':
          return refused('KeyExpired', check.key)
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
  if (owner === 'locked') return refused('OwnerLocked', key)
  if (source !== undefined) noteUse(options, key, value, source, nowMs)
  const user = userWith(owner, new KeyCredential(options.index, ownerOf, key, value))
  if (endsSoonMs === undefined) return { outcome: 'authenticated', user }
  return { outcome: 'authenticated', user, warning: `the access key expires at ${timestamp(endsSoonMs)}` }
}

/** Written out: every decision on every request reads it. */
function userWith({ name, uid, groups }: UserInfo, credential: Credential): UserInfo {
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

type OwnerLookup = (key: KnownKey) => ActingUser

/**
 * Most requests never ask for the signal, so it is made for those that do. The key may have changed by then: what was
 * allowed by the one before is void already.
 */
class KeyCredential implements Credential {
  readonly #index: KeyIndex
  readonly #ownerOf: OwnerLookup
  readonly #owner: KeyOwner
  readonly #groups: readonly string[]
  readonly keyName: string
  readonly keyUid: string
  readonly keyId: string
  declare readonly scope?: KeyScope

  constructor(index: KeyIndex, ownerOf: OwnerLookup, { name, uid, scope, owner, groups }: KnownKey, value: UsedValue) {
    this.#index = index
    this.#ownerOf = ownerOf
    this.#owner = owner
    this.#groups = groups
    this.keyName = name
    this.keyUid = uid
    this.keyId = value.keyId
    if (scope !== undefined) this.scope = scope
  }

  get revoked(): AbortSignal {
    const key = this.#index.find(this.keyUid)
    if (key === undefined || !this.#isSame(key)) return AbortSignal.abort(new Error('The access key has changed.'))
    return this.#index.revokedSignal(this.keyUid, this.keyId)
  }

  /** Equal parts of keys are the same objects. */
  #isSame(key: KnownKey): boolean {
    const isUnchanged = key.scope === this.scope && key.owner === this.#owner && key.groups === this.#groups
    return isUnchanged && typeof this.#ownerOf(key) !== 'string'
  }
}

function refused(causeReason: keyof typeof refusals, { name, keyId }: KnownKey): AuthenticationResult {
  return { outcome: 'refused', message: refusals[causeReason], causeReason, key: { keyName: name, keyId } }
}
