import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { SyncKind } from '../contract.ts'
import type { KindObserver } from '../run/kind-parts.ts'
import { ServedRun } from '../run/served-run.ts'
import type { ImportConfig } from './contract.ts'
import { ImportSyncer } from './import-syncer.ts'

export type ImportRun = ServedRun<ImportSyncer>

export interface ImportRunParts {
  readonly clients: { readonly virtual: KubeClient; readonly host: KubeClient }
  readonly observerOf: (id: string) => KindObserver
  readonly mayWrite: () => boolean
  readonly clock: Clock
  readonly elapsed: Clock
  readonly log: Log
}

/** The import of one kind, once both clusters serve it. Metrics and `/debug/sync` use the id. */
export function startImportRun(
  id: string,
  kind: SyncKind,
  configNow: () => ImportConfig,
  { clients, observerOf, log, ...rest }: ImportRunParts,
): ImportRun {
  const parts = { ...rest, observer: observerOf(id), log: log.child({ kind: id }) }
  return new ServedRun({
    kind,
    clients,
    log: parts.log,
    start: (types) => {
      const virtual = { client: clients.virtual, type: types.virtual }
      const host = { client: clients.host, type: types.host }
      return new ImportSyncer({ ...parts, virtual, host }, configNow())
    },
  })
}
