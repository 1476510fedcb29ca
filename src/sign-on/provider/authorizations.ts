import { forbidden, invalid } from '../../api/error.ts'
import { invalidField } from '../../api/field-error.ts'
import type { Kind } from '../../api/kind.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import type { KubeObject } from '../../api/object.ts'
import { boolean, object, string, strings } from '../../api/schema-builder.ts'
import type { BrowserSession, OidcGrants } from '../../auth/oidc-grants.ts'
import type { Clock } from '../../base/clock.ts'
import { asMembers, asText } from '../../base/json/lenient.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import { type AuthorizationRequest, answerAddress } from './authorization-request.ts'
import { admits, type Clients, type KnownClient } from './clients.ts'
import type { AuthorizationCodes } from './codes.ts'
import type { OauthErrorCode } from './oauth-error.ts'
import { openRequest } from './sealed-request.ts'

export interface AuthorizationParts {
  readonly issuer: string
  readonly clients: Clients
  readonly codes: AuthorizationCodes
  readonly grants: OidcGrants
  readonly sealingKey: () => Promise<Uint8Array>
  readonly clock: Clock
}

/**
 * `POST …/clientauthorizations`: what an application requests from the user of this browser, and the user's answer.
 * Only sessions of the console may use it: pages of other sites cannot send the second half of the session, so none can
 * answer for the user.
 */
export function clientAuthorizations(
  { group, version }: Pick<Kind, 'group' | 'version'>,
  parts: AuthorizationParts,
): ReviewResource {
  const gvk = { group, version, kind: 'ClientAuthorization' }
  const plural = 'clientauthorizations'
  return {
    ...gvk,
    plural,
    singular: 'clientauthorization',
    namespaced: false,
    schema: kindSchema(
      gvk,
      'What an application asks a user for who signs in to it with their account of the platform.',
      {
        spec: object('The question.', {
          request: string('As the page of the console got it.'),
          decision: string('`allow` or `deny`. Absent: the user has not decided yet.'),
        }),
        status: object('The request, and where the user continues.', {
          client: string('What the application is called.'),
          user: string('Name of the User.'),
          scopes: strings('What it asks for.'),
          asksUser: boolean('Whether the user must decide.'),
          signInAgain: boolean('The application asks for a newer sign-in than that of this session.'),
          location: string('Where the user is sent once decided.'),
        }),
      },
    ),
    review: async (input, { user, dryRun }) => {
      const { request: sealed, decision } = askedIn(input)
      const session = parts.grants.sessionOf(user)
      if (session === undefined) {
        const why = 'users sign in to applications in the browser, with a session of the console that has no scope'
        throw forbidden({ plural, group }, '', why)
      }
      const request = await openRequest(sealed, await parts.sealingKey(), parts.clock)
      const client = request && parts.clients.find(request.clientId)
      if (request === undefined || client === undefined || !isStillRight(request, client)) {
        const problem = 'the request has expired, or was not made here: start again at the application'
        throw invalid(gvk, '', [invalidField('spec.request', '…', problem)])
      }
      const status = await decided(parts, { request, client, session, decision: dryRun ? '' : decision })
      return answered(gvk, { spec: { decision }, status })
    },
  }
}

function askedIn({ spec }: KubeObject): { readonly request: string; readonly decision: string } {
  const { request, decision } = asMembers(spec)
  return {
    request: asText(request),
    decision: asText(decision),
  }
}

/** The application may have been changed while the user signed in. */
export function isStillRight({ redirectUri }: AuthorizationRequest, { spec }: KnownClient): boolean {
  return (spec.redirectUris ?? []).includes(redirectUri)
}

interface Deciding {
  readonly request: AuthorizationRequest
  readonly client: KnownClient
  readonly session: BrowserSession
  readonly decision: string
}

async function decided(parts: AuthorizationParts, deciding: Deciding): Promise<object> {
  const { request, client, session, decision } = deciding
  const shown = {
    client: client.spec.displayName || client.id,
    user: session.user.name,
    scopes: request.scopes,
    asksUser: request.asksConsent || (client.spec.consent ?? 'ask') !== 'none',
  }
  const refusal = (code: OauthErrorCode) => ({
    ...shown,
    location: refusalAddress(request, parts.issuer, code),
  })
  const answer = (content: Readonly<Record<string, string>>) => ({
    ...shown,
    location: answerAddress(request.redirectUri, parts.issuer, content, request.state),
  })
  if (!isSignedInAsAsked(request, session)) {
    return request.isSilent ? refusal('login_required') : { ...shown, signInAgain: true }
  }
  if (!admits(client, session.user) || decision === 'deny') return refusal('access_denied')
  if (request.isSilent && shown.asksUser) return refusal('consent_required')
  return decision === 'allow' ? answer({ code: await codeFor(parts, deciding) }) : shown
}

/** Recently enough, and as the user that the application expects. */
function isSignedInAsAsked({ signedInSinceMs, hintedUser }: AuthorizationRequest, session: BrowserSession): boolean {
  if (session.startedAtMs < Math.floor(signedInSinceMs / 1000) * 1000) return false
  return hintedUser === '' || hintedUser === session.user.uid
}

/** The URL for an answer without a code. */
export function refusalAddress(
  { redirectUri, state }: AuthorizationRequest,
  issuer: string,
  error: OauthErrorCode,
): string {
  return answerAddress(redirectUri, issuer, { error }, state)
}

function codeFor({ codes }: AuthorizationParts, { request, client, session }: Deciding): Promise<string> {
  const { clientId, redirectUri, scopes, nonce, challenge } = request
  const { name: user, uid: userUid } = session.user
  return codes.issue({
    grant: { clientId, clientUid: client.uid, redirectUri, scopes, nonce, user, userUid },
    challenge,
    authTimeMs: session.startedAtMs,
    sessionUid: session.keyUid,
  })
}
