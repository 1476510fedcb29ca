import type { AuthenticationResult, Authenticator } from '../../auth/contract.ts'
import { type Clock, timestamp } from '../../base/clock.ts'
import type { EndingSoon } from './ending-soon.ts'

/** Tells whoever uses a key that is about to end. */
export function warningOfTheEnd(authenticator: Authenticator, endingSoon: EndingSoon, clock: Clock): Authenticator {
  const warned = (result: AuthenticationResult): AuthenticationResult => {
    if (result.outcome !== 'authenticated' || result.user.credential === undefined) return result
    const endMs = endingSoon.endOf(result.user.credential.keyUid, clock.now())
    return endMs === undefined ? result : { ...result, warning: `the access key expires at ${timestamp(endMs)}` }
  }
  return {
    authenticateToken: (token, audiences, source) => {
      const result = authenticator.authenticateToken(token, audiences, source)
      return result instanceof Promise ? result.then(warned) : warned(result)
    },
  }
}
