import { oidcScopes } from '../../api/management/oidc-client-validation.ts'

/** The path below which the provider serves everything; the issuer ends with it. */
const providerRoot = '/oidc'

/** The console page that asks the user. */
export const consentPage = '/authorize'

export const providerPaths = {
  discovery: `${providerRoot}/.well-known/openid-configuration`,
  keys: `${providerRoot}/keys`,
  authorize: `${providerRoot}/authorize`,
  /** Where the console page sends a browser without a signed-in user, if it may not ask. */
  notSignedIn: `${providerRoot}/not-signed-in`,
  token: `${providerRoot}/token`,
  userinfo: `${providerRoot}/userinfo`,
  introspect: `${providerRoot}/introspect`,
  revoke: `${providerRoot}/revoke`,
  endSession: `${providerRoot}/end-session`,
} as const

/** The only algorithm: a token never chooses how it is verified. */
export const signingAlgorithm = 'RS256'

/** The audience of access tokens. */
export function userinfoAudience(issuer: string): string {
  return `${issuer}/userinfo`
}

const clientMethods = ['client_secret_basic', 'client_secret_post']

export function discoveryOf(issuer: string): object {
  const at = (path: string) => issuer + path.slice(providerRoot.length)
  return {
    issuer,
    authorization_endpoint: at(providerPaths.authorize),
    token_endpoint: at(providerPaths.token),
    userinfo_endpoint: at(providerPaths.userinfo),
    jwks_uri: at(providerPaths.keys),
    introspection_endpoint: at(providerPaths.introspect),
    revocation_endpoint: at(providerPaths.revoke),
    end_session_endpoint: at(providerPaths.endSession),
    scopes_supported: ['openid', ...oidcScopes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [signingAlgorithm],
    token_endpoint_auth_methods_supported: [...clientMethods, 'none'],
    introspection_endpoint_auth_methods_supported: clientMethods,
    revocation_endpoint_auth_methods_supported: [...clientMethods, 'none'],
    code_challenge_methods_supported: ['S256'],
    claims_supported: [
      ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'sid', 'at_hash'],
      ...['name', 'preferred_username', 'email', 'email_verified', 'groups'],
    ],
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}
