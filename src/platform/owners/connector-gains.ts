import type { ResourceAttributes } from '../../api/access.ts'
import type { Connector } from '../../api/types/management.ts'
import type { NeededRights } from '../required-rights.ts'
import { asAnyone } from '../rights.ts'

export const defaultSecretNamespace = 'tenant-platform'

/**
 * A connector decides who is who, so writing one takes the right to be anyone. The Secret it names is shown to the
 * provider, so that takes the right to read it.
 */
export const connectorGains: NeededRights = (object, _old, user) => {
  const { clientSecretRef } = (object as Connector).spec?.oidc ?? {}
  if (clientSecretRef === undefined) return asAnyone(user)
  const secret: ResourceAttributes = {
    user,
    verb: 'get',
    group: '',
    version: 'v1',
    resource: 'secrets',
    subresource: '',
    namespace: clientSecretRef.namespace || defaultSecretNamespace,
    name: clientSecretRef.name ?? '',
  }
  return [...asAnyone(user), secret]
}
