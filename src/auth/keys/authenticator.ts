import type { Credential, UserInfo } from '../../api/access.ts'
import type { Clock } from '../../base/clock.ts'
import type { AuthenticationResult, Authenticator, TokenSource } from '../contract.ts'
import type { KeyIndex, KnownKey, OwnerDirectory, UsedValue } from './contract.ts'
import { ownerOf } from './key-owner.ts'

export interface AccessKeyAuthenticatorOptions {
  readonly index: KeyIndex
  readonly owners: OwnerDirectory
  readonly clock: Clock
  /** Told when a use has to be stored soon; see `dueFlushes` of the index. */
  readonly onFlushDue?: () => void
}

const unknown: AuthenticationResult = { outcome: 'unknown' }
const disabled = refused('KeyDisabled', 'the access key is disabled')
const expired = refused('KeyExpired', 'the access key has expired')
const ownerLocked = refused('OwnerLocked', 'the owner of the access key is locked')

/**
 * Takes bearer tokens that are access keys. Who is behind a key, and what they belong to, is looked up for every request,
 * so that a change counts at once. Whoever presents the right secret is told why it is refused; all else is unknown, and
 * so is a key that is being deleted or whose owner is gone.
 */
export function createAccessKeyAuthenticator(options: AccessKeyAuthenticatorOptions): Authenticator {
  const { index, clock } = options
  return {
    authenticateToken: (token, _audiences, source) => {
      const nowMs = clock.now()
      const check = index.check(token, nowMs)
      switch (check.state) {
        case 'valid':
          return authenticated(options, check.key, check.value, source, nowMs)
        case 'disabled':
          return disabled
        case 'expired':
          return expired
        case 'deleted':
        case 'unknown':
          return unknown
      }
    },
  }
}

/** Without a source the key is only asked about, not used. */
function authenticated(
  options: AccessKeyAuthenticatorOptions,
  key: KnownKey,
  value: UsedValue,
  source: TokenSource | undefined,
  nowMs: number,
): AuthenticationResult {
  const { index, owners } = options
  const owner = ownerOf(key, owners)
  if (owner === 'gone') return unknown
  if (owner === 'locked') return ownerLocked
  if (source !== undefined) noteUse(options, key, value, source, nowMs)
  const user: UserInfo = { ...owner, credential: credentialOf(index, key, value) }
  return { outcome: 'authenticated', user }
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

/** Most requests never ask for the signal, so it is made for those that do. */
function credentialOf(index: KeyIndex, { name, uid, scope }: KnownKey, { keyId }: UsedValue): Credential {
  return {
    keyName: name,
    keyUid: uid,
    keyId,
    ...(scope === undefined ? {} : { scope }),
    get revoked() {
      return index.revokedSignal(uid, keyId)
    },
  }
}

function refused(causeReason: string, message: string): AuthenticationResult {
  return { outcome: 'refused', message, causeReason }
}
