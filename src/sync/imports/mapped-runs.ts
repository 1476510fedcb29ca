import { deepEqual } from '../../base/equal.ts'
import type { TenantSetting } from '../run/kind-config.ts'
import type { ImportConfig } from './contract.ts'
import { type ImportRun, type ImportRunParts, startImportRun } from './import-run.ts'
import { type ImportedKind, importedKinds } from './imported-kinds.ts'
import { mappedImport } from './mapped-import.ts'

interface MappedRun {
  readonly run: ImportRun
  readonly byName: ImportedKind['byName']
  config: ImportConfig
}

/** The imports that tenant.yaml names. */
export class MappedRuns {
  readonly #parts: ImportRunParts
  readonly #runs = new Map<string, MappedRun>()

  constructor(parts: ImportRunParts) {
    this.#parts = parts
  }

  /** Imports of a disabled kind stay unchanged. Changed mappings have other sources, so they start over. */
  reconfigure(tenant: TenantSetting): void {
    const entries = new Map(importedKinds(tenant.config).map((entry) => [entry.kind.id, entry]))
    for (const [id, { run, byName }] of this.#runs) {
      if (deepEqual(entries.get(id)?.byName, byName)) continue
      this.#runs.delete(id)
      void run.stop()
    }
    for (const entry of entries.values()) this.#use(entry, mappedImport(entry, tenant))
  }

  *runs(): Iterable<readonly [string, ImportRun]> {
    for (const [id, { run }] of this.#runs) yield [nameOfRun(id), run]
  }

  #use({ kind, byName }: ImportedKind, config: ImportConfig): void {
    const known = this.#runs.get(kind.id)
    if (known !== undefined) {
      known.config = config
      known.run.running?.reconfigure(config)
      return
    }
    const configNow = () => this.#runs.get(kind.id)?.config ?? config
    this.#runs.set(kind.id, { run: startImportRun(nameOfRun(kind.id), kind, configNow, this.#parts), byName, config })
  }
}

function nameOfRun(kind: string): string {
  return `fromHost.${kind}`
}
