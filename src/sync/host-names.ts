import type { EffectiveConfig } from '../api/tenant-config/types.ts'
import type { ObjectName } from '../patches/contract.ts'
import type { HostNames } from './contract.ts'
import { hostNameOf, type TenantIdentity } from './names.ts'
import { mappedNamespace } from './namespace-mapping.ts'

export interface TenantHostNames {
  /** Nothing for what is in a namespace that is not mapped. */
  readonly hostOf: (virtual: ObjectName) => ObjectName | undefined
  readonly forKinds: HostNames
}

export function hostNamesOf(identity: TenantIdentity, config: EffectiveConfig): TenantHostNames {
  const { enabled, mappings } = config.sync.toHost.namespaces
  const hostOf = (virtual: ObjectName) => hostNameOf(identity, config, virtual)
  return {
    hostOf,
    forKinds: {
      multiNamespace: enabled,
      of: (namespace, name) => hostOf({ namespace, name }) ?? { namespace, name },
      namespaceOf: (namespace) => mappedNamespace(mappings.byName, namespace, identity.tenant),
    },
  }
}
