import { UsageError } from '../../base/usage-error.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { RestoreBackupOptions } from './options.ts'

/** Restores everything into an empty store, or a part through the API of a running cluster. */
export async function restoreBackup(options: RestoreBackupOptions, terminal: Terminal): Promise<void> {
  const { store, namespace, object, revocations } = options
  const isPart = namespace !== undefined || object !== undefined
  if (isPart === (store !== undefined))
    throw new UsageError('name a target: --store for everything, or --namespace and --object for a part')
  if (store === undefined && revocations !== undefined)
    throw new UsageError('--revocations goes with --store: access keys are not restored one by one')
  if (store === undefined) return (await import('./restore-objects.ts')).restoreObjects(options, terminal)
  return (await import('./restore-everything.ts')).restoreEverything({ ...options, store }, terminal)
}
