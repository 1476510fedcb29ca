import type { EffectiveConfig, KindSync, Patch, ReferencedKindSync } from '../../api/tenant-config/types.ts'
import type { SyncKind } from '../contract.ts'
import { configMapsSync } from './config-maps.ts'
import { endpointsSync } from './endpoints.ts'
import { secretsSync } from './secrets.ts'
import { servicesSync } from './services.ts'

export interface EnabledKind {
  readonly kind: SyncKind
  readonly patches: readonly Patch[]
  readonly carriesAll: boolean
}

/** The kinds that a configuration syncs to the host. */
export function enabledKinds({ sync: { toHost } }: EffectiveConfig): readonly EnabledKind[] {
  return [
    ...whole(endpointsSync, toHost.endpoints),
    ...whole(servicesSync, toHost.services),
    ...referenced(secretsSync, toHost.secrets),
    ...referenced(configMapsSync, toHost.configMaps),
  ]
}

function whole(kind: SyncKind, { enabled, patches }: KindSync): readonly EnabledKind[] {
  return enabled ? [{ kind, patches, carriesAll: true }] : []
}

function referenced(kind: SyncKind, { enabled, patches, all }: ReferencedKindSync): readonly EnabledKind[] {
  return enabled ? [{ kind, patches, carriesAll: all }] : []
}
