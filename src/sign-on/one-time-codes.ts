import { hash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import type { EnteredUser, RedeemedCode } from '../server/contract.ts'
import type { Store } from '../storage/contract.ts'
import { signOnRoot } from './store-root.ts'
import { isVerifier } from './verifier.ts'

const codesPrefix = `${signOnRoot}codes/`
const validForMs = 60_000
const mostSwept = 100

/** A sign-in that is done, until the one who began it comes for it. */
interface StoredCode {
  /** SHA-256 of the verifier, in base64url, as PKCE has it. */
  readonly challenge: string
  readonly use: RedeemedCode['use']
  readonly validUntilMs: number
  readonly entered: EnteredUser
}

export interface CodeParts {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
}

/**
 * Codes that are good once, for a minute, and only together with what their owner has kept: seen in an address, they open
 * nothing. In the store, so that any replica takes them; under their hash, so that who reads the store cannot use them.
 */
export class OneTimeCodes {
  readonly #parts: CodeParts

  constructor(parts: CodeParts) {
    this.#parts = parts
  }

  async issue(entered: EnteredUser, challenge: string, use: RedeemedCode['use']): Promise<string> {
    const { store, clock, random } = this.#parts
    await this.#sweep()
    const code = Buffer.from(random.bytes(32)).toString('base64url')
    const stored: StoredCode = { challenge, use, validUntilMs: clock.now() + validForMs, entered }
    await store.create(keyOf(code), Buffer.from(JSON.stringify(stored)))
    return code
  }

  /** Whatever is asked with it, a code is gone afterwards. */
  async redeem({ code, verifier, use }: RedeemedCode): Promise<EnteredUser | undefined> {
    const { store, clock } = this.#parts
    const found = await store.get(keyOf(code))
    if (found === undefined) return undefined
    const { outcome } = await store.delete(found.key, found.revision)
    if (outcome !== 'written') return undefined
    const stored = readStored(found.value)
    const isGood = clock.now() < stored.validUntilMs && stored.use === use && isVerifier(verifier, stored.challenge)
    return isGood ? stored.entered : undefined
  }

  /** Codes that were not fetched go with the next ones. */
  async #sweep(): Promise<void> {
    const { store, clock } = this.#parts
    const { items } = await store.list(codesPrefix, { limit: mostSwept })
    const old = items.filter(({ value }) => readStored(value).validUntilMs <= clock.now())
    await Promise.all(old.map(({ key, revision }) => store.delete(key, revision)))
  }
}

function keyOf(code: string): string {
  return codesPrefix + hash('sha256', code, 'base64url')
}

/** Written here alone. */
function readStored(value: Uint8Array): StoredCode {
  return JSON.parse(Buffer.from(value).toString())
}
