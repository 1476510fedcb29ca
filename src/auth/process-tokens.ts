import type { UserInfo } from '../api/access.ts'
import type { Random } from '../base/random.ts'
import type { Authenticator } from './contract.ts'
import { tokenHash, withAuthenticatedGroup } from './static-tokens.ts'

const tokenBytes = 32

/** Tokens of clients in the server's own process: created while it runs, stored nowhere, gone with it. */
export class ProcessTokens implements Authenticator {
  readonly #random: Random
  readonly #byHash = new Map<string, UserInfo>()

  constructor(random: Random) {
    this.#random = random
  }

  issue({ name, groups }: UserInfo): string {
    const token = Buffer.from(this.#random.bytes(tokenBytes)).toString('base64url')
    this.#byHash.set(tokenHash(token), { name, groups: withAuthenticatedGroup(groups) })
    return token
  }

  authenticateToken(token: string) {
    const user = this.#byHash.get(tokenHash(token))
    return user === undefined ? ({ outcome: 'unknown' } as const) : ({ outcome: 'authenticated', user } as const)
  }
}
