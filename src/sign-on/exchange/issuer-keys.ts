import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { TrustedIssuerSpec } from '../../api/types/management.ts'
import { type Clock, neverBack } from '../../base/clock.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { createLimitedFetch, type LimitedFetch } from '../fetch/limited-fetch.ts'

/** How often, at most, an issuer is asked because a key is missing, or again after a failure. */
const cooldownMs = 2_000
const keptForMs = 10 * 60_000
const patienceMs = 10_000

/** The current keys of an issuer: a new one is found when a token names it, wherever the issuer keeps its keys by then. */
export class IssuerKeys {
  readonly #spec: TrustedIssuerSpec
  readonly #elapsed: Clock
  readonly #fetch: LimitedFetch
  readonly #closeFetch: () => Promise<void>
  #known: { readonly keys: JWTVerifyGetKey; readonly atMs: number } | undefined
  #failed: { readonly error: unknown; readonly atMs: number } | undefined
  /** Shared by all who wait. */
  #asking: Promise<JWTVerifyGetKey> | undefined

  constructor(spec: TrustedIssuerSpec, clock: Clock) {
    this.#spec = spec
    this.#elapsed = neverBack(clock)
    const { issuer = '', caBundle } = spec
    const limits = { host: new URL(issuer).hostname, ...(caBundle ? { authorities: caBundle } : {}) }
    const { fetch, close } = createLimitedFetch(limits)
    this.#fetch = fetch
    this.#closeFetch = close
  }

  /** Rejects with an error of the library if the fault is that of the token, and with another if it is the issuer's. */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    try {
      return await (await this.#keys(keptForMs))(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return (await this.#keys(cooldownMs))(header, token)
    }
  }

  close(): Promise<void> {
    return this.#closeFetch()
  }

  async #keys(forMs: number): Promise<JWTVerifyGetKey> {
    const nowMs = this.#elapsed.now()
    if (this.#known !== undefined && nowMs - this.#known.atMs < forMs) return this.#known.keys
    if (this.#failed !== undefined && nowMs - this.#failed.atMs < cooldownMs) throw this.#failed.error
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(): Promise<JWTVerifyGetKey> {
    try {
      const keys = await this.#find()
      this.#known = { keys, atMs: this.#elapsed.now() }
      return keys
    } catch (error) {
      this.#failed = { error, atMs: this.#elapsed.now() }
      throw error
    }
  }

  async #find(): Promise<JWTVerifyGetKey> {
    const { issuer = '', keys } = this.#spec
    if (keys) return keySetOf(JSON.parse(keys), issuer)
    const signal = AbortSignal.timeout(patienceMs)
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const told = await this.#answerOf(address, signal)
    if (!isJsonObject(told) || told.issuer !== issuer || typeof told.jwks_uri !== 'string') {
      throw new Error(`${address} does not say where the keys of ${issuer} are`)
    }
    return keySetOf(await this.#answerOf(told.jwks_uri, signal), told.jwks_uri)
  }

  async #answerOf(address: string, signal: AbortSignal): Promise<unknown> {
    const headers = { accept: 'application/json, application/jwk-set+json' }
    const answer = await this.#fetch(address, { method: 'GET', headers, signal })
    if (answer.status !== 200) throw new Error(`${address} answers with ${answer.status}`)
    return answer.json()
  }
}

function keySetOf(value: unknown, where: string): JWTVerifyGetKey {
  try {
    return createLocalJWKSet(value as Parameters<typeof createLocalJWKSet>[0])
  } catch {
    throw new Error(`${where} holds no set of keys`)
  }
}
