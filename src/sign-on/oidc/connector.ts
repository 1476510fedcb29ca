import type * as OpenId from 'openid-client'
import type { ConnectorSpec, OidcConnector } from '../../api/types/management.ts'
import type { Clock } from '../../base/clock.ts'
import type { Connector, ExpectedAnswer, ProviderAnswer, ProviderIdentity } from '../contract.ts'
import { SignOnFailure } from '../failure.ts'
import { createLimitedFetch, type LimitedFetch } from '../limited-fetch.ts'
import { providerFailure } from './failure.ts'
import { identityFrom } from './identity.ts'

export interface OidcOptions {
  readonly spec: ConnectorSpec
  /** Absent: a public client. */
  readonly clientSecret: string | undefined
  readonly clock: Clock
}

const discoveredForMs = 10 * 60_000
const defaultSkewSeconds = 300
const defaultScopes = ['profile', 'email']
/** Keys that are older than this are asked for anew when one is missing, so that a rotation is noticed at once. */
const keysAskedAgainAfterSeconds = 60

/** Loads the library when the first connector is there. */
export async function createOidcConnector(options: OidcOptions): Promise<Connector> {
  const openId = await import('openid-client')
  return new OidcProvider(openId, options)
}

class OidcProvider implements Connector {
  readonly #openId: typeof OpenId
  readonly #spec: ConnectorSpec
  readonly #settings: OidcConnector
  readonly #secret: string | undefined
  readonly #clock: Clock
  readonly #fetch: LimitedFetch
  readonly #closeFetch: () => Promise<void>
  #discovered: { readonly metadata: OpenId.ServerMetadata; readonly atMs: number } | undefined
  #keys: OpenId.ExportedJWKSCache | undefined

  constructor(openId: typeof OpenId, { spec, clientSecret, clock }: OidcOptions) {
    this.#openId = openId
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

  async begin(redirectUri: string): ReturnType<Connector['begin']> {
    const openId = this.#openId
    const configuration = await this.#configuration()
    const expected: ExpectedAnswer = {
      state: openId.randomState(),
      nonce: openId.randomNonce(),
      codeVerifier: openId.randomPKCECodeVerifier(),
      redirectUri,
    }
    const url = openId.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: ['openid', ...(this.#settings.scopes ?? defaultScopes)].join(' '),
      state: expected.state,
      nonce: expected.nonce,
      code_challenge: await openId.calculatePKCECodeChallenge(expected.codeVerifier),
      code_challenge_method: 'S256',
    })
    if (url.protocol !== 'https:')
      throw new SignOnFailure('misconfigured', 'the provider asks people in over plain HTTP')
    return { url, expected }
  }

  async finish({ url, expected }: ProviderAnswer): Promise<ProviderIdentity> {
    const configuration = await this.#configuration()
    try {
      const tokens = await this.#openId.authorizationCodeGrant(configuration, url, {
        expectedState: expected.state,
        expectedNonce: expected.nonce,
        pkceCodeVerifier: expected.codeVerifier,
        idTokenExpected: true,
      })
      this.#keys = this.#openId.getJwksCache(configuration)
      const claims = tokens.claims()
      if (claims === undefined) throw new SignOnFailure('untrusted', 'the provider sent no ID token')
      const told = await this.#userInfo(configuration, tokens.access_token, claims.sub)
      const identity = identityFrom({ ...told, ...claims }, this.#spec)
      const { refresh_token: refreshToken } = tokens
      return refreshToken === undefined ? identity : { ...identity, connectorData: JSON.stringify({ refreshToken }) }
    } catch (error) {
      throw providerFailure(error, this.#openId)
    }
  }

  async *test(): AsyncIterable<string> {
    const configuration = await this.#configuration()
    const metadata = configuration.serverMetadata()
    yield `${metadata.issuer} answers, and calls itself that`
    if (metadata.jwks_uri === undefined) throw new SignOnFailure('misconfigured', 'the provider names no jwks_uri')
    const keys = await this.#keyCount(metadata.jwks_uri)
    yield `it publishes ${keys} ${keys === 1 ? 'key' : 'keys'}`
    const { url } = await this.begin('https://platform.invalid/auth/callback/test')
    yield `people would be sent to ${url.origin}${url.pathname}`
    if (metadata.code_challenge_methods_supported?.includes('S256') !== true) {
      yield 'it does not say that it supports PKCE (S256), which is used all the same'
    }
  }

  close(): Promise<void> {
    return this.#closeFetch()
  }

  async #keyCount(address: string): Promise<number> {
    const answer = await this.#fetch(address, { method: 'GET', headers: { accept: 'application/json' } })
    const value: unknown = answer.ok ? await answer.json() : undefined
    const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined
    if (Array.isArray(keys) && keys.length > 0) return keys.length
    throw new SignOnFailure('misconfigured', `${address} publishes no keys`)
  }

  /** Undefined unless it is wanted. The subject has to be that of the ID token. */
  async #userInfo(configuration: OpenId.Configuration, accessToken: string, subject: string) {
    if (this.#settings.getUserInfo !== true) return undefined
    return this.#openId.fetchUserInfo(configuration, accessToken, subject)
  }

  /** A new one for each use, with what is known: the library keeps what it learns in it. */
  async #configuration(): Promise<OpenId.Configuration> {
    const openId = this.#openId
    const { clientId = '', clockSkewSeconds = defaultSkewSeconds } = this.#settings
    const metadata = await this.#metadata()
    const client = { [openId.clockTolerance]: clockSkewSeconds }
    const configuration = new openId.Configuration(metadata, clientId, client, this.#authentication(metadata))
    configuration[openId.customFetch] = (url, options) => this.#fetch(url, fetchOptions(options))
    // The library would trust an ID token because of where it came from; the signature counts here too.
    openId.enableNonRepudiationChecks(configuration)
    this.#handOnKeys(configuration)
    return configuration
  }

  #handOnKeys(configuration: OpenId.Configuration): void {
    if (this.#keys === undefined) return
    const latest = Math.floor(this.#clock.now() / 1000) - keysAskedAgainAfterSeconds
    this.#openId.setJwksCache(configuration, { ...this.#keys, uat: Math.min(this.#keys.uat, latest) })
  }

  async #metadata(): Promise<OpenId.ServerMetadata> {
    const known = this.#discovered
    const nowMs = this.#clock.now()
    if (known !== undefined && nowMs - known.atMs < discoveredForMs && nowMs >= known.atMs) return known.metadata
    const openId = this.#openId
    try {
      const found = await openId.discovery(this.#issuer, this.#settings.clientId ?? '', undefined, openId.None(), {
        [openId.customFetch]: (url, options) => this.#fetch(url, fetchOptions(options)),
      })
      const metadata = found.serverMetadata()
      this.#discovered = { metadata, atMs: nowMs }
      return metadata
    } catch (error) {
      throw providerFailure(error, openId)
    }
  }

  #authentication({ token_endpoint_auth_methods_supported: methods }: OpenId.ServerMetadata): OpenId.ClientAuth {
    const openId = this.#openId
    if (this.#secret === undefined) return openId.None()
    const takesBasic = methods === undefined || methods.includes('client_secret_basic')
    return takesBasic ? openId.ClientSecretBasic(this.#secret) : openId.ClientSecretPost(this.#secret)
  }
}

function fetchOptions(options: OpenId.CustomFetchOptions) {
  const { method, headers, body, signal } = options
  return { method, headers, body, signal: signal ?? undefined }
}
