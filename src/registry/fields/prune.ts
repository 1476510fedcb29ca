import type { Schema } from '../../api/schema.ts'
import { difference, type FieldSet, intersection, isEmpty, union } from './field-set.ts'
import { appliedSet, withLeadingMembers } from './fields-of.ts'
import { withoutFields } from './remove-values.ts'

export interface Ownership {
  /** What the applier owned before. */
  readonly last: FieldSet
  /** What all managers own now, the applier included. */
  readonly now: FieldSet
}

/**
 * Removes what the applier owned and no longer mentions, unless another manager owns it. An item or object is removed
 * as a whole only if no manager owns anything in it; what never had an owner, such as a default, is removed with the
 * last owner of what contains it.
 */
export function pruned(schema: Schema, merged: unknown, { last, now }: Ownership): unknown {
  if (isEmpty(difference(last, now))) return merged
  const complete = (value: unknown) => withLeadingMembers(appliedSet(schema, value), schema)
  const dropped = withLeadingMembers(last, schema)
  const owned = withLeadingMembers(now, schema)
  const untouched = complete(withoutFields(schema, merged, dropped, undefined))
  const unowned = difference(complete(merged), union(untouched, owned))
  const kept = complete(withoutFields(schema, merged, unowned, owned))
  return withoutFields(schema, merged, intersection(difference(complete(merged), kept), dropped), owned)
}
