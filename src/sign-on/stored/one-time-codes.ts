import type { EnteredUser, RedeemedCode } from '../../server/contract.ts'
import { type OneTimeParts, OneTimeRecords } from './one-time-records.ts'
import { signOnRoot } from './store-root.ts'
import { isVerifier } from './verifier.ts'

const place = { prefix: `${signOnRoot}codes/`, validForMs: 60_000 }
/** As long as a command waits: its user confirms before it gets the code. */
export const commandWaitsMs = 5 * 60_000

/** A finished sign-in, until its initiator fetches it. */
interface StoredCode {
  /** SHA-256 of the verifier, in base64url, as in PKCE. */
  readonly challenge: string
  readonly use: RedeemedCode['use']
  readonly entered: EnteredUser
}

/** Codes that are valid only together with their owner's verifier: seen in a URL, they are useless. */
export class OneTimeCodes {
  readonly #records: OneTimeRecords<StoredCode>

  constructor(parts: OneTimeParts) {
    this.#records = new OneTimeRecords(parts, place)
  }

  issue(entered: EnteredUser, challenge: string, use: RedeemedCode['use']): Promise<string> {
    return this.#records.issue({ challenge, use, entered }, use === 'key' ? commandWaitsMs : place.validForMs)
  }

  /** A code is used up by any attempt. */
  async redeem({ code, verifier, use }: RedeemedCode): Promise<EnteredUser | undefined> {
    const stored = await this.#records.take(code)
    return stored?.use === use && isVerifier(verifier, stored.challenge) ? stored.entered : undefined
  }
}
