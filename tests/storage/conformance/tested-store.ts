import { afterEach, beforeEach } from 'vitest'
import type { Store } from '../../../src/storage/contract.ts'

export interface TestedStore {
  readonly store: Store
  /** Closes the store and deletes its files. */
  remove(): Promise<void>
}

/** A fresh store for each test of the block. */
export function eachStore(open: () => Promise<TestedStore>): () => Store {
  let tested: TestedStore
  beforeEach(async () => {
    tested = await open()
  })
  afterEach(() => tested.remove())
  return () => tested.store
}
