import { type FieldError, forbiddenField, invalidField, requiredField, tooManyField } from '../field-error.ts'
import { validateLabel, validateSubdomain } from '../names.ts'
import type { KubeObject } from '../object.ts'
import type { Connector, ConnectorSpec, OidcConnector } from '../types/management.ts'

const mostEntries = 100
const longestText = 2_000
const longestBundle = 256 * 1024
export const maxClockSkewSeconds = 600

/** Rules beyond the schema, which has been held against the object. */
export function validateConnector(object: KubeObject): readonly FieldError[] {
  const { spec = {} } = object as Connector
  return [
    ...(spec.type === undefined ? [requiredField('spec.type', 'name the protocol: oidc')] : []),
    ...(spec.oidc === undefined ? [requiredField('spec.oidc')] : validateOidc(spec.oidc)),
    ...listErrors(spec),
  ]
}

/** A subject is only known together with its issuer: another issuer under the same name would inherit the users of the first. */
export function validateConnectorUpdate(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const issuerOf = (each: KubeObject) => (each as Connector).spec?.oidc?.issuer
  if (issuerOf(object) === issuerOf(old)) return []
  return [forbiddenField('spec.oidc.issuer', 'users are known by their subject at this issuer: make another connector')]
}

function validateOidc(oidc: OidcConnector): readonly FieldError[] {
  const { issuer = '', clientId = '', redirectUri = '', clockSkewSeconds: skew = 0, caBundle = '' } = oidc
  return [
    ...(issuer === '' ? [requiredField('spec.oidc.issuer')] : issuerErrors(issuer)),
    ...(clientId === '' ? [requiredField('spec.oidc.clientId')] : []),
    ...(redirectUri === '' ? [] : redirectErrors(redirectUri)),
    ...(skew < 0 || skew > maxClockSkewSeconds
      ? [invalidField('spec.oidc.clockSkewSeconds', skew, `must be between 0 and ${maxClockSkewSeconds}`)]
      : []),
    ...(caBundle === '' || (isPem(caBundle) && caBundle.length <= longestBundle)
      ? []
      : [invalidField('spec.oidc.caBundle', '…', `must be certificates in PEM, at most ${longestBundle} bytes`)]),
    ...secretErrors(oidc.clientSecretRef),
  ]
}

function issuerErrors(issuer: string): readonly FieldError[] {
  const problem = 'must be an https address without user, query or fragment'
  return isPlainHttps(issuer) ? [] : [invalidField('spec.oidc.issuer', issuer, problem)]
}

function redirectErrors(redirectUri: string): readonly FieldError[] {
  const field = 'spec.oidc.redirectUri'
  if (!isPlainHttps(redirectUri)) {
    return [invalidField(field, redirectUri, 'must be an https address without user, query or fragment')]
  }
  if (new URL(redirectUri).pathname.includes('/auth/callback/')) return []
  return [invalidField(field, redirectUri, 'must lead to /auth/callback/<name of the connector>')]
}

function isPlainHttps(text: string): boolean {
  if (text.length > longestText || !URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return protocol === 'https:' && username === '' && password === '' && search === '' && hash === ''
}

function isPem(text: string): boolean {
  return /^\s*-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\s*$/.test(text)
}

function secretErrors(reference: OidcConnector['clientSecretRef']): readonly FieldError[] {
  if (reference === undefined) return []
  const { name = '', namespace = '' } = reference
  const field = 'spec.oidc.clientSecretRef'
  return [
    ...(name === ''
      ? [requiredField(`${field}.name`)]
      : validateSubdomain(name).map((problem) => invalidField(`${field}.name`, name, problem))),
    ...(namespace === ''
      ? []
      : validateLabel(namespace).map((problem) => invalidField(`${field}.namespace`, namespace, problem))),
  ]
}

const lists = ['groupFilters', 'allowedGroups', 'allowedEmailDomains', 'extraClaims'] as const

function listErrors(spec: ConnectorSpec): readonly FieldError[] {
  return lists.flatMap((name) => {
    const entries = spec[name] ?? []
    if (entries.length > mostEntries) return [tooManyField(`spec.${name}`, entries.length, mostEntries)]
    return entries.flatMap((entry, index) => (entry === '' ? [requiredField(`spec.${name}[${index}]`)] : []))
  })
}
