import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { ExchangeRule, TrustedIssuer, TrustedIssuerSpec } from '../../api/types/management.ts'
import { unverifiedClaims } from '../../auth/jwt.ts'
import type { Clock } from '../../base/clock.ts'
import { LeakyBuckets } from '../../base/leaky-buckets.ts'
import type { Log } from '../../base/log.ts'
import { networkOf } from '../../base/network/network-of.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { ExchangedToken, ExchangeOutcome } from '../../server/contract.ts'
import type { Store } from '../../storage/contract.ts'
import { printable } from '../claims/printable.ts'
import { UsedOnce } from '../stored/used-once.ts'
import { ruleFor } from './exchange-rule.ts'
import { IssuerKeys } from './issuer-keys.ts'

export interface TokenExchangeParts {
  readonly issuers: () => ResourceContext
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** Never an HMAC: the keys of an issuer are public. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const clockSkewSeconds = 300
const defaultSeconds = 900
const longestRememberedMs = 24 * 3600 * 1000
/** For one network, which may be that of a whole CI system. */
const turns = { burst: 300, refillMs: 100, most: 10_000 }

interface KnownIssuer {
  readonly name: string
  readonly version: string
  readonly spec: TrustedIssuerSpec
}

interface Built {
  readonly version: string
  readonly keys: IssuerKeys
}

/** Exchanges the tokens of machines for access keys. */
export class TokenExchange {
  readonly #parts: TokenExchangeParts
  readonly #used: UsedOnce
  readonly #turns: LeakyBuckets
  readonly #built = new Map<string, Built>()

  constructor(parts: TokenExchangeParts) {
    this.#parts = parts
    this.#used = new UsedOnce(parts.store, parts.clock, 'exchanged')
    this.#turns = new LeakyBuckets({ clock: parts.clock, ...turns })
  }

  async exchange(token: string, address: string): Promise<ExchangeOutcome> {
    const waitMs = this.#turns.add(networkOf(address, 48))
    if (waitMs > 0) return { outcome: 'too-many', retryAfterSeconds: Math.ceil(waitMs / 1000) }
    const claimed = unverifiedClaims(token)
    const issuers = this.#issuersOf(claimed?.iss)
    if (issuers.length === 0) return this.#refused('', 'the token is not from a trusted issuer')
    let last: ExchangeOutcome = { outcome: 'refused' }
    for (const issuer of issuers) {
      last = await this.#tried(token, issuer)
      if (last.outcome === 'exchanged') return last
    }
    return last
  }

  async close(): Promise<void> {
    await Promise.all([...this.#built.values()].map(({ keys }) => keys.close()))
  }

  /** Several may trust one issuer, for different audiences. Sorted by name. */
  #issuersOf(issuer: unknown): readonly KnownIssuer[] {
    const all = [...this.#parts.issuers().cache.current().values()].map(({ object, resourceVersion }) => {
      const { metadata, spec = {} } = object as TrustedIssuer
      return { name: metadata.name ?? '', version: `${metadata.uid} ${resourceVersion}`, spec }
    })
    return all
      .filter(({ spec }) => spec.disabled !== true && spec.issuer !== undefined && spec.issuer === issuer)
      .sort((a, b) => a.name.localeCompare(b.name))
  }

  async #tried(token: string, { name, version, spec }: KnownIssuer): Promise<ExchangeOutcome> {
    const claims = await this.#verified(token, this.#keysOf(name, version, spec), spec)
    if ('outcome' in claims)
      return claims.outcome === 'away' ? this.#away(name, claims.reason) : this.#refused(name, claims.reason)
    const subject: unknown = claims.payload.sub
    if (typeof subject !== 'string' || subject === '') return this.#refused(name, 'its subject is no text')
    const rule = ruleFor(claims.payload, spec.rules ?? [])
    if (rule === undefined) return this.#refused(name, 'no rule fits what the token says')
    const problem = spec.singleUse === true ? await this.#useUp(token, claims.payload) : undefined
    if (problem !== undefined) return this.#refused(name, problem)
    return { outcome: 'exchanged', exchanged: exchangedFor(rule, name, subject) }
  }

  /** Undefined: the token was not used before. */
  async #useUp(token: string, { exp = 0 }: JWTPayload): Promise<string | undefined> {
    const endMs = Math.ceil((exp + clockSkewSeconds) * 1000)
    if (endMs > this.#parts.clock.now() + longestRememberedMs) return 'it lives too long to be remembered as used'
    // A signature has several valid encodings; the signed content has one.
    const signed = token.slice(0, token.lastIndexOf('.'))
    return (await this.#used.take(signed, endMs)) ? undefined : 'the token was exchanged before'
  }

  async #verified(
    token: string,
    keys: IssuerKeys,
    { issuer = '', audience = '' }: TrustedIssuerSpec,
  ): Promise<{ readonly payload: JWTPayload } | { readonly outcome: 'refused' | 'away'; readonly reason: string }> {
    try {
      const { payload } = await jwtVerify(token, keys.keyOf, {
        issuer,
        audience,
        algorithms,
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(this.#parts.clock.now()),
        requiredClaims: ['exp', 'sub'],
      })
      return { payload }
    } catch (error) {
      const reason = error instanceof Error ? printable(error.message) : 'no answer'
      return { outcome: error instanceof errors.JOSEError ? 'refused' : 'away', reason }
    }
  }

  #keysOf(name: string, version: string, spec: TrustedIssuerSpec): IssuerKeys {
    const built = this.#built.get(name)
    if (built?.version === version) return built.keys
    this.#forgetGone(name)
    const keys = new IssuerKeys(spec, this.#parts.clock)
    this.#built.set(name, { version, keys })
    return keys
  }

  /** Closes what was created for deleted issuers, and for the previous version of this one. */
  #forgetGone(changed: string): void {
    const { cache } = this.#parts.issuers()
    for (const [name, { keys }] of this.#built) {
      if (name !== changed && cache.get({ namespace: '', name }) !== undefined) continue
      this.#built.delete(name)
      void keys.close().catch(() => {})
    }
  }

  #refused(issuer: string, reason: string): ExchangeOutcome {
    this.#parts.log.warn('a token was not exchanged', { issuer, reason })
    return { outcome: 'refused' }
  }

  #away(issuer: string, reason: string): ExchangeOutcome {
    this.#parts.log.warn('the keys of a trusted issuer cannot be read', { issuer, reason })
    return { outcome: 'away' }
  }
}

function exchangedFor(rule: ExchangeRule, issuer: string, subject: string): ExchangedToken {
  const { user, team = '', scope, ttlSeconds } = rule
  return {
    owner: user ? { kind: 'user', name: user } : { kind: 'team', name: team },
    ...(scope === undefined ? {} : { scope }),
    ttlSeconds: ttlSeconds || defaultSeconds,
    issuer,
    subject: printable(subject),
  }
}
