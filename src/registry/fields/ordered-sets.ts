import type { FieldSet } from './field-set.ts'

/** Nodes that are known to be in order, with all that is below them: they are not looked at again as long as they stay as they are. */
const ordered = new WeakSet<FieldSet>()

export function isOrdered(set: FieldSet): boolean {
  return ordered.has(set)
}

export function asOrdered(set: FieldSet): FieldSet {
  ordered.add(set)
  return set
}
