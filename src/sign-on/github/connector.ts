import * as openId from 'openid-client'
import type { ConnectorSpec, GithubConnector } from '../../api/types/management.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { withinTime } from '../../base/within-time.ts'
import type { ExpectedAnswer, ProviderAnswer, ProviderIdentity, RedirectConnector, Remembered } from '../contract.ts'
import { SignOnFailure } from '../failure.ts'
import { createLimitedFetch, type LimitedFetch } from '../fetch/limited-fetch.ts'
import { requireKeptToken } from '../kept-token.ts'
import { providerFailure } from '../oidc/failure.ts'
import { GithubApi } from './api.ts'
import { githubIdentity } from './identity.ts'

export interface GithubOptions {
  readonly spec: ConnectorSpec
  readonly clientSecret: string | undefined
}

const publicUrl = 'https://github.com'
const scopes = ['read:user', 'user:email', 'read:org']
/** For all requests about one user. */
const timeoutMs = 20_000

/** GitHub through an OAuth app. GitHub supports OAuth 2.0 but not OpenID Connect: its API tells who the user is. */
export class GithubProvider implements RedirectConnector {
  readonly form = 'redirect'
  readonly answersBy = 'query'
  readonly #spec: ConnectorSpec
  readonly #settings: GithubConnector
  readonly #secret: string
  readonly #url: string
  readonly #fetch: LimitedFetch
  readonly #closeFetch: () => Promise<void>
  readonly #api: GithubApi

  constructor({ spec, clientSecret = '' }: GithubOptions) {
    this.#spec = spec
    this.#settings = spec.github ?? {}
    this.#secret = clientSecret
    const { url = '', caBundle } = this.#settings
    this.#url = (url || publicUrl).replace(/\/$/, '')
    const limits = { host: new URL(this.#url).hostname, ...(caBundle ? { authorities: caBundle } : {}) }
    const { fetch, close } = createLimitedFetch(limits)
    this.#fetch = fetch
    this.#closeFetch = close
    this.#api = new GithubApi(this.#url === publicUrl ? 'https://api.github.com' : `${this.#url}/api/v3`, fetch)
  }

  async begin(redirectUri: string): ReturnType<RedirectConnector['begin']> {
    const expected: ExpectedAnswer = {
      state: openId.randomState(),
      nonce: '',
      codeVerifier: openId.randomPKCECodeVerifier(),
      redirectUri,
    }
    const url = openId.buildAuthorizationUrl(this.#configuration(), {
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state: expected.state,
      code_challenge: await openId.calculatePKCECodeChallenge(expected.codeVerifier),
      code_challenge_method: 'S256',
    })
    return { url, expected }
  }

  async finish({ url, expected }: ProviderAnswer, signal: AbortSignal): Promise<ProviderIdentity> {
    try {
      const tokens = await openId.authorizationCodeGrant(this.#configuration(), url, {
        expectedState: expected.state,
        pkceCodeVerifier: expected.codeVerifier,
      })
      requireScopes(tokens.scope)
      const { access_token: token, expires_in: endsAfter } = tokens
      const connectorData = this.#printed(token)
      const identity = await this.#identityOf(token, signal)
      // An expiring token would end the session with it.
      return endsAfter === undefined ? { ...identity, connectorData } : identity
    } catch (error) {
      throw providerFailure(error)
    }
  }

  async refresh(known: ProviderIdentity, { connectorData }: Remembered): Promise<ProviderIdentity> {
    const { url, token } = rememberedIn(connectorData)
    // The token gives access to the server that issued it: no other server may see it.
    if (url !== this.#url) throw new SignOnFailure('refused', 'the connector has another address now')
    try {
      const identity = await this.#identityOf(token, AbortSignal.timeout(timeoutMs))
      if (identity.userId === known.userId) return identity
    } catch (error) {
      throw providerFailure(error)
    }
    throw new SignOnFailure('refused', 'GitHub speaks of another user')
  }

  async *test(signal: AbortSignal): AsyncIterable<string> {
    try {
      await this.#api.reach(withinTime(timeoutMs, signal))
    } catch (error) {
      throw providerFailure(error)
    }
    yield `the API of ${this.#url} answers`
    yield `people would be sent to ${this.#url}/login/oauth/authorize`
  }

  close(): Promise<void> {
    return this.#closeFetch()
  }

  async #identityOf(token: string, signal: AbortSignal): Promise<ProviderIdentity> {
    const limit = withinTime(timeoutMs, signal)
    const [user, emails, memberships, teams] = await Promise.all([
      this.#api.user(token, limit),
      this.#api.list('/user/emails', token, limit),
      this.#api.list('/user/memberships/orgs?state=active', token, limit),
      this.#api.list('/user/teams', token, limit),
    ])
    return githubIdentity({ user, emails, memberships, teams }, this.#spec)
  }

  #printed(token: string): string {
    requireKeptToken(token)
    return JSON.stringify({ url: this.#url, token })
  }

  #configuration(): openId.Configuration {
    const server: openId.ServerMetadata = {
      issuer: this.#url,
      authorization_endpoint: `${this.#url}/login/oauth/authorize`,
      token_endpoint: `${this.#url}/login/oauth/access_token`,
    }
    const authentication = openId.ClientSecretPost(this.#secret)
    const configuration = new openId.Configuration(server, this.#settings.clientId ?? '', undefined, authentication)
    configuration[openId.customFetch] = async (url, { method, headers, body, signal }) =>
      asError(await this.#fetch(url, { method, headers, body, signal: signal ?? undefined }))
    return configuration
  }
}

/** A user can remove scopes on GitHub's page; without them groups would silently be missing. */
function requireScopes(granted = ''): void {
  const known = new Set(granted.split(/[\s,]+/))
  const isMissing = !known.has('read:org') && !known.has('admin:org') && !known.has('write:org')
  if (isMissing) throw new SignOnFailure('refused', 'GitHub did not grant the scope read:org')
}

/** GitHub answers 200 even when it refuses. */
async function asError(answer: Response): Promise<Response> {
  const value: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined)
  if (!isJsonObject(value) || typeof value.error !== 'string') return answer
  const error = value.error === 'incorrect_client_credentials' ? 'invalid_client' : value.error
  return Response.json({ error }, { status: 400 })
}

interface ConnectorData {
  readonly url: string
  readonly token: string
}

/** Only this file writes it. */
function rememberedIn(connectorData: string): ConnectorData {
  return JSON.parse(connectorData)
}
