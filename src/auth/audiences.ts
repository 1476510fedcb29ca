import type { AuthenticationResult, Authenticator } from './contract.ts'

/** The wanted audiences that the token is meant for. */
export function sharedAudiences(wanted: readonly string[], meantFor: readonly string[]): readonly string[] {
  return wanted.filter((audience) => meantFor.includes(audience))
}

/** For tokens that name no audience: they are meant for this server, whose names are `serverAudiences`. */
export function forServerOnly(serverAudiences: readonly string[], authenticator: Authenticator): Authenticator {
  return {
    authenticateToken(token, audiences) {
      if (audiences === undefined) return authenticator.authenticateToken(token)
      const shared = sharedAudiences(audiences, serverAudiences)
      if (shared.length === 0) return { outcome: 'unknown' }
      const result = authenticator.authenticateToken(token)
      return result instanceof Promise ? result.then((late) => meantFor(late, shared)) : meantFor(result, shared)
    },
  }
}

function meantFor(result: AuthenticationResult, audiences: readonly string[]): AuthenticationResult {
  return result.outcome === 'authenticated' ? { ...result, audiences } : result
}
