import type { ResourceAttributes, UserInfo } from '../../api/access.ts'
import {
  type ConnectorSecret,
  connectorSecret,
  oidcClientSecret,
} from '../../api/management/connectors/connector-settings.ts'
import type { Connector, OIDCClient } from '../../api/types/management.ts'
import type { NeededRights } from '../required-rights.ts'
import { asAnyone } from '../rights.ts'

/**
 * A connector decides which identity belongs to which user, so writing one takes the right to impersonate anyone. The
 * Secret it names is sent to the provider, so that takes the right to read it.
 */
export const connectorGains: NeededRights = (object, _old, user) => [
  ...asAnyone(user),
  ...readingSecret(user, connectorSecret((object as Connector).spec ?? {})),
]

/**
 * The same applies to an application: it learns who users are. Its Secret authenticates it, so naming one takes the
 * right to read it.
 */
export const oidcClientGains: NeededRights = (object, _old, user) => [
  ...asAnyone(user),
  ...readingSecret(user, oidcClientSecret((object as OIDCClient).spec ?? {})),
]

function readingSecret(user: UserInfo, secret: ConnectorSecret | undefined): readonly ResourceAttributes[] {
  if (secret === undefined) return []
  const { namespace, name } = secret
  return [{ user, verb: 'get', group: '', version: 'v1', resource: 'secrets', subresource: '', namespace, name }]
}
