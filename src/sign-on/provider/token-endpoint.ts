import { sidOf } from '../../auth/keys/values/refresh-value.ts'
import type { OidcGrant, OidcGrants, OidcUser } from '../../auth/oidc-grants.ts'
import type { Query } from '../../server/request/query.ts'
import { isVerifier } from '../stored/verifier.ts'
import { admits, type KnownClient } from './clients.ts'
import type { AuthorizationCodes, CodeContent } from './codes.ts'
import { OauthError } from './oauth-error.ts'
import type { ProviderTokens } from './provider-tokens.ts'

const defaultTokenSeconds = 600
const defaultRefreshSeconds = 7 * 24 * 3_600
const verifierForm = /^[\w.~-]{43,128}$/

export interface TokenEndpointParts {
  readonly codes: AuthorizationCodes
  readonly grants: OidcGrants
  readonly tokens: ProviderTokens
}

/** Issues tokens for a code or a refresh token, to an authenticated application. Errors do not say what is wrong. */
export function grantTokens(form: Query, client: KnownClient, parts: TokenEndpointParts): Promise<object> {
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return byCode(form, client, parts)
    case 'refresh_token':
      return byRefresh(form, client, parts)
    default:
      throw new OauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
  }
}

async function byCode(form: Query, client: KnownClient, parts: TokenEndpointParts): Promise<object> {
  const { codes, grants } = parts
  const taken = await codes.take(form.get('code') ?? '')
  if (taken.outcome === 'over') {
    // If a code is used twice, it was stolen: what the first user obtained with it ends.
    if (taken.family !== undefined) await grants.endFamily(taken.family)
    throw invalidCode()
  }
  const { content, family, release } = taken
  const { grant, sessionUid, authTimeMs } = content
  const user = grants.userOf(grant.user, grant.userUid)
  if (user === undefined || !isFor(client, form, content)) throw invalidCode()
  if (!grants.isOpen(sessionUid) || !admits(client, user)) throw invalidCode()
  const wantsRefresh = grant.scopes.includes('offline_access')
  const { refreshTokenSeconds = defaultRefreshSeconds } = client.spec
  const refresh = wantsRefresh ? await grants.issue(grant, family, sessionUid, refreshTokenSeconds) : undefined
  const answered = await answer(parts, client, { grant, user, sid: sidOf(family), authTimeMs, refresh })
  if (await release()) return answered
  await grants.endFamily(family)
  throw invalidCode()
}

function invalidCode(): OauthError {
  return new OauthError('invalid_grant', 'the code is not valid, was used already, or is too old')
}

/** The application, the URL and the verifier must match those of the request. */
function isFor({ id, uid }: KnownClient, form: Query, { grant, challenge }: CodeContent): boolean {
  const verifier = form.get('code_verifier')
  if (grant.clientId !== id || grant.clientUid !== uid || form.get('redirect_uri') !== grant.redirectUri) return false
  if (challenge === '') return verifier === undefined
  return verifier !== undefined && verifierForm.test(verifier) && isVerifier(verifier, challenge)
}

async function byRefresh(form: Query, client: KnownClient, parts: TokenEndpointParts): Promise<object> {
  const { grants } = parts
  const shown = form.get('refresh_token') ?? ''
  const asked = form.get('scope')
  const held = grants.find(shown, client)
  // Checked before the token is used up: the client would never learn the next one.
  if (held !== undefined) narrowed(held.grant.scopes, asked)
  const used = await grants.use(shown, client)
  const user = used && grants.userOf(used.grant.user, used.grant.userUid)
  if (used === undefined || user === undefined) {
    throw new OauthError('invalid_grant', 'the refresh token is not valid, was used already, or is too old')
  }
  const { sid, token, grant } = used
  if (!admits(client, user)) {
    await grants.endSession(sid, client)
    throw new OauthError('invalid_grant', 'the user may not use the application any more')
  }
  return answer(parts, client, {
    grant: { ...grant, nonce: '', scopes: narrowed(grant.scopes, asked) },
    user,
    sid,
    authTimeMs: undefined,
    refresh: token,
  })
}

/** Only for these tokens; the next refresh may request all scopes again. */
function narrowed(held: readonly string[], asked: string | undefined): readonly string[] {
  if (asked === undefined || asked === '') return held
  const wanted = asked.split(' ')
  if (wanted.every((scope) => held.includes(scope))) return wanted
  throw new OauthError('invalid_scope', 'the scope goes beyond what the user has allowed')
}

interface Granted {
  readonly grant: OidcGrant
  readonly user: OidcUser
  readonly sid: string
  readonly authTimeMs: number | undefined
  readonly refresh: string | undefined
}

async function answer({ tokens }: TokenEndpointParts, client: KnownClient, granted: Granted): Promise<object> {
  const { grant, user, sid, authTimeMs, refresh } = granted
  const { accessTokenSeconds: ttlSeconds = defaultTokenSeconds } = client.spec
  const { scopes, nonce } = grant
  const { accessToken, idToken } = await tokens.issue({
    clientId: client.id,
    scopes,
    nonce,
    authTimeMs,
    sid,
    user,
    ttlSeconds,
    isRefreshable: refresh !== undefined,
  })
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: ttlSeconds,
    id_token: idToken,
    ...(refresh === undefined ? {} : { refresh_token: refresh }),
    scope: scopes.join(' '),
  }
}
