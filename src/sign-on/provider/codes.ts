import { mintFamily } from '../../auth/keys/refresh-value.ts'
import type { OidcGrant } from '../../auth/oidc-grants.ts'
import { type OneTimeParts, OneTimeRecords } from '../one-time-records.ts'
import { signOnRoot } from '../store-root.ts'

const place = { prefix: `${signOnRoot}oidc-codes/`, validForMs: 60_000 }
const form = /^([\w-]{22})\.([\w-]{43})$/

/** What a code stands for. */
export interface CodeContent {
  readonly grant: OidcGrant
  readonly challenge: string
  readonly authTimeMs: number
  /** The name of the key of the user's session. */
  readonly sessionKey: string
}

export type TakenCode =
  | { readonly outcome: 'taken'; readonly family: string; readonly content: CodeContent }
  /** The code was taken before, is too old, or never existed. */
  | { readonly outcome: 'over'; readonly family: string | undefined }

/**
 * Codes that applications exchange for tokens, once. Each code identifies the family of its tokens, even after it is
 * used up.
 */
export class AuthorizationCodes {
  readonly #records: OneTimeRecords<CodeContent>
  readonly #parts: OneTimeParts

  constructor(parts: OneTimeParts) {
    this.#parts = parts
    this.#records = new OneTimeRecords(parts, place)
  }

  async issue(content: CodeContent): Promise<string> {
    return `${mintFamily(this.#parts.random)}.${await this.#records.issue(content)}`
  }

  async take(code: string): Promise<TakenCode> {
    const [, family, secret = ''] = form.exec(code) ?? []
    const content = family === undefined ? undefined : await this.#records.take(secret)
    return family === undefined || content === undefined
      ? { outcome: 'over', family }
      : { outcome: 'taken', family, content }
  }
}
