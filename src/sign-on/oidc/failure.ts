import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { printable } from '../claims/printable.ts'
import { SignOnFailure } from '../failure.ts'

/** Error codes of the library for responses that cannot be trusted. */
const untrustedCodes: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_UNSUPPORTED_OPERATION',
  'OAUTH_PARSE_ERROR',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_INVALID_SERVER_METADATA',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
])

/** Classifies the failure of a provider. Only messages are passed on: the errors' other properties contain tokens. */
export function providerFailure(error: unknown): SignOnFailure {
  if (error instanceof SignOnFailure) return error
  // The library hides what the functions throw that it calls.
  if (error instanceof Error && error.cause instanceof SignOnFailure) return error.cause
  if (error instanceof AuthorizationResponseError) {
    const code = error.error === 'access_denied' ? 'canceled' : 'refused'
    return new SignOnFailure(code, `the provider answered ${printable(error.error)}`)
  }
  if (error instanceof ResponseBodyError) {
    const code = error.error === 'invalid_client' || error.error === 'unauthorized_client' ? 'misconfigured' : 'refused'
    return new SignOnFailure(code, `the provider refused the code: ${printable(error.error)}`)
  }
  if (error instanceof ClientError && untrustedCodes.has(error.code ?? '')) {
    return new SignOnFailure('untrusted', `${error.code}: ${causeText(error)}`)
  }
  return new SignOnFailure('unavailable', error instanceof Error ? causeText(error) : 'no answer')
}

/** Only an invalid refresh token concerns the user: any other refusal may be temporary. */
export function refreshFailure(error: unknown): SignOnFailure {
  if (error instanceof ResponseBodyError && error.error !== 'invalid_grant') {
    return new SignOnFailure('unavailable', `the provider answered ${printable(error.error)}`)
  }
  return providerFailure(error)
}

/** Messages of the library and of fetch that leave everything to their cause. */
const saysNothing: ReadonlySet<string> = new Set(['something went wrong', 'fetch failed'])

function causeText(error: Error): string {
  const { cause } = error
  if (!(cause instanceof Error)) return printable(error.message)
  return printable(saysNothing.has(error.message) ? cause.message : `${error.message} (${cause.message})`)
}
