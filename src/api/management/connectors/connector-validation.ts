import { type FieldError, forbiddenField, invalidField, requiredField, tooManyField } from '../../field-error.ts'
import type { KubeObject } from '../../object.ts'
import type { Connector, ConnectorSpec, OidcConnector } from '../../types/management.ts'
import { bundleErrors, isPlainHttps, redirectErrors, secretErrors } from './connector-field-errors.ts'
import { githubErrors } from './connector-github-validation.ts'
import { ldapErrors } from './connector-ldap-validation.ts'
import { samlErrors } from './connector-saml-validation.ts'
import { type ConnectorType, connectorTypes } from './connector-settings.ts'

const mostEntries = 100
const maxClockSkewSeconds = 600

/** Rules beyond the schema, against which the object has been validated. */
export function validateConnector(object: KubeObject): readonly FieldError[] {
  const { spec = {} } = object as Connector
  return [...typeErrors(spec), ...settingsErrors(spec), ...listErrors(spec), ...lifeErrors(spec)]
}

const sessionSeconds = { least: 300, most: 30 * 24 * 3600 }

function lifeErrors({ sessionSeconds: seconds }: ConnectorSpec): readonly FieldError[] {
  const { least, most } = sessionSeconds
  if (seconds === undefined || (seconds >= least && seconds <= most)) return []
  return [invalidField('spec.sessionSeconds', seconds, `must be between ${least} and ${most}`)]
}

/**
 * A subject is only unique together with its provider: another one under the same name would inherit the users of the
 * first. A directory may move to another address; its identifiers for users stay.
 */
export function validateConnectorUpdate(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const [now, before] = [(object as Connector).spec ?? {}, (old as Connector).spec ?? {}]
  return fixedFields
    .filter(({ of }) => of(now) !== of(before))
    .map(({ field }) =>
      forbiddenField(field, 'it identifies the users of this connector: create another connector instead'),
    )
}

const fixedFields: readonly { readonly field: string; readonly of: (spec: ConnectorSpec) => string | undefined }[] = [
  { field: 'spec.type', of: ({ type }) => type },
  { field: 'spec.oidc.issuer', of: ({ oidc }) => oidc?.issuer },
  { field: 'spec.github.url', of: ({ github }) => github?.url },
  { field: 'spec.saml.issuer', of: ({ saml }) => saml?.issuer },
  { field: 'spec.saml.nameIdFormat', of: ({ saml }) => saml?.nameIdFormat ?? 'persistent' },
  { field: 'spec.ldap.preset', of: ({ ldap }) => ldap?.preset },
  { field: 'spec.ldap.users.idAttribute', of: ({ ldap }) => ldap?.users?.idAttribute },
]

function typeErrors({ type, ...spec }: ConnectorSpec): readonly FieldError[] {
  if (type === undefined) return [requiredField('spec.type', `name the protocol: ${connectorTypes.join(', ')}`)]
  return connectorTypes
    .filter((other) => other !== type && spec[other] !== undefined)
    .map((other) => forbiddenField(`spec.${other}`, `the connector is of type ${type}`))
}

const validateSettings: Readonly<Record<ConnectorType, (spec: ConnectorSpec) => readonly FieldError[]>> = {
  oidc: ({ oidc }) => (oidc === undefined ? [requiredField('spec.oidc')] : oidcErrors(oidc)),
  github: ({ github }) => (github === undefined ? [requiredField('spec.github')] : githubErrors(github)),
  ldap: ({ ldap }) => (ldap === undefined ? [requiredField('spec.ldap')] : ldapErrors(ldap)),
  saml: ({ saml }) => (saml === undefined ? [requiredField('spec.saml')] : samlErrors(saml)),
}

function settingsErrors(spec: ConnectorSpec): readonly FieldError[] {
  return spec.type === undefined ? [] : validateSettings[spec.type](spec)
}

function oidcErrors(oidc: OidcConnector): readonly FieldError[] {
  const { issuer = '', clientId = '', clockSkewSeconds: skew = 0 } = oidc
  return [
    ...(issuer === '' ? [requiredField('spec.oidc.issuer')] : issuerErrors(issuer)),
    ...(clientId === '' ? [requiredField('spec.oidc.clientId')] : []),
    ...redirectErrors('spec.oidc.redirectUri', oidc.redirectUri),
    ...(skew < 0 || skew > maxClockSkewSeconds
      ? [invalidField('spec.oidc.clockSkewSeconds', skew, `must be between 0 and ${maxClockSkewSeconds}`)]
      : []),
    ...graphErrors(oidc.graphUrl),
    ...bundleErrors('spec.oidc.caBundle', oidc.caBundle),
    ...secretErrors('spec.oidc.clientSecretRef', oidc.clientSecretRef),
  ]
}

function graphErrors(graphUrl = ''): readonly FieldError[] {
  const problem = 'must be an https address without user, query or fragment'
  return graphUrl === '' || isPlainHttps(graphUrl) ? [] : [invalidField('spec.oidc.graphUrl', graphUrl, problem)]
}

function issuerErrors(issuer: string): readonly FieldError[] {
  const problem = 'must be an https address without user, query or fragment'
  return isPlainHttps(issuer) ? [] : [invalidField('spec.oidc.issuer', issuer, problem)]
}

const lists = ['groupFilters', 'allowedGroups', 'allowedEmailDomains', 'extraClaims'] as const

function listErrors(spec: ConnectorSpec): readonly FieldError[] {
  return lists.flatMap((name) => {
    const entries = spec[name] ?? []
    if (entries.length > mostEntries) return [tooManyField(`spec.${name}`, entries.length, mostEntries)]
    return entries.flatMap((entry, index) => (entry === '' ? [requiredField(`spec.${name}[${index}]`)] : []))
  })
}
