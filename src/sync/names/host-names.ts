import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { rememberingRecent } from '../../base/recent.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { HostNames } from '../contract.ts'
import { hostNameOf, parseName, printName, type TenantPlace } from './names.ts'
import { namespaceMapping } from './namespace-mapping.ts'

/** Names are cached, because each is needed several times while its object is written, and contains a hash. */
const mostRemembered = 1_000

export interface TenantHostNames {
  /** Undefined for objects in an unmapped namespace. */
  readonly hostOf: (virtual: ObjectName) => ObjectName | undefined
  readonly forKinds: HostNames
}

export function hostNamesOf(identity: TenantPlace, config: EffectiveConfig): TenantHostNames {
  const { enabled, mappings } = config.sync.toHost.namespaces
  const hostOfName = rememberingRecent(mostRemembered, (text) => hostNameOf(identity, config, parseName(text)))
  const hostOf = (virtual: ObjectName) => hostOfName(printName(virtual))
  const mappingOf = (namespace: string) => namespaceMapping(mappings.byName, namespace, identity.tenant)
  return {
    hostOf,
    forKinds: {
      tenant: identity.tenant,
      tenantNamespace: identity.hostNamespace,
      multiNamespace: enabled,
      of: (namespace, name) => hostOf({ namespace, name }) ?? { namespace, name },
      namespaceOf: (namespace) => mappingOf(namespace)?.namespace,
      mappingOf,
    },
  }
}
