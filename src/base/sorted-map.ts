import { createRequire } from 'node:module'
import type sortedBtree from 'sorted-btree'

/** The package is CommonJS with a default export of its own, which loaders disagree about; `require` is unambiguous. */
const { default: BTree } = createRequire(import.meta.url)('sorted-btree') as typeof sortedBtree

/** String keys in order. `clone()` is free: both copies share the parts that neither has changed. */
export type SortedMap<V> = sortedBtree.default<string, V>

export function sortedMap<V>(): SortedMap<V> {
  return new BTree<string, V>(undefined, compareStrings)
}

function compareStrings(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
