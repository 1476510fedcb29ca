import type { ResourceAttributes } from '../../api/access.ts'
import { connectorSecret } from '../../api/management/connector-settings.ts'
import type { Connector } from '../../api/types/management.ts'
import type { NeededRights } from '../required-rights.ts'
import { asAnyone } from '../rights.ts'

/**
 * A connector decides who is who, so writing one takes the right to be anyone. The Secret it names is shown to the
 * provider, so that takes the right to read it.
 */
export const connectorGains: NeededRights = (object, _old, user) => {
  const shown = connectorSecret((object as Connector).spec ?? {})
  if (shown === undefined) return asAnyone(user)
  const secret: ResourceAttributes = {
    user,
    verb: 'get',
    group: '',
    version: 'v1',
    resource: 'secrets',
    subresource: '',
    namespace: shown.namespace,
    name: shown.name,
  }
  return [...asAnyone(user), secret]
}
