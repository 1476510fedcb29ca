import { expect } from 'vitest'
import type { ChangeBatch, Store, StoreChange, StoredValue, WriteResult } from '../../src/storage/contract.ts'

export function bytes(text: string): Uint8Array {
  return Buffer.from(text)
}

export function text(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(value).toString()
}

/** The revision of a write that must succeed. */
export async function written(result: Promise<WriteResult>): Promise<number> {
  const outcome = await result
  if (outcome.outcome !== 'written') throw new Error(`expected a write, met ${text(outcome.current?.value)}`)
  return outcome.revision
}

/** The value that conflicts with a write that must fail. */
export async function conflicting(result: Promise<WriteResult>): Promise<StoredValue | undefined> {
  const outcome = await result
  if (outcome.outcome !== 'conflict') throw new Error(`expected a conflict, wrote revision ${outcome.revision}`)
  return outcome.current
}

/** One line per change, easy to compare: `created /a 1`. */
export function line(change: StoreChange): string {
  return `${change.type} ${change.key} ${text(change.value)}`
}

/** Takes batches until this many changes have arrived, and checks the promises of every stream. */
export async function takeChanges(
  store: Store,
  prefix: string,
  afterRevision: number,
  count: number,
): Promise<StoreChange[]> {
  const stop = new AbortController()
  const changes: StoreChange[] = []
  let position = afterRevision
  for await (const batch of store.watch(prefix, { afterRevision, signal: stop.signal })) {
    position = checkBatch(batch, position)
    changes.push(...batch.changes)
    if (changes.length >= count) stop.abort()
  }
  return changes
}

/** Revisions rise, none is split over batches, and the batch covers its content. Returns the new position. */
export function checkBatch(batch: ChangeBatch, position: number): number {
  let last = position
  for (const change of batch.changes) {
    expect(change.revision).toBeGreaterThan(last)
    last = change.revision
  }
  expect(batch.revision).toBeGreaterThanOrEqual(last)
  expect(batch.revision).toBeGreaterThan(position)
  return batch.revision
}

export async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('expected a failure')
}
