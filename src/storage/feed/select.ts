import type { ChangeBatch, StoreChange } from '../contract.ts'

/** The part of a batch that a watcher of `prefix` at `position` has not seen yet. */
export function selectChanges(batch: ChangeBatch, prefix: string, position: number): readonly StoreChange[] {
  const first = batch.changes[0]
  if (prefix === '' && (first === undefined || first.revision > position)) return batch.changes
  return batch.changes.filter((change) => change.revision > position && change.key.startsWith(prefix))
}
