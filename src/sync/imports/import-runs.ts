import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { Clock } from '../../base/clock.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Log } from '../../base/log.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { SyncKind } from '../contract.ts'
import { patchOf, type TenantSetting } from '../kind-config.ts'
import type { KindObserver } from '../kind-parts.ts'
import { configMapsSync } from '../kinds/config-maps.ts'
import { customResourceSync } from '../kinds/generic.ts'
import { secretsSync } from '../kinds/secrets.ts'
import { ServedRun } from '../served-run.ts'
import { type ImportConfig, ImportSyncer } from './import-syncer.ts'
import { type ImportedKind, importedKind, mappedImport } from './mapped-import.ts'
import { ReferencedPlaces, referencedImport } from './referenced-import.ts'

export interface ImportRunsParts {
  readonly clients: { readonly virtual: KubeClient; readonly host: KubeClient }
  readonly observerOf: (id: string) => KindObserver
  readonly mayWrite: () => boolean
  readonly clock: Clock
  readonly log: Log
}

interface MappedRun {
  readonly entry: ImportedKind
  readonly run: ServedRun<ImportSyncer>
}

interface ReferencedRun {
  readonly places: ReferencedPlaces
  readonly run: ServedRun<ImportSyncer>
}

/** Everything that comes from the host: what tenant.yaml names, and what something synced refers to. */
export class ImportRuns {
  readonly #parts: ImportRunsParts
  readonly #mapped = new Map<string, MappedRun>()
  readonly #referenced = new Map<string, ReferencedRun>()

  constructor(parts: ImportRunsParts) {
    this.#parts = parts
  }

  /** Imports of a kind that is switched off stay as they are. */
  reconfigure(tenant: TenantSetting): void {
    const entries = new Map(importedKinds(tenant.config).map((entry) => [entry.kind.id, entry]))
    for (const [id, { entry, run }] of this.#mapped) {
      const next = entries.get(id)
      if (next !== undefined && deepEqual([next.byName, next.patches], [entry.byName, entry.patches])) continue
      this.#mapped.delete(id)
      void run.stop()
    }
    for (const [id, entry] of entries) {
      if (!this.#mapped.has(id))
        this.#mapped.set(id, { entry, run: this.#start(entry.kind, () => mappedImport(entry, patchOf(entry, tenant))) })
    }
  }

  /** Something synced refers to an object, or no longer does. Whether the host has one is found out only if it matters. */
  referenced(
    kind: SyncKind,
    virtual: ObjectName,
    isReferenced: boolean,
    tenant: {
      readonly setting: TenantSetting
      hostOf(virtual: ObjectName): ObjectName | undefined
      readonly hostNamespace: string | undefined
    },
  ): void {
    const known = this.#referenced.get(kind.id)
    if (known === undefined && !isReferenced) return
    const places = known?.places ?? new ReferencedPlaces(tenant.hostOf)
    places.set(virtual, isReferenced)
    if (known !== undefined) {
      known.run.running?.enqueue(virtual)
      return
    }
    const config = () => referencedImport(kind, places, tenant.setting.identity, tenant.hostNamespace)
    this.#referenced.set(kind.id, { places, run: this.#start(kind, config) })
  }

  *runs(): Iterable<readonly [string, ServedRun<ImportSyncer>]> {
    for (const [id, { run }] of this.#mapped) yield [`fromHost.${id}`, run]
    for (const [id, { run }] of this.#referenced) yield [`references.${id}`, run]
  }

  async stop(): Promise<void> {
    await Promise.all([...this.runs()].map(([, run]) => run.stop()))
  }

  #start(kind: SyncKind, configOf: () => ImportConfig): ServedRun<ImportSyncer> {
    const { clients, observerOf, mayWrite, clock, log } = this.#parts
    const observer = observerOf(`fromHost.${kind.id}`)
    const kindLog = log.child({ kind: kind.id, direction: 'fromHost' })
    return new ServedRun({
      kind,
      clients,
      log: kindLog,
      start: (types) => {
        const virtual = { client: clients.virtual, type: types.virtual }
        const host = { client: clients.host, type: types.host }
        return new ImportSyncer({ virtual, host, observer, mayWrite, clock, log: kindLog }, configOf())
      },
    })
  }
}

function importedKinds({ sync: { fromHost } }: EffectiveConfig): readonly ImportedKind[] {
  return [
    ...importedKind(configMapsSync, fromHost.configMaps),
    ...importedKind(secretsSync, fromHost.secrets),
    ...Object.entries(fromHost.customResources).flatMap(([id, sync]) => importedKind(customResourceSync(id), sync)),
  ]
}
