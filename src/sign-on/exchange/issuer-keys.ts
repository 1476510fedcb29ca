import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import type { TrustedIssuerSpec } from '../../api/types/management.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { createLimitedFetch, type LimitedFetch } from '../fetch/limited-fetch.ts'

/** A missing key is requested again, but not more often than this. */
const cooldownMs = 2_000
const keptForMs = 10 * 60_000

/** The current keys of an issuer: a new one is found when a token names it. */
export class IssuerKeys {
  readonly #spec: TrustedIssuerSpec
  readonly #fetch: LimitedFetch
  readonly #closeFetch: () => Promise<void>
  #found: Promise<JWTVerifyGetKey> | undefined

  constructor(spec: TrustedIssuerSpec) {
    this.#spec = spec
    const { issuer = '', caBundle } = spec
    const limits = { host: new URL(issuer).hostname, ...(caBundle ? { authorities: caBundle } : {}) }
    const { fetch, close } = createLimitedFetch(limits)
    this.#fetch = fetch
    this.#closeFetch = close
  }

  /** Rejects if the issuer does not say where they are. Concurrent callers share one request. */
  keySet(): Promise<JWTVerifyGetKey> {
    this.#found ??= this.#find().catch((error: unknown) => {
      this.#found = undefined
      throw error
    })
    return this.#found
  }

  close(): Promise<void> {
    return this.#closeFetch()
  }

  async #find(): Promise<JWTVerifyGetKey> {
    const { issuer = '', keys } = this.#spec
    if (keys) return createLocalJWKSet(JSON.parse(keys))
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const answer = await this.#fetch(address, { method: 'GET', headers: { accept: 'application/json' } })
    const told: unknown = answer.ok ? await answer.json() : undefined
    if (!isJsonObject(told) || told.issuer !== issuer || typeof told.jwks_uri !== 'string') {
      throw new Error(`${address} does not say where the keys of ${issuer} are`)
    }
    return createRemoteJWKSet(new URL(told.jwks_uri), {
      cooldownDuration: cooldownMs,
      cacheMaxAge: keptForMs,
      [customFetch]: (url, { method, headers, signal }) =>
        this.#fetch(url, { method, headers: Object.fromEntries(headers), signal }),
    })
  }
}
