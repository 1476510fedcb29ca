import type { JWTPayload } from 'jose'
import { methodNotAllowed, unsupportedMediaType } from '../../api/error.ts'
import type { OidcGrants, OidcUser } from '../../auth/oidc-grants.ts'
import { asText } from '../../base/json/lenient.ts'
import { LeakyBuckets } from '../../base/leaky-buckets.ts'
import type { Log } from '../../base/log.ts'
import { networkOf } from '../../base/network/network-of.ts'
import { contentTypeOf } from '../../server/bodies/body.ts'
import type { Exchange } from '../../server/exchange.ts'
import { type BodyLimit, headerOf, type Response } from '../../server/http.ts'
import type { PipelineStep } from '../../server/pipeline.ts'
import { parseQuery, type Query } from '../../server/request/query.ts'
import { jsonResponse, withHeaders } from '../../server/responses/responses.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import type { ReadBody } from '../device/device-pages.ts'
import { SignOnFailure } from '../failure.ts'
import { failurePage, signOnHeaders } from '../pages.ts'
import type { OneTimeParts } from '../stored/one-time-records.ts'
import { answerAddress, readAuthorizationRequest } from './authorization-request.ts'
import { clientAuthorizations, isStillRight, refusalAddress } from './authorizations.ts'
import { type ClientParts, Clients, type KnownClient } from './clients.ts'
import { AuthorizationCodes } from './codes.ts'
import { consentPage, discoveryOf, providerPaths } from './endpoints.ts'
import { OauthError, oauthRefusal, uncached } from './oauth-error.ts'
import { ProviderTokens, refreshableClaim, userClaims } from './provider-tokens.ts'
import { openRequest, sealRequest } from './sealed-request.ts'
import { SigningKeys } from './signing-keys.ts'
import { grantTokens } from './token-endpoint.ts'

export interface ProviderOptions extends ClientParts, OneTimeParts {
  /** The name of the provider: the URL of the platform, followed by `/oidc`. */
  readonly issuer: string
  readonly kind: { readonly group: string; readonly version: string }
  readonly grants: OidcGrants
  readonly sealingKey: () => Promise<Uint8Array>
  readonly log: Log
}

export interface RunningProvider {
  readonly review: ReviewResource
  pages(readBody: ReadBody): PipelineStep
}

interface Parts extends ProviderOptions {
  readonly applications: Clients
  readonly codes: AuthorizationCodes
  readonly keys: SigningKeys
  readonly tokens: ProviderTokens
}

interface Asked extends Parts {
  readonly readBody: ReadBody
}

const formType = 'application/x-www-form-urlencoded'
const formLimit: BodyLimit = { maxBytes: 16 * 1024, timeoutMs: 5_000 }
const longestUrl = 8_192
const burst = 300
const refillMs = 25
const mostNetworks = 10_000

/** OpenID Connect for applications: users sign in to them with their account of the platform. */
export function createProvider(options: ProviderOptions): RunningProvider {
  const { issuer, clock, random, kind } = options
  const keys = new SigningKeys(options)
  const applications = new Clients(options)
  const codes = new AuthorizationCodes(options)
  const parts: Parts = {
    ...options,
    applications,
    codes,
    keys,
    tokens: new ProviderTokens({ issuer, keys, clock, random }),
  }
  const turns = new LeakyBuckets({ clock, burst, refillMs, most: mostNetworks })
  return {
    review: clientAuthorizations(kind, { ...options, clients: applications, codes }),
    pages: (readBody) => (exchange) => {
      const { info, onward } = exchange
      const answer = onward === undefined && info.form === 'path' ? routes[info.path] : undefined
      if (answer === undefined) return undefined
      if (!answer.methods.includes(exchange.request.method)) throw methodNotAllowed()
      exchange.isAuthorized = true
      exchange.isOpenToAll = true
      const isTooMany = turns.add(networkOf(exchange.request.clientAddress, 48)) > 0
      return answered(
        exchange,
        parts,
        isTooMany ? () => tooMany(answer) : (each) => answer.run(each, { ...parts, readBody }),
      )
    },
  }
}

type Answer = (exchange: Exchange) => Response | Promise<Response>

/** Users see a page; programs read JSON. */
function tooMany({ isForBrowsers = false }: Route): Response {
  const problem = 'too many requests from one network'
  if (isForBrowsers) throw new SignOnFailure('too-many', problem)
  const refusal = uncached(429, { error: 'temporarily_unavailable', error_description: `${problem}; try again later` })
  return withHeaders(refusal, ['Retry-After', '1'])
}

/** Refusals use the terms of OAuth; those for a user are shown on a page. */
async function answered(exchange: Exchange, { random, log }: Parts, answer: Answer): Promise<Response> {
  try {
    return await answer(exchange)
  } catch (error) {
    if (error instanceof OauthError) return oauthRefusal(error)
    if (!(error instanceof SignOnFailure)) throw error
    if (error.code !== 'too-many') {
      log.warn('an application could not sign a user in', { reason: error.message, auditId: exchange.auditId })
    }
    return failurePage(error.code, exchange.auditId, random)
  }
}

interface Route {
  readonly methods: readonly string[]
  readonly isForBrowsers?: boolean
  readonly run: (exchange: Exchange, parts: Asked) => Response | Promise<Response>
}

const routes: Readonly<Record<string, Route | undefined>> = {
  [providerPaths.discovery]: { methods: ['GET'], run: (_, { issuer }) => jsonResponse(200, discoveryOf(issuer)) },
  [providerPaths.keys]: {
    methods: ['GET'],
    run: async (_, { keys }) => jsonResponse(200, { keys: await keys.published() }),
  },
  [providerPaths.authorize]: { methods: ['GET', 'POST'], isForBrowsers: true, run: authorize },
  [providerPaths.notSignedIn]: { methods: ['GET'], isForBrowsers: true, run: refuseSilently },
  [providerPaths.token]: { methods: ['POST'], run: giveTokens },
  [providerPaths.userinfo]: { methods: ['GET', 'POST'], run: tellUser },
  [providerPaths.introspect]: { methods: ['POST'], run: introspect },
  [providerPaths.revoke]: { methods: ['POST'], run: revoke },
  [providerPaths.endSession]: { methods: ['GET', 'POST'], isForBrowsers: true, run: endSession },
}

/** Checks the application's request, and sends the browser to the page that asks the user. */
async function authorize(exchange: Exchange, parts: Asked): Promise<Response> {
  const { applications, issuer, clock, sealingKey } = parts
  const query = await sentIn(exchange, parts)
  const client = applications.find(query.get('client_id') ?? '')
  const hintedUser = await hintedIn(query, client, parts)
  const read = readAuthorizationRequest(query, client?.spec, { nowMs: clock.now(), hintedUser })
  switch (read.outcome) {
    case 'unknown':
      throw new SignOnFailure('untrusted-application', read.problem)
    case 'refused': {
      const content = { error: read.error.code, error_description: read.error.message }
      return redirect(answerAddress(read.redirectUri, issuer, content, read.state))
    }
    case 'valid': {
      const { request } = read
      // The page cannot be shown in a frame of another site, so its answer would never come.
      if (request.isSilent && isFramed(exchange)) return redirect(refusalAddress(request, issuer, 'login_required'))
      const sealed = await sealRequest(request, await sealingKey(), clock)
      return redirect(`${consentPage}${request.isSilent ? '?prompt=none' : ''}#${sealed}`)
    }
  }
}

const frames: ReadonlySet<string> = new Set(['iframe', 'frame', 'fencedframe', 'embed', 'object'])

function isFramed({ request }: Exchange): boolean {
  return frames.has(headerOf(request, 'sec-fetch-dest') ?? '')
}

/** A hint that was issued to another application, or so long ago that its key is gone, names no user. */
async function hintedIn(query: Query, client: KnownClient | undefined, { tokens }: Asked): Promise<string> {
  const hint = query.get('id_token_hint') ?? ''
  const claims = hint === '' || client === undefined ? undefined : await tokens.idClaims(hint)
  return claims?.aud === client?.id ? asText(claims?.sub) : ''
}

/** No user is signed in in this browser, and the application does not allow asking. */
async function refuseSilently(exchange: Exchange, parts: Asked): Promise<Response> {
  const { applications, issuer, clock, sealingKey } = parts
  const sealed = (await sentIn(exchange, parts)).get('request') ?? ''
  const request = await openRequest(sealed, await sealingKey(), clock)
  if (request?.isSilent !== true) throw new SignOnFailure('expired', 'the request was not made here, or long ago')
  const client = applications.find(request.clientId)
  if (client === undefined || !isStillRight(request, client)) {
    throw new SignOnFailure('untrusted-application', 'the application was changed meanwhile')
  }
  return redirect(refusalAddress(request, issuer, 'login_required'))
}

/** A GET has the parameters in its URL, a POST in its body. */
async function sentIn(exchange: Exchange, parts: Asked): Promise<Query> {
  if (exchange.request.url.length > longestUrl) throw new SignOnFailure('expired', 'the address is too long')
  return exchange.request.method === 'POST' ? formIn(exchange, parts) : exchange.info.query
}

async function formIn(exchange: Exchange, { readBody }: Asked): Promise<Query> {
  if (contentTypeOf(exchange) !== formType) throw unsupportedMediaType([formType])
  const form = parseQuery((await readBody(exchange, formLimit)).toString('utf8'))
  const names = form.pairs.map(([name]) => name)
  if (new Set(names).size < names.length) throw new OauthError('invalid_request', 'a parameter is given twice')
  return form
}

async function provenClient(exchange: Exchange, parts: Asked): Promise<{ form: Query; client: KnownClient }> {
  const form = await formIn(exchange, parts)
  await parts.grants.caughtUp()
  const client = parts.applications.authenticated(form, headerOf(exchange.request, 'authorization'))
  exchange.decision = `the application ${client.id}`
  return { form, client }
}

async function giveTokens(exchange: Exchange, parts: Asked): Promise<Response> {
  const { form, client } = await provenClient(exchange, parts)
  return uncached(200, await grantTokens(form, client, parts))
}

async function tellUser(exchange: Exchange, parts: Asked): Promise<Response> {
  const claims = await parts.tokens.accessClaims(await bearerIn(exchange, parts))
  if (claims !== undefined) await parts.grants.caughtUp()
  const user = claims && userOf(claims, parts)
  if (claims === undefined || user === undefined) {
    throw new OauthError('invalid_token', 'the access token is not valid, or too old')
  }
  return uncached(200, userClaims(user, asText(claims.scope).split(' ')))
}

/** In the header, or in a form (RFC 6750, 2.2). */
async function bearerIn(exchange: Exchange, parts: Asked): Promise<string> {
  const header = headerOf(exchange.request, 'authorization')
  const isForm = exchange.request.method === 'POST' && contentTypeOf(exchange) === formType
  const posted = isForm ? (await formIn(exchange, parts)).get('access_token') : undefined
  if (header !== undefined && posted !== undefined) {
    throw new OauthError('invalid_request', 'the access token is given in two ways')
  }
  return posted ?? /^bearer ([\w.-]+)$/i.exec(header ?? '')?.[1] ?? ''
}

/**
 * The user of a valid access token. One that was issued with a refresh token ends with it: when that is revoked, used
 * twice, or signed out of.
 */
function userOf(claims: JWTPayload, { grants, applications }: Asked): OidcUser | undefined {
  const client = applications.find(asText(claims.client_id))
  if (client === undefined) return undefined
  if (claims[refreshableClaim] === true && !grants.isHeld(asText(claims.sid), client)) return undefined
  return grants.userOf(asText(claims.username), asText(claims.sub))
}

/** Only for the application to which the token was issued. */
async function introspect(exchange: Exchange, parts: Asked): Promise<Response> {
  const { form, client } = await provenClient(exchange, parts)
  if (client.spec.clientSecretRef === undefined) {
    throw new OauthError('invalid_client', 'an application without a secret may not introspect tokens')
  }
  const token = form.get('token') ?? ''
  const found = (await refreshState(token, client, parts)) ?? (await accessState(token, client, parts))
  return uncached(200, found ?? { active: false })
}

function refreshState(token: string, client: KnownClient, { grants }: Asked): object | undefined {
  const found = grants.find(token, client)
  if (found === undefined) return undefined
  const { grant, endMs } = found
  return {
    active: true,
    client_id: client.id,
    scope: grant.scopes.join(' '),
    sub: grant.userUid,
    username: grant.user,
    token_type: 'refresh_token',
    ...(endMs === undefined ? {} : { exp: Math.floor(endMs / 1000) }),
  }
}

async function accessState(token: string, { id }: KnownClient, parts: Asked): Promise<object | undefined> {
  const claims = await parts.tokens.accessClaims(token)
  if (claims === undefined || claims.client_id !== id || userOf(claims, parts) === undefined) return undefined
  return { active: true, ...claims, token_type: 'Bearer' }
}

/**
 * Revokes all tokens of one sign-in with a refresh token, given any of them. Other access tokens only expire. Does not
 * reveal what it found.
 */
async function revoke(exchange: Exchange, parts: Asked): Promise<Response> {
  const { form, client } = await provenClient(exchange, parts)
  const token = form.get('token') ?? ''
  const claims = await parts.tokens.accessClaims(token)
  if (claims === undefined) await parts.grants.revoke(token, client)
  else await parts.grants.endSession(asText(claims.sid), client)
  return uncached(200, {})
}

/**
 * Ends what the application obtained with the sign-in that an ID token names, but no session of the platform itself:
 * another site that sends a browser here cannot sign a user out of the platform.
 */
async function endSession(exchange: Exchange, parts: Asked): Promise<Response> {
  const { tokens, applications, grants } = parts
  const query = await sentIn(exchange, parts)
  const claims = await tokens.idClaims(query.get('id_token_hint') ?? '')
  if (claims !== undefined) await grants.caughtUp()
  const client = claims && applications.find(asText(claims.aud))
  if (claims === undefined || client === undefined) return redirect('/')
  await grants.endSession(asText(claims.sid), client)
  const wanted = query.get('post_logout_redirect_uri') ?? ''
  if (!(client.spec.postLogoutRedirectUris ?? []).includes(wanted)) return redirect('/')
  const url = new URL(wanted)
  const state = query.get('state') ?? ''
  if (state !== '') url.searchParams.append('state', state)
  return redirect(url.href)
}

function redirect(location: string): Response {
  const response: Response = { status: 303, headers: ['Location', location], body: Buffer.alloc(0) }
  return withHeaders(response, signOnHeaders)
}
