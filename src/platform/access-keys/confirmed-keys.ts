import type { AuthenticationResult, Authenticator } from '../../auth/contract.ts'
import { keyPrefix } from '../../auth/keys/values/key-value.ts'
import type { Confirmation } from '../../registry/confirmation.ts'

/** Cause of a refusal: the replica cannot tell whether the key is still valid. */
const keysUnconfirmed = 'KeysUnconfirmed'

const unavailable: AuthenticationResult = {
  outcome: 'unavailable',
  message:
    'this replica of the platform has lost touch with its store and cannot tell whether the access key is still good, please try again',
  causeReason: keysUnconfirmed,
  retryAfterSeconds: 1,
}

/**
 * Accepts keys only while the state of this replica is confirmed: a replica that is cut off from the store would keep
 * accepting revoked keys. Tokens that are not access keys pass through.
 */
export function confirmedKeys(
  keys: Authenticator,
  confirmation: Pick<Confirmation, 'holds' | 'held'>,
  isKnown: (token: string) => boolean,
): Authenticator {
  return {
    authenticateToken: (token, audiences, source) => {
      if (!token.startsWith(keyPrefix) && !isKnown(token)) return { outcome: 'unknown' }
      return whenConfirmed(confirmation, () => keys.authenticateToken(token, audiences, source))
    },
  }
}

type Asked = AuthenticationResult | Promise<AuthenticationResult>

/** Runs `ask` once what this replica knows is confirmed; if it cannot be confirmed, the answer is `unavailable`. */
export function whenConfirmed(confirmation: Pick<Confirmation, 'holds' | 'held'>, ask: () => Asked): Asked {
  if (confirmation.holds()) return ask()
  return confirmation.held().then((isHeld) => (isHeld ? ask() : unavailable))
}
