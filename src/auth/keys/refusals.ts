import type { AuthenticationResult } from '../contract.ts'
import type { KnownKey } from './contract.ts'

const texts = {
  KeyDisabled: 'the access key is disabled',
  KeyExpired: 'the access key has expired',
  OwnerLocked: 'the owner of the access key is locked',
  SessionDisabled: 'the session is disabled',
  SessionExpired: 'the session has expired',
} as const

/** A caller that presents the right secret learns why it is refused. */
export function refusedKey(causeReason: keyof typeof texts, { name, keyId }: KnownKey): AuthenticationResult {
  return { outcome: 'refused', message: texts[causeReason], causeReason, key: { keyName: name, keyId } }
}
