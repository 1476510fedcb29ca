import type { ConnectorSpec, OidcConnector } from '../types/management.ts'

export type ConnectorType = NonNullable<ConnectorSpec['type']>

export const connectorTypes = ['oidc', 'ldap'] as const satisfies readonly ConnectorType[]

export type SecretReference = NonNullable<OidcConnector['clientSecretRef']>

/** A Secret that a connector shows to its provider. */
export interface ConnectorSecret {
  readonly field: string
  readonly namespace: string
  readonly name: string
  readonly entry: string
}

const defaultNamespace = 'tenant-platform'

/** Undefined: the connector has none. */
export function connectorSecret(spec: ConnectorSpec): ConnectorSecret | undefined {
  switch (spec.type) {
    case 'ldap':
      return secretOf('spec.ldap.bindPasswordRef', spec.ldap?.bindPasswordRef, 'bindPassword')
    default:
      return secretOf('spec.oidc.clientSecretRef', spec.oidc?.clientSecretRef, 'clientSecret')
  }
}

function secretOf(field: string, reference: SecretReference | undefined, entry: string): ConnectorSecret | undefined {
  if (reference === undefined) return undefined
  const { name = '', namespace, key } = reference
  return { field, name, namespace: namespace || defaultNamespace, entry: key || entry }
}

/** What is put before the names of groups. */
export function groupsPrefixOf({ type, oidc, ldap }: ConnectorSpec): string {
  return (type === 'ldap' ? ldap : oidc)?.groupsPrefix ?? ''
}
