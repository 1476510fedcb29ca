import type { Response } from '../../server/http.ts'
import { jsonResponse, withHeaders } from '../../server/responses/responses.ts'

export type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_token'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'login_required'
  | 'consent_required'
  | 'access_denied'

/** A refusal in the terms of OAuth. The description contains nothing of the request. */
export class OauthError extends Error {
  readonly code: OauthErrorCode

  constructor(code: OauthErrorCode, description: string) {
    super(description)
    this.name = 'OauthError'
    this.code = code
  }
}

const unauthorized: ReadonlySet<OauthErrorCode> = new Set(['invalid_client', 'invalid_token'])

export function oauthRefusal({ code, message }: OauthError): Response {
  const challenge = code === 'invalid_token' ? 'Bearer error="invalid_token"' : 'Basic realm="oidc"'
  const isUnauthorized = unauthorized.has(code)
  const response = uncached(isUnauthorized ? 401 : 400, { error: code, error_description: message })
  return isUnauthorized ? withHeaders(response, ['WWW-Authenticate', challenge]) : response
}

export function uncached(status: number, value: object): Response {
  return withHeaders(jsonResponse(status, value), ['Cache-Control', 'no-store', 'Pragma', 'no-cache'])
}
