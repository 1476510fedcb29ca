import { mintFamily } from '../../auth/keys/values/refresh-value.ts'
import type { OidcGrant } from '../../auth/oidc-grants.ts'
import { type HeldRecord, type OneTimeParts, OneTimeRecords } from '../stored/one-time-records.ts'
import { signOnRoot } from '../stored/store-root.ts'

const place = { prefix: `${signOnRoot}oidc-codes/`, validForMs: 60_000 }
const form = /^([\w-]{22})\.([\w-]{43})$/

/** What a code stands for. */
export interface CodeContent {
  readonly grant: OidcGrant
  readonly challenge: string
  readonly authTimeMs: number
  /** The uid of the key of the user's session. */
  readonly sessionUid: string
}

interface StoredCode extends CodeContent {
  readonly family: string
}

export type TakenCode =
  | {
      readonly outcome: 'taken'
      readonly family: string
      readonly content: CodeContent
      /** Call it when the tokens are there. False: the code was shown again meanwhile, so that nothing of it may stay. */
      readonly release: HeldRecord<CodeContent>['release']
    }
  /** The code was taken before, is too old, or never existed. */
  | { readonly outcome: 'over'; readonly family: string | undefined }

/**
 * Codes that applications exchange for tokens, once. Each code identifies the family of its tokens, even after it is
 * used up.
 */
export class AuthorizationCodes {
  readonly #records: OneTimeRecords<StoredCode>
  readonly #parts: OneTimeParts

  constructor(parts: OneTimeParts) {
    this.#parts = parts
    this.#records = new OneTimeRecords(parts, place)
  }

  async issue(content: CodeContent): Promise<string> {
    const family = mintFamily(this.#parts.random)
    return `${family}.${await this.#records.issue({ ...content, family })}`
  }

  async take(code: string): Promise<TakenCode> {
    const [, shown, secret = ''] = form.exec(code) ?? []
    const held = shown === undefined ? undefined : await this.#records.hold(secret)
    if (held === undefined) return { outcome: 'over', family: shown }
    const { record: content, release } = held
    const { family } = content
    // With another family, showing the code again would not end what it was exchanged for.
    return family === shown ? { outcome: 'taken', family, content, release } : { outcome: 'over', family }
  }
}
