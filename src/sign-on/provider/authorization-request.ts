import { oidcScopes } from '../../api/management/oidc-client-validation.ts'
import type { OIDCClientSpec } from '../../api/types/management.ts'
import type { Query } from '../../server/request/query.ts'
import { challengeForm } from '../destination.ts'
import { OauthError, type OauthErrorCode } from './oauth-error.ts'

/** What an application requests from a user. */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly state: string
  readonly nonce: string
  /** SHA-256 of the application's verifier; empty: it does not use PKCE. */
  readonly challenge: string
  /** The user must have signed in at that time or later. */
  readonly signedInSinceMs: number
  /** No page may be shown: a request that needs one is refused. */
  readonly isSilent: boolean
  /** The user must be asked for consent, whatever the policy of the application. */
  readonly asksConsent: boolean
  /** The uid of the user that the application expects, from an ID token; empty: none. */
  readonly hintedUser: string
}

export type ReadRequest =
  | { readonly outcome: 'valid'; readonly request: AuthorizationRequest }
  /** Reported to the application, which has been recognized. */
  | { readonly outcome: 'refused'; readonly redirectUri: string; readonly state: string; readonly error: OauthError }
  /** Shown to the user: there is no trusted URL to which the error could be sent. */
  | { readonly outcome: 'unknown'; readonly problem: string }

const longestText = 2_000
const singles = [
  ...['client_id', 'redirect_uri', 'state', 'response_type', 'response_mode', 'scope', 'nonce', 'prompt', 'max_age'],
  ...['code_challenge', 'code_challenge_method', 'id_token_hint'],
]

/** `client` is undefined if no OIDCClient has that name, or if it is disabled. */
export function readAuthorizationRequest(
  query: Query,
  client: OIDCClientSpec | undefined,
  { nowMs, hintedUser }: { readonly nowMs: number; readonly hintedUser: string },
): ReadRequest {
  const text = (name: string) => query.get(name) ?? ''
  if (singles.some((name) => query.all(name).length > 1)) return unknown('a parameter is given twice')
  if (client === undefined) return unknown('there is no such application, or it is switched off')
  const redirectUri = text('redirect_uri')
  if (!(client.redirectUris ?? []).includes(redirectUri)) return unknown('the application may not send users there')
  const state = text('state')
  try {
    return { outcome: 'valid', request: { ...requestOf(query, client, nowMs), hintedUser } }
  } catch (error) {
    if (!(error instanceof OauthError)) throw error
    return { outcome: 'refused', redirectUri, state, error }
  }
}

function unknown(problem: string): ReadRequest {
  return { outcome: 'unknown', problem }
}

function requestOf(query: Query, client: OIDCClientSpec, nowMs: number): Omit<AuthorizationRequest, 'hintedUser'> {
  const text = (name: string) => query.get(name) ?? ''
  require(!query.has('request'), 'request_not_supported', 'request objects are not supported')
  require(!query.has('request_uri'), 'request_uri_not_supported', 'request objects are not supported')
  require(text('response_type') === 'code', 'unsupported_response_type', 'response_type must be code')
  const mode = text('response_mode')
  require(mode === '' || mode === 'query', 'invalid_request', 'response_mode must be query')
  const [state, nonce] = [text('state'), text('nonce')]
  require(state.length <= longestText && nonce.length <= longestText, 'invalid_request', 'state or nonce is too long')
  return {
    clientId: text('client_id'),
    redirectUri: text('redirect_uri'),
    scopes: scopesOf(text('scope'), client),
    state,
    nonce,
    challenge: challengeOf(query, client),
    ...promptedBy(query, nowMs),
  }
}

/** Scopes that are not allowed are dropped, as if the user had no such data. */
function scopesOf(scope: string, client: OIDCClientSpec): readonly string[] {
  const asked = new Set(scope.split(' '))
  require(asked.has('openid'), 'invalid_scope', 'scope must contain openid')
  const allowed: readonly string[] = (client.scopes ?? []).length === 0 ? oidcScopes : (client.scopes ?? [])
  return ['openid', ...oidcScopes.filter((each) => asked.has(each) && allowed.includes(each))]
}

function challengeOf(query: Query, { clientSecretRef, allowWithoutPkce }: OIDCClientSpec): string {
  const challenge = query.get('code_challenge') ?? ''
  if (challenge === '') {
    const mayGoWithout = clientSecretRef !== undefined && allowWithoutPkce === true
    require(mayGoWithout && !query.has('code_challenge_method'), 'invalid_request', 'PKCE is required (code_challenge)')
    return ''
  }
  require(query.get('code_challenge_method') === 'S256', 'invalid_request', 'code_challenge_method must be S256')
  require(challengeForm.test(challenge), 'invalid_request', 'code_challenge is not a SHA-256 digest in base64url')
  return challenge
}

type Prompted = Pick<AuthorizationRequest, 'signedInSinceMs' | 'isSilent' | 'asksConsent'>

function promptedBy(query: Query, nowMs: number): Prompted {
  const prompts = (query.get('prompt') ?? '').split(' ').filter((each) => each !== '')
  const isSilent = prompts.includes('none')
  require(!isSilent || prompts.length === 1, 'invalid_request', 'prompt combines none with another value')
  const signedInSinceMs = signedInSince(query, prompts, nowMs)
  return { signedInSinceMs, isSilent, asksConsent: prompts.includes('consent') }
}

function signedInSince(query: Query, prompts: readonly string[], nowMs: number): number {
  const maxAge = query.get('max_age')
  require(maxAge === undefined || /^\d{1,9}$/.test(maxAge), 'invalid_request', 'max_age must be a number of seconds')
  if (prompts.includes('login')) return nowMs
  return maxAge === undefined ? 0 : nowMs - Number(maxAge) * 1000
}

function require(holds: boolean, code: OauthErrorCode, description: string): void {
  if (!holds) throw new OauthError(code, description)
}

/**
 * The URL to which the user is sent back. It includes `iss`, so that an application knows whose answer it is (RFC
 * 9207).
 */
export function answerAddress(
  redirectUri: string,
  issuer: string,
  answer: Readonly<Record<string, string>>,
  state: string,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.append(name, value)
  if (state !== '') url.searchParams.append('state', state)
  url.searchParams.append('iss', issuer)
  return url.href
}
