import type { Credential } from '../../../api/access.ts'
import type { KeyLimits } from '../../proxy/lasting-credentials.ts'
import type { KeyParts } from '../parts.ts'
import { specOf } from '../record/access-key.ts'

/** The limits of the key in use besides the rights of its owner. A key that is not known is limited in every way. */
export function keyLimits(
  { storedKey, index, clock }: Pick<KeyParts, 'storedKey' | 'index' | 'clock'>,
  { keyName, keyUid, scope }: Credential,
): KeyLimits {
  const key = storedKey(keyName)?.object
  if (key?.metadata.uid !== keyUid) return { isLimited: true, leftSeconds: 0 }
  const endMs = index.expiresAtMs(keyUid) ?? Number.POSITIVE_INFINITY
  return {
    isLimited: scope !== undefined || (specOf(key).ttl ?? 0) > 0,
    leftSeconds: (endMs - clock.now()) / 1000,
  }
}
