import type { FieldSet } from './field-set.ts'

/** Nodes known to be in order, including everything below them: they are not checked again while unchanged. */
const ordered = new WeakSet<FieldSet>()

export function isOrdered(set: FieldSet): boolean {
  return ordered.has(set)
}

export function asOrdered(set: FieldSet): FieldSet {
  ordered.add(set)
  return set
}
