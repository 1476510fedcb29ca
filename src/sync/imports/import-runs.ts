import type { ObjectName, ReferencedKind } from '../../patches/contract.ts'
import type { TenantSetting } from '../run/kind-config.ts'
import type { ImportRun, ImportRunParts } from './import-run.ts'
import { MappedRuns } from './mapped-runs.ts'
import type { ReferencingTenant } from './referenced-import.ts'
import { ReferencedRuns } from './referenced-runs.ts'

/** All imports from the host: those that tenant.yaml names, and those that synced objects refer to. */
export class ImportRuns {
  readonly #mapped: MappedRuns
  readonly #referenced: ReferencedRuns

  constructor(parts: ImportRunParts, tenant: ReferencingTenant) {
    this.#mapped = new MappedRuns(parts)
    this.#referenced = new ReferencedRuns(parts, tenant)
  }

  reconfigure(tenant: TenantSetting): void {
    this.#mapped.reconfigure(tenant)
    this.#referenced.reconfigure(tenant.config)
  }

  /** A synced object refers to an object, or no longer does. */
  referenced(kind: ReferencedKind, virtual: ObjectName, isReferenced: boolean): void {
    this.#referenced.referenced(kind, virtual, isReferenced)
  }

  /** All references are known. Imports of these kinds without a reference may be deleted. */
  referencesCompleted(kinds: readonly ReferencedKind[]): void {
    this.#referenced.completed(kinds)
  }

  *runs(): Iterable<readonly [string, ImportRun]> {
    yield* this.#mapped.runs()
    yield* this.#referenced.runs()
  }

  async stop(): Promise<void> {
    await this.#referenced.stop()
    await Promise.all([...this.runs()].map(([, run]) => run.stop()))
  }
}
