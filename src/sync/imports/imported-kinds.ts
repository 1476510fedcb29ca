import type { EffectiveConfig, ImportedKindSync, PatchConfig } from '../../api/tenant-config/types.ts'
import type { SyncKind } from '../contract.ts'
import { configMapsSync } from '../kinds/config-maps.ts'
import { customResourceSync } from '../kinds/generic.ts'
import { secretsSync } from '../kinds/secrets.ts'

/** A kind that tenant.yaml imports from the host. */
export interface ImportedKind {
  readonly kind: SyncKind
  readonly byName: Readonly<Record<string, string>>
  readonly patches: readonly PatchConfig[]
}

/** The kinds that a configuration imports by mappings. */
export function importedKinds({ sync: { fromHost } }: EffectiveConfig): readonly ImportedKind[] {
  return [
    ...importedKind(configMapsSync, fromHost.configMaps),
    ...importedKind(secretsSync, fromHost.secrets),
    ...Object.entries(fromHost.customResources).flatMap(([id, sync]) => importedKind(customResourceSync(id), sync)),
  ]
}

function importedKind(kind: SyncKind, { enabled, mappings, patches }: ImportedKindSync): readonly ImportedKind[] {
  return enabled ? [{ kind, byName: mappings.byName, patches }] : []
}
