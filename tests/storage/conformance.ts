import { describe } from 'vitest'
import { describeCompaction } from './conformance/compaction.ts'
import { describeHistory } from './conformance/history.ts'
import { describeLifetime } from './conformance/lifetime.ts'
import { describeLists } from './conformance/lists.ts'
import type { TestedStore } from './conformance/tested-store.ts'
import { describeWatches } from './conformance/watches.ts'
import { describeWrites } from './conformance/writes.ts'

/** Tests every promise of the storage contract on one implementation. `open` creates an empty store. */
export function describeStore(name: string, open: () => Promise<TestedStore>): void {
  describe(name, () => {
    describeWrites(open)
    describeLists(open)
    describeHistory(open)
    describeWatches(open)
    describeCompaction(open)
    describeLifetime(open)
  })
}
