import * as openId from 'openid-client'
import type { ConnectorSpec, OidcConnector } from '../../api/types/management.ts'
import type { Clock } from '../../base/clock.ts'
import { shareOfTurn } from '../../base/concurrency/shared-turns.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { longestName } from '../claims/short-text.ts'
import type {
  ConnectorWarning,
  ExpectedAnswer,
  ProviderAnswer,
  ProviderIdentity,
  ProviderLogout,
  RedirectConnector,
  Remembered,
} from '../contract.ts'
import { IssuerKeys } from '../exchange/issuer-keys.ts'
import { SignOnFailure } from '../failure.ts'
import { createLimitedFetch, type LimitedFetch } from '../fetch/limited-fetch.ts'
import { requireKeptToken } from '../kept-token.ts'
import { clientSecretBasic } from './client-secret-basic.ts'
import { providerFailure, refreshFailure } from './failure.ts'
import { identityFrom, mergedClaims } from './identity.ts'
import { readLogoutToken } from './logout-token.ts'
import { requireModestToken } from './modest-token.ts'
import { type GraphQuestion, graphUrlOf, groupsOfGraph, hasGroupOverage } from './overage.ts'
import { usableMetadata } from './usable-metadata.ts'

export interface OidcOptions {
  readonly spec: ConnectorSpec
  /** Absent: a public client. */
  readonly clientSecret: string | undefined
  readonly clock: Clock
}

type Claims = Readonly<Record<string, unknown>>

const discoveredForMs = 10 * 60_000
/**
 * Checked when a sign-in begins: a browser that is sent to an unavailable provider shows its own error, which says
 * nothing about the platform.
 */
const seenWithinMs = 30_000
const defaultSkewSeconds = 300
const defaultScopes = ['profile', 'email']
/**
 * Most providers issue refresh tokens only with this scope. Not requested by default: some refuse it, and with others
 * the token outlasts a sign-out.
 */
const offlineScope = 'offline_access'
/** Older keys are requested again when one is missing, so that a rotation is noticed immediately. */
const keysAskedAgainAfterSeconds = 60

export class OidcProvider implements RedirectConnector {
  readonly form = 'redirect'
  readonly answersBy = 'query'
  readonly #spec: ConnectorSpec
  readonly #settings: OidcConnector
  readonly #secret: string | undefined
  readonly #clock: Clock
  readonly #fetch: LimitedFetch
  readonly #closeFetch: () => Promise<void>
  #discovered: { readonly metadata: openId.ServerMetadata; readonly atMs: number } | undefined
  /** Shared by all who wait: a hanging provider is asked once. */
  #discovering: Promise<openId.ServerMetadata> | undefined
  #keys: openId.ExportedJWKSCache | undefined
  #logoutKeys: IssuerKeys | undefined

  constructor({ spec, clientSecret, clock }: OidcOptions) {
    this.#spec = spec
    this.#settings = spec.oidc ?? {}
    this.#secret = clientSecret
    this.#clock = clock
    const { caBundle } = this.#settings
    const limits = { host: this.#issuer.hostname, ...(caBundle ? { authorities: caBundle } : {}) }
    const { fetch, close } = createLimitedFetch(limits)
    this.#fetch = fetch
    this.#closeFetch = close
  }

  get #issuer(): URL {
    return new URL(this.#settings.issuer ?? '')
  }

  get #scopes(): readonly string[] {
    return this.#settings.scopes ?? defaultScopes
  }

  async begin(redirectUri: string): ReturnType<RedirectConnector['begin']> {
    await this.#metadata(seenWithinMs)
    const configuration = await this.#configuration()
    const expected: ExpectedAnswer = {
      state: openId.randomState(),
      nonce: openId.randomNonce(),
      codeVerifier: openId.randomPKCECodeVerifier(),
      redirectUri,
    }
    const { authorization_endpoint: address = '' } = configuration.serverMetadata()
    if (!address.startsWith('https:'))
      throw new SignOnFailure('misconfigured', 'the provider asks people in over plain HTTP')
    const url = openId.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: ['openid', ...this.#scopes].join(' '),
      state: expected.state,
      nonce: expected.nonce,
      code_challenge: await openId.calculatePKCECodeChallenge(expected.codeVerifier),
      code_challenge_method: 'S256',
    })
    return { url, expected }
  }

  async finish({ url, expected }: ProviderAnswer): Promise<ProviderIdentity> {
    const configuration = await this.#configuration()
    try {
      const tokens = await openId.authorizationCodeGrant(configuration, url, {
        expectedState: expected.state,
        expectedNonce: expected.nonce,
        pkceCodeVerifier: expected.codeVerifier,
        idTokenExpected: true,
      })
      this.#keys = openId.getJwksCache(configuration)
      const claims = tokens.claims()
      if (claims === undefined) throw new SignOnFailure('untrusted', 'the provider sent no ID token')
      this.#requireForUs(claims)
      const told = await this.#userInfo(configuration, tokens.access_token, claims.sub)
      const complete = await this.#complete(mergedClaims(told, claims), tokens.access_token, 'misconfigured')
      const identity = identityFrom(complete, this.#spec)
      return this.#remembering({ ...identity, ...sessionIn(claims) }, tokens.refresh_token)
    } catch (error) {
      throw providerFailure(error)
    }
  }

  async refresh(known: ProviderIdentity, { connectorData, keep }: Remembered): Promise<ProviderIdentity> {
    const { issuer, refreshToken } = rememberedIn(connectorData)
    // The token gives access to the provider that issued it: no other provider may see it.
    if (issuer !== this.#settings.issuer) throw new SignOnFailure('refused', 'the connector has another issuer now')
    let given: string | undefined
    const configuration = await this.#configuration((answer) => {
      given ??= refreshTokenIn(answer)
    })
    const tokens = await openId.refreshTokenGrant(configuration, refreshToken).catch(refreshFailure)
    if (given !== undefined) await keep(this.#printed(given))
    if (tokens instanceof SignOnFailure) throw tokens
    this.#keys = openId.getJwksCache(configuration)
    try {
      return await this.#refreshed(configuration, tokens, known)
    } catch (error) {
      throw refreshFailure(error)
    }
  }

  /** Providers need not send an ID token again. If nothing else says so, the user is the same as before. */
  async #refreshed(
    configuration: openId.Configuration,
    tokens: openId.TokenEndpointResponse & openId.TokenEndpointResponseHelpers,
    known: ProviderIdentity,
  ): Promise<ProviderIdentity> {
    const claims = tokens.claims()
    this.#requireForUs(claims)
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
    const asksUserInfo = this.#settings.getUserInfo === true || (claims === undefined && hasUserInfo)
    const told = asksUserInfo ? await openId.fetchUserInfo(configuration, tokens.access_token, known.userId) : undefined
    if (claims === undefined && told === undefined) return known
    const complete = await this.#complete(mergedClaims(told, claims), tokens.access_token, 'untrusted')
    const identity = identityFrom(complete, this.#spec)
    if (identity.userId === known.userId) return identity
    throw new SignOnFailure('refused', 'the provider speaks of another user')
  }

  /** The library looks at the party that a token was issued to only if the token has several audiences. */
  #requireForUs(claims: Claims = {}): void {
    const { azp = this.#settings.clientId } = claims
    if (azp !== this.#settings.clientId)
      throw new SignOnFailure('untrusted', 'the ID token was issued to another client')
  }

  /** The keys are read separately from those of sign-ins, which the library keeps. */
  loggedOut(token: string): Promise<ProviderLogout> {
    const { issuer = '', clientId = '', clockSkewSeconds: skewSeconds = defaultSkewSeconds, caBundle } = this.#settings
    this.#logoutKeys ??= new IssuerKeys({ issuer, ...(caBundle ? { caBundle } : {}) }, this.#clock)
    const nowMs = this.#clock.now()
    return readLogoutToken(token, { keys: this.#logoutKeys, issuer, clientId, skewSeconds, nowMs })
  }

  #remembering(identity: ProviderIdentity, refreshToken: string | undefined): ProviderIdentity {
    if (refreshToken === undefined) return identity
    return { ...identity, connectorData: this.#printed(refreshToken) }
  }

  #printed(refreshToken: string): string {
    requireKeptToken(refreshToken)
    return JSON.stringify({ issuer: this.#settings.issuer, refreshToken })
  }

  async *test(): AsyncIterable<string | ConnectorWarning> {
    const configuration = await this.#configuration()
    const metadata = configuration.serverMetadata()
    yield `${metadata.issuer} answers, and calls itself that`
    if (metadata.jwks_uri === undefined) throw new SignOnFailure('misconfigured', 'the provider names no jwks_uri')
    const keys = await this.#keyCount(metadata.jwks_uri)
    yield `it publishes ${keys} ${keys === 1 ? 'key' : 'keys'}`
    const { url } = await this.begin('https://platform.invalid/auth/callback/test')
    yield `people would be sent to ${url.origin}${url.pathname}`
    if (metadata.code_challenge_methods_supported?.includes('S256') !== true) {
      yield { warning: 'it does not announce PKCE (S256), which is used anyway' }
    }
    if (metadata.scopes_supported?.includes(offlineScope) === true && !this.#scopes.includes(offlineScope)) {
      yield {
        warning: `it may give no refresh token unless ${offlineScope} is in spec.oidc.scopes: users who are disabled there would stay signed in here`,
      }
    }
  }

  async close(): Promise<void> {
    await this.#logoutKeys?.close()
    await this.#closeFetch()
  }

  async #keyCount(address: string): Promise<number> {
    const value = await this.#keySet(address)
    const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined
    if (Array.isArray(keys) && keys.length > 0) return keys.length
    throw new SignOnFailure('misconfigured', `${address} publishes no keys`)
  }

  async #keySet(address: string): Promise<unknown> {
    try {
      const answer = await this.#fetch(address, { method: 'GET', headers: { accept: 'application/json' } })
      return answer.ok ? await answer.json() : undefined
    } catch (error) {
      throw providerFailure(error)
    }
  }

  /** Adds the groups that did not fit into the token. */
  async #complete(claims: Claims, accessToken: string, refusedAs: GraphQuestion['refusedAs']): Promise<Claims> {
    const { issuer = '', graphUrl, claims: paths = {} } = this.#settings
    const address = graphUrlOf(issuer, graphUrl)
    const path = paths.groups || 'groups'
    if (address === undefined || !hasGroupOverage(claims, path)) return claims
    const groups = await groupsOfGraph(this.#fetch, { graphUrl: address, accessToken, refusedAs })
    return { ...claims, [path]: groups }
  }

  /** Undefined unless configured. The subject must match the ID token. */
  async #userInfo(configuration: openId.Configuration, accessToken: string, subject: string) {
    if (this.#settings.getUserInfo !== true) return undefined
    return openId.fetchUserInfo(configuration, accessToken, subject)
  }

  /** A new one for each use, with what is known: the library stores what it learns in it. */
  async #configuration(seen?: (tokenAnswer: string) => void): Promise<openId.Configuration> {
    const { clientId = '', clockSkewSeconds = defaultSkewSeconds } = this.#settings
    const metadata = await this.#metadata()
    const client = { [openId.clockTolerance]: clockSkewSeconds }
    const configuration = new openId.Configuration(metadata, clientId, client, this.#authentication(metadata))
    configuration[openId.customFetch] = async (url, options) => {
      const answer = await this.#fetch(url, fetchOptions(options))
      const text = await answer.clone().text()
      if (url === metadata.token_endpoint && answer.ok) seen?.(text)
      requireModestToken(text, new URL(url).origin)
      return answer
    }
    // The library would trust an ID token because of its source; here its signature counts too.
    openId.enableNonRepudiationChecks(configuration)
    this.#handOnKeys(configuration)
    return configuration
  }

  #handOnKeys(configuration: openId.Configuration): void {
    if (this.#keys === undefined) return
    const latest = Math.floor(this.#clock.now() / 1000) - keysAskedAgainAfterSeconds
    openId.setJwksCache(configuration, { ...this.#keys, uat: Math.min(this.#keys.uat, latest) })
  }

  async #metadata(forMs = discoveredForMs): Promise<openId.ServerMetadata> {
    const known = this.#discovered
    const nowMs = this.#clock.now()
    if (known !== undefined && nowMs - known.atMs < forMs && nowMs >= known.atMs) return known.metadata
    this.#discovering ??= this.#discover(nowMs).finally(() => {
      this.#discovering = undefined
    })
    // Hundreds may have waited for it, and must not all continue in one iteration.
    return this.#discovering.finally(() => shareOfTurn())
  }

  async #discover(nowMs: number): Promise<openId.ServerMetadata> {
    try {
      const found = await openId.discovery(this.#issuer, this.#settings.clientId ?? '', undefined, openId.None(), {
        [openId.customFetch]: (url, options) => this.#fetch(url, fetchOptions(options)),
      })
      const metadata = usableMetadata(found.serverMetadata())
      this.#discovered = { metadata, atMs: nowMs }
      return metadata
    } catch (error) {
      throw providerFailure(error)
    }
  }

  #authentication({ token_endpoint_auth_methods_supported: methods }: openId.ServerMetadata): openId.ClientAuth {
    if (this.#secret === undefined) return openId.None()
    const takesBasic = methods === undefined || methods.includes('client_secret_basic')
    return takesBasic ? clientSecretBasic(this.#secret) : openId.ClientSecretPost(this.#secret)
  }
}

/** The provider's name for its session, with which it reports a sign-out. */
function sessionIn({ sid }: Readonly<Record<string, unknown>>): Pick<ProviderIdentity, 'providerSession'> {
  const isText = typeof sid === 'string' && sid !== '' && sid.length <= longestName
  return isText ? { providerSession: sid } : {}
}

function fetchOptions(options: openId.CustomFetchOptions) {
  const { method, headers, body, signal } = options
  return { method, headers, body, signal: signal ?? undefined }
}

/** Also read from an otherwise untrusted response: the token that was used for it is void. */
function refreshTokenIn(tokenAnswer: string): string | undefined {
  try {
    const value: unknown = JSON.parse(tokenAnswer)
    const token = isJsonObject(value) ? value.refresh_token : undefined
    return typeof token === 'string' && token !== '' ? token : undefined
  } catch {
    return undefined
  }
}

interface ConnectorData {
  readonly issuer: string
  readonly refreshToken: string
}

/** Only this file writes it. */
function rememberedIn(connectorData: string): ConnectorData {
  return JSON.parse(connectorData)
}
