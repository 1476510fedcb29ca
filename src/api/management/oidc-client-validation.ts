import { type FieldError, invalidField, requiredField, tooLongField, tooManyField } from '../field-error.ts'
import type { KubeObject } from '../object.ts'
import type { OIDCClient, OIDCClientSpec } from '../types/management.ts'
import { secretErrors } from './connectors/connector-field-errors.ts'

export const oidcScopes = ['profile', 'email', 'groups', 'offline_access'] as const
const oidcConsents = ['ask', 'none'] as const

const mostUris = 50
const longestUri = 1_000
const tokenSeconds = { least: 60, most: 3_600 }
const refreshSeconds = { least: 300, most: 30 * 24 * 3_600 }

/** Rules beyond the schema, against which the object has been validated. */
export function validateOidcClient(object: KubeObject): readonly FieldError[] {
  const spec = (object as OIDCClient).spec ?? {}
  const { redirectUris = [], postLogoutRedirectUris = [], scopes = [], consent = 'ask' } = spec
  return [
    ...(redirectUris.length === 0 ? [requiredField('spec.redirectUris', 'say where users are sent back to')] : []),
    ...uriErrors('spec.redirectUris', redirectUris),
    ...uriErrors('spec.postLogoutRedirectUris', postLogoutRedirectUris),
    ...scopes.flatMap((scope, index) => oneOfErrors(`spec.scopes[${index}]`, scope, oidcScopes)),
    ...oneOfErrors('spec.consent', consent, oidcConsents),
    ...secretErrors('spec.clientSecretRef', spec.clientSecretRef),
    ...pkceErrors(spec),
    ...secondsErrors('spec.accessTokenSeconds', spec.accessTokenSeconds, tokenSeconds),
    ...secondsErrors('spec.refreshTokenSeconds', spec.refreshTokenSeconds, refreshSeconds),
  ]
}

function pkceErrors({ clientSecretRef, allowWithoutPkce }: OIDCClientSpec): readonly FieldError[] {
  if (clientSecretRef !== undefined || allowWithoutPkce !== true) return []
  return [invalidField('spec.allowWithoutPkce', true, 'a client without a secret has nothing but PKCE')]
}

function oneOfErrors(field: string, value: string, allowed: readonly string[]): readonly FieldError[] {
  return allowed.includes(value) ? [] : [invalidField(field, value, `must be one of ${allowed.join(', ')}`)]
}

function secondsErrors(
  field: string,
  value: number | undefined,
  { least, most }: { readonly least: number; readonly most: number },
): readonly FieldError[] {
  if (value === undefined || (value >= least && value <= most)) return []
  return [invalidField(field, value, `must be between ${least} and ${most}`)]
}

function uriErrors(field: string, uris: readonly string[]): readonly FieldError[] {
  if (uris.length > mostUris) return [tooManyField(field, uris.length, mostUris)]
  return uris.flatMap((uri, index) => {
    if (uri.length > longestUri) return [tooLongField(`${field}[${index}]`, longestUri)]
    const problem = uriProblem(uri)
    return problem === undefined ? [] : [invalidField(`${field}[${index}]`, uri, problem)]
  })
}

/**
 * Plain HTTP only to the user's machine, for programs there. A URI that a browser would read as a different address is
 * refused, since URIs are compared literally.
 */
function uriProblem(uri: string): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (url === undefined || uri.includes('*')) return 'must be a whole address, without wildcards'
  if (uri.includes('#')) return 'must have no fragment'
  if (url.username !== '' || url.password !== '') return 'must have no user'
  const isOwnMachine = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwnMachine)) {
    return 'must begin with https://, or with http:// for localhost'
  }
  const isPlain = url.href === uri || url.href === `${uri}/`
  return isPlain ? undefined : `must be written plainly: ${url.href}`
}
