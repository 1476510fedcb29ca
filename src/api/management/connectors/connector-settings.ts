import type { ConnectorSpec, OIDCClientSpec, OidcConnector } from '../../types/management.ts'

export type ConnectorType = NonNullable<ConnectorSpec['type']>

export const connectorTypes = ['oidc', 'github', 'ldap', 'saml'] as const satisfies readonly ConnectorType[]

export type SecretReference = NonNullable<OidcConnector['clientSecretRef']>

/** A Secret that a connector presents to its provider. */
export interface ConnectorSecret {
  readonly namespace: string
  readonly name: string
  readonly entry: string
}

const defaultNamespace = 'tenant-platform'

/** Undefined: the connector has none. */
export function connectorSecret(spec: ConnectorSpec): ConnectorSecret | undefined {
  switch (spec.type) {
    case 'ldap':
      return secretOf(spec.ldap?.bindPasswordRef, 'bindPassword')
    case 'github':
      return secretOf(spec.github?.clientSecretRef, 'clientSecret')
    case 'saml':
      return undefined
    default:
      return secretOf(spec.oidc?.clientSecretRef, 'clientSecret')
  }
}

/** The credential of an application. Undefined: it is a public client. */
export function oidcClientSecret({ clientSecretRef }: OIDCClientSpec): ConnectorSecret | undefined {
  return secretOf(clientSecretRef, 'clientSecret')
}

function secretOf(reference: SecretReference | undefined, entry: string): ConnectorSecret | undefined {
  if (reference === undefined) return undefined
  const { name = '', namespace, key } = reference
  return { name, namespace: namespace || defaultNamespace, entry: key || entry }
}

/** The prefix of group names. */
export function groupsPrefixOf({ type = 'oidc', ...settings }: ConnectorSpec): string {
  return settings[type]?.groupsPrefix ?? ''
}

/** Where the provider sends people back, if the connector specifies it. */
export function redirectUriOf({ type = 'oidc', oidc, github, saml }: ConnectorSpec): string {
  const settings = { oidc, github, saml, ldap: undefined }[type]
  return settings?.redirectUri ?? ''
}
