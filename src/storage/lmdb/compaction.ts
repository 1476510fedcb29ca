import type { Environment } from './environment.ts'
import { decodeEntry } from './log-entry.ts'
import { deletedPointer } from './pointer.ts'

/** What one step of compaction removes. */
export interface CompactionStep {
  readonly compactedRevision: number
  readonly revisions: readonly number[]
  readonly keys: readonly string[]
}

/** How many log entries one transaction inspects. */
const entriesPerStep = 1_000

/**
 * Inspects only entries that were not compactable before. An entry makes the previous one of its key removable, and a
 * deletion is removed with its pointer unless the key was created again.
 */
export function planCompaction(environment: Environment, fromRevision: number, toRevision: number): CompactionStep {
  const revisions: number[] = []
  const keys: string[] = []
  let seen = 0
  let last = fromRevision
  const range = { start: fromRevision + 1, end: toRevision, inclusiveEnd: true, limit: entriesPerStep }
  for (const { key: revision, value } of environment.log.getRange(range)) {
    const entry = decodeEntry(value, revision)
    if (entry.previousRevision > 0) revisions.push(entry.previousRevision)
    if (entry.type === 'deleted') {
      revisions.push(revision)
      if (environment.pointers.get(entry.key) === deletedPointer(revision)) keys.push(entry.key)
    }
    seen += 1
    last = revision
  }
  return { compactedRevision: seen < entriesPerStep ? toRevision : last, revisions, keys }
}

export function removeCompacted(environment: Environment, step: CompactionStep): void {
  for (const revision of step.revisions) environment.log.remove(revision)
  for (const key of step.keys) environment.pointers.remove(key)
}
