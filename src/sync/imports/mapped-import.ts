import type { InformerOptions } from '../../client/contract.ts'
import { managedBy } from '../names/markers.ts'
import { patchOf, type TenantSetting } from '../run/kind-config.ts'
import type { ImportConfig } from './contract.ts'
import type { ImportedKind } from './imported-kinds.ts'
import { type ImportSource, importMapping } from './mapping.ts'

/** Copies of tenants on the host are not imported, because they come from a virtual cluster already. */
export function mappedImport(entry: ImportedKind, tenant: TenantSetting): ImportConfig {
  const { virtualOf, hostOf, sources } = importMapping(entry.byName)
  return {
    rules: { kind: entry.kind, cause: 'mapping', patch: patchOf(entry, tenant) },
    virtualOf,
    hostOf,
    isComplete: () => true,
    mayImport: ({ metadata }) => metadata.labels?.[managedBy] === undefined,
    sources: sources.map(selectionOf),
    readsContent: false,
  }
}

function selectionOf({ namespace, name }: ImportSource): InformerOptions {
  return {
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
  }
}
