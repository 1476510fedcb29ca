import type { KubeClient } from '../../client/contract.ts'
import type { EnabledKind } from '../kinds/enabled.ts'
import { kindConfigOf, type TenantSetting } from './kind-config.ts'
import type { KindParts, References } from './kind-parts.ts'
import { KindSyncer } from './kind-syncer.ts'
import { ServedRun } from './served-run.ts'
import type { BothTypes } from './served-types.ts'

export interface KindRunParts extends Omit<KindParts, 'virtual' | 'host' | 'references'> {
  readonly clients: { readonly virtual: KubeClient; readonly host: KubeClient }
  readonly referencesOf: (types: BothTypes) => References
  /** Called each time all objects were checked after a start. */
  readonly settled: () => void
}

/** An enabled kind, under the current configuration. */
export class KindRun {
  readonly run: ServedRun<KindSyncer>
  #entry: EnabledKind
  #tenant: TenantSetting

  constructor(entry: EnabledKind, tenant: TenantSetting, parts: KindRunParts) {
    const { clients, referencesOf, settled, ...rest } = parts
    this.#entry = entry
    this.#tenant = tenant
    this.run = new ServedRun({
      kind: entry.kind,
      clients,
      log: parts.log,
      start: (types) => {
        const virtual = { client: clients.virtual, type: types.virtual }
        const host = { client: clients.host, type: types.host }
        const references = referencesOf(types)
        const syncer = new KindSyncer({ ...rest, virtual, host, references }, this.#configFor(types))
        void syncer.progress.whenSettled().then(settled)
        return syncer
      },
    })
  }

  get id(): string {
    return this.#entry.kind.id
  }

  get entry(): EnabledKind {
    return this.#entry
  }

  get syncer(): KindSyncer | undefined {
    return this.run.running
  }

  /** Whether a reference is to this kind. */
  serves({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
    const type = this.run.types?.virtual
    return type?.kind === kind && type.group === group
  }

  reconfigure(entry: EnabledKind, tenant: TenantSetting): void {
    this.#entry = entry
    this.#tenant = tenant
    if (this.run.types !== undefined) this.syncer?.reconfigure(this.#configFor(this.run.types))
  }

  #configFor(types: BothTypes) {
    return kindConfigOf(this.#entry, types.virtual, this.#tenant)
  }
}
