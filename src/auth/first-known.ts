import type { AuthenticationResult, Authenticator, TokenSource } from './contract.ts'

const unknown: AuthenticationResult = { outcome: 'unknown' }

/** Asks the authenticators in order; the first that knows the token decides. */
export function firstKnown(authenticators: readonly Authenticator[]): Authenticator {
  return { authenticateToken: (token, audiences, source) => ask(authenticators, 0, token, audiences, source) }
}

/** Stays synchronous as long as the answers are: most tokens are known to the first authenticator. */
function ask(
  authenticators: readonly Authenticator[],
  from: number,
  token: string,
  audiences: readonly string[] | undefined,
  source: TokenSource | undefined,
): AuthenticationResult | Promise<AuthenticationResult> {
  for (let index = from; index < authenticators.length; index++) {
    const result = authenticators[index]?.authenticateToken(token, audiences, source) ?? unknown
    if (result instanceof Promise) {
      return result.then((late) =>
        late.outcome === 'unknown' ? ask(authenticators, index + 1, token, audiences, source) : late,
      )
    }
    if (result.outcome !== 'unknown') return result
  }
  return unknown
}
