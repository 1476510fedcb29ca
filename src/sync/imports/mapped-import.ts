import type { ImportedKindSync, Patch } from '../../api/tenant-config/types.ts'
import type { InformerOptions } from '../../client/contract.ts'
import type { SyncKind } from '../contract.ts'
import { managedBy } from '../markers.ts'
import type { KindRules } from '../rules.ts'
import type { ImportConfig } from './import-syncer.ts'
import { type ImportSource, importMapping } from './mapping.ts'

/** A kind that tenant.yaml imports from the host. */
export interface ImportedKind {
  readonly kind: SyncKind
  readonly byName: Readonly<Record<string, string>>
  readonly patches: readonly Patch[]
}

export function importedKind(
  kind: SyncKind,
  { enabled, mappings, patches }: ImportedKindSync,
): readonly ImportedKind[] {
  return enabled ? [{ kind, byName: mappings.byName, patches }] : []
}

/** Copies that tenants have on the host are not imported: they come from a virtual cluster already. */
export function mappedImport({ kind, byName }: ImportedKind, patch: KindRules['patch']): ImportConfig {
  const { virtualOf, hostOf, sources } = importMapping(byName)
  return {
    rules: { kind, cause: 'mapping', patch },
    virtualOf,
    hostOf,
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
