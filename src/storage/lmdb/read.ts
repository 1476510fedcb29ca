import type { Transaction } from 'lmdb'
import { StoreDamaged, type StoredValue } from '../contract.ts'
import type { Environment } from './environment.ts'
import { fitsInKey } from './keys.ts'
import { entryTypeOf, previousRevisionOf, soundValueBytes } from './log-entry.ts'
import { isDeletedPointer, type Pointer, pointerRevision } from './pointer.ts'

type Snapshot = { readonly transaction?: Transaction }
const latest: Snapshot = {}

/** The value of the key at that revision. */
export function readKey(environment: Environment, key: string, atRevision: number): StoredValue | undefined {
  if (!fitsInKey(key)) return undefined
  const pointer = environment.pointers.get(key)
  return pointer === undefined ? undefined : readPointed(environment, key, pointer, atRevision)
}

export function readPointed(
  environment: Environment,
  key: string,
  pointer: Pointer,
  atRevision: number,
  snapshot: Snapshot = latest,
): StoredValue | undefined {
  const revision = revisionAt(environment, pointer, atRevision, snapshot)
  if (revision === undefined) return undefined
  const bytes = environment.log.get(revision, snapshot)
  if (bytes === undefined) throw lacksRevision(revision, key)
  return { key, value: soundValueBytes(bytes, revision), revision }
}

/** The same without a copy: the value is valid only until the next read. */
export function peekPointed(
  environment: Environment,
  key: string,
  pointer: Pointer,
  atRevision: number,
  snapshot: Snapshot,
): StoredValue | undefined {
  const revision = revisionAt(environment, pointer, atRevision, snapshot)
  if (revision === undefined) return undefined
  const bytes = peekEntry(environment, revision, snapshot)
  if (bytes === undefined) throw lacksRevision(revision, key)
  return { key, value: soundValueBytes(bytes, revision), revision }
}

function lacksRevision(revision: number, key: string): StoreDamaged {
  return new StoreDamaged(`the log lacks revision ${revision} of ${key}`)
}

/**
 * The revision whose value was current then; `undefined` if there was none. Reads no entry if the latest revision is
 * the answer.
 */
export function revisionAt(
  environment: Environment,
  pointer: Pointer,
  atRevision: number,
  snapshot: Snapshot = latest,
): number | undefined {
  let revision = pointerRevision(pointer)
  if (revision <= atRevision) return isDeletedPointer(pointer) ? undefined : revision
  while (revision > 0) {
    const bytes = peekEntry(environment, revision, snapshot)
    // A revision removed by compaction had been superseded, or was a deletion, by the oldest revision that can be
    // requested.
    if (bytes === undefined) return undefined
    if (revision <= atRevision) return entryTypeOf(bytes) === 'deleted' ? undefined : revision
    revision = previousRevisionOf(bytes)
  }
  return undefined
}

/** The actual signature; lmdb's types omit the second argument. */
interface PeekingTable {
  getBinaryFast(revision: number, snapshot: Snapshot): Uint8Array | undefined
}

/** Returns lmdb's buffer without a copy, valid only until the next read. */
function peekEntry({ log }: { readonly log: PeekingTable }, revision: number, snapshot: Snapshot) {
  return log.getBinaryFast(revision, snapshot)
}
