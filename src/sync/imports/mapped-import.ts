import type { InformerOptions } from '../../client/contract.ts'
import { managedBy } from '../names/markers.ts'
import { nameOf, printName } from '../names/names.ts'
import { patchOf, type TenantSetting } from '../run/kind-config.ts'
import type { ImportConfig } from './contract.ts'
import type { ImportedKind } from './imported-kinds.ts'
import { type ImportSource, importMapping } from './mapping.ts'
import { isSecretOfProcess } from './process-secrets.ts'

/**
 * Copies of tenants on the host are not imported, because they come from a virtual cluster already. A pattern does not
 * mean Secrets of the processes of tenants and of the platform.
 */
export function mappedImport(entry: ImportedKind, tenant: TenantSetting): ImportConfig {
  const { virtualOf, hostOf, sources } = importMapping(entry.byName)
  return {
    rules: { kind: entry.kind, cause: 'mapping', patch: patchOf(entry, tenant) },
    virtualOf,
    hostOf,
    isComplete: () => true,
    mayImport: (object) => {
      if (object.metadata.labels?.[managedBy] !== undefined) return false
      return !isSecretOfProcess(object) || Object.hasOwn(entry.byName, printName(nameOf(object)))
    },
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
