import type { EnteredUser, RedeemedCode } from '../server/contract.ts'
import { type OneTimeParts, OneTimeRecords } from './one-time-records.ts'
import { signOnRoot } from './store-root.ts'
import { isVerifier } from './verifier.ts'

const place = { prefix: `${signOnRoot}codes/`, validForMs: 60_000 }

/** A sign-in that is done, until the one who began it comes for it. */
interface StoredCode {
  /** SHA-256 of the verifier, in base64url, as PKCE has it. */
  readonly challenge: string
  readonly use: RedeemedCode['use']
  readonly entered: EnteredUser
}

/** Codes that are good only together with what their owner has kept: seen in an address, they open nothing. */
export class OneTimeCodes {
  readonly #records: OneTimeRecords<StoredCode>

  constructor(parts: OneTimeParts) {
    this.#records = new OneTimeRecords(parts, place)
  }

  issue(entered: EnteredUser, challenge: string, use: RedeemedCode['use']): Promise<string> {
    return this.#records.issue({ challenge, use, entered })
  }

  /** Whatever is asked with it, a code is gone afterward. */
  async redeem({ code, verifier, use }: RedeemedCode): Promise<EnteredUser | undefined> {
    const stored = await this.#records.take(code)
    return stored?.use === use && isVerifier(verifier, stored.challenge) ? stored.entered : undefined
  }
}
