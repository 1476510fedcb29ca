import type { Transaction } from 'lmdb'
import { StoreDamaged, type StoredValue } from '../contract.ts'
import type { Environment } from './environment.ts'
import { fitsInKey } from './keys.ts'
import { entryTypeOf, previousRevisionOf, soundValueBytes } from './log-entry.ts'
import { isDeletedPointer, type Pointer, pointerRevision } from './pointer.ts'

type Snapshot = { readonly transaction?: Transaction }
const latest: Snapshot = {}

/** What stood at the key at that revision. */
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

/** The same without a copy: the value is only valid until the next read. */
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

/** The revision whose value stood there then; `undefined` when nothing did. Reads no value while the answer is new. */
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
    // A revision that compaction removed was superseded or a deletion by the oldest revision that can be asked for.
    if (bytes === undefined) return undefined
    if (revision <= atRevision) return entryTypeOf(bytes) === 'deleted' ? undefined : revision
    revision = previousRevisionOf(bytes)
  }
  return undefined
}

/** As lmdb has it; its types leave the second argument out. */
interface PeekingTable {
  getBinaryFast(revision: number, snapshot: Snapshot): Uint8Array | undefined
}

/** Only valid until the next read: lmdb's buffer, uncopied. */
function peekEntry({ log }: { readonly log: PeekingTable }, revision: number, snapshot: Snapshot) {
  return log.getBinaryFast(revision, snapshot)
}
