import type { StoreChange, StoredValue, WriteResult } from '../contract.ts'
import { draftEntry, type EntryType, stampEntry, valueBytes } from './log-entry.ts'
import { deletedPointer, isDeletedPointer, livePointer, type Pointer, pointerRevision } from './pointer.ts'

/** A write waiting for its batch. `entry` holds a copy of key and value. */
export interface BatchedWrite {
  readonly type: EntryType
  readonly key: string
  /** `undefined` for a creation: the key must not exist. */
  readonly expectedRevision: number | undefined
  readonly entry: Buffer
}

export interface DecidedWrite {
  readonly revision: number
  readonly key: string
  readonly entry: Buffer
  readonly pointer: Pointer
  readonly change: StoreChange
}

export interface BatchPlan {
  /** One per operation, in the same order. */
  readonly results: readonly WriteResult[]
  readonly writes: readonly DecidedWrite[]
  readonly revision: number
}

/** The state before the batch. */
export interface DecisionBase {
  readonly revision: number
  pointer(key: string): Pointer | undefined
  value(key: string, pointer: Pointer): StoredValue | undefined
}

const noValue = new Uint8Array()

export function createOperation(key: string, value: Uint8Array): BatchedWrite {
  return { type: 'created', key, expectedRevision: undefined, entry: draftEntry(key, value) }
}

export function updateOperation(key: string, value: Uint8Array, expectedRevision: number): BatchedWrite {
  return { type: 'updated', key, expectedRevision, entry: draftEntry(key, value) }
}

/** The deleted value is not stored again: it is in the entry of the previous revision. */
export function deleteOperation(key: string, expectedRevision: number): BatchedWrite {
  return { type: 'deleted', key, expectedRevision, entry: draftEntry(key, noValue) }
}

/** Decides in order of arrival; each operation sees the writes of those before it in the batch. */
export function decideBatch(operations: readonly BatchedWrite[], base: DecisionBase): BatchPlan {
  const overlay = new Map<string, DecidedWrite>()
  const writes: DecidedWrite[] = []
  const results: WriteResult[] = []
  let revision = base.revision
  for (const operation of operations) {
    const planned = overlay.get(operation.key)
    const pointer = planned?.pointer ?? base.pointer(operation.key)
    const current = () => (planned === undefined ? standing(base, operation.key, pointer) : standingPlanned(planned))
    if (!isExpected(operation, pointer)) {
      results.push({ outcome: 'conflict', current: current() })
      continue
    }
    revision += 1
    const write = planWrite(operation, revision, pointer, operation.type === 'deleted' ? current() : undefined)
    overlay.set(operation.key, write)
    writes.push(write)
    results.push({ outcome: 'written', revision })
  }
  return { results, writes, revision }
}

function isExpected(operation: BatchedWrite, pointer: Pointer | undefined): boolean {
  const stands = pointer !== undefined && !isDeletedPointer(pointer)
  if (operation.expectedRevision === undefined) return !stands
  return stands && pointerRevision(pointer) === operation.expectedRevision
}

function planWrite(
  operation: BatchedWrite,
  revision: number,
  pointer: Pointer | undefined,
  deleted: StoredValue | undefined,
): DecidedWrite {
  const { type, key, entry } = operation
  stampEntry(entry, type, pointer === undefined ? 0 : pointerRevision(pointer))
  return {
    revision,
    key,
    entry,
    pointer: type === 'deleted' ? deletedPointer(revision) : livePointer(revision),
    change: { type, key, revision, value: deleted?.value ?? valueBytes(entry) },
  }
}

function standing(base: DecisionBase, key: string, pointer: Pointer | undefined): StoredValue | undefined {
  return pointer === undefined || isDeletedPointer(pointer) ? undefined : base.value(key, pointer)
}

function standingPlanned(write: DecidedWrite): StoredValue | undefined {
  if (isDeletedPointer(write.pointer)) return undefined
  return { key: write.key, value: write.change.value, revision: write.revision }
}
