import type { Clock } from '../base/clock.ts'
import type { IssuedToken, TokenGrant, TokenIssuer } from './service-account-issuer.ts'

/**
 * Requests that are refused before they are stored must not keep processors busy with signatures: beyond this, tokens
 * are signed on request.
 */
const most = 4
const freshMs = 5_000

interface Begun {
  readonly atMs: number
  readonly token: Promise<IssuedToken>
}

/**
 * Tokens that are signed while the object they are bound to is being stored. Each is returned once, to a caller that is
 * granted exactly this token.
 */
export class TokensAhead {
  readonly #issue: TokenIssuer
  readonly #clock: Clock
  readonly #begun = new Map<string, Begun>()

  constructor(issue: TokenIssuer, clock: Clock) {
    this.#issue = issue
    this.#clock = clock
  }

  begin(grant: TokenGrant): void {
    for (const [key, begun] of this.#begun) if (!this.#isFresh(begun)) this.#begun.delete(key)
    const key = keyOf(grant)
    if (this.#begun.size >= most || this.#begun.has(key)) return
    const begun = { atMs: this.#clock.now(), token: this.#issue(grant) }
    this.#begun.set(key, begun)
    // A caller that waits for it gets the error; for the next caller it is signed again.
    begun.token.catch(() => {
      if (this.#begun.get(key) === begun) this.#begun.delete(key)
    })
  }

  issue: TokenIssuer = (grant) => {
    const key = keyOf(grant)
    const begun = this.#begun.get(key)
    this.#begun.delete(key)
    return begun !== undefined && this.#isFresh(begun) ? begun.token : this.#issue(grant)
  }

  /** The clock may be set back. */
  #isFresh({ atMs }: Begun): boolean {
    const ageMs = this.#clock.now() - atMs
    return ageMs >= 0 && ageMs < freshMs
  }
}

function keyOf({ namespace, serviceAccount, audiences, expirationSeconds, boundTo = [] }: TokenGrant): string {
  const bound = boundTo.map(({ kind, name, uid }) => [kind, name, uid])
  return JSON.stringify([namespace, serviceAccount.name, serviceAccount.uid, audiences, expirationSeconds, bound])
}
