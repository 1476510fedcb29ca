import type { Schema } from '../../api/schema.ts'
import type { Steps } from '../../base/pace.ts'
import { difference, type FieldSet, intersection, isEmptySet, union } from './field-set.ts'
import { appliedSet, withLeadingMembers } from './fields-of.ts'
import { valueWithoutFields } from './remove-values.ts'

export interface ApplyOwnership {
  /** What the applier owned before. */
  readonly last: FieldSet
  /** What all managers own now, the applier included. */
  readonly now: FieldSet
}

/**
 * Removes what the applier owned and no longer mentions, unless another manager owns it. An item or object is removed
 * as a whole only if no manager owns anything in it; what never had an owner, such as a default, is removed with the
 * last owner of what contains it. In steps: each looks at everything.
 */
export function* pruneSteps(schema: Schema, merged: unknown, { last, now }: ApplyOwnership): Steps<unknown> {
  if (isEmptySet(difference(last, now))) return merged
  const complete = (value: unknown) => withLeadingMembers(appliedSet(schema, value), schema)
  yield
  const dropped = withLeadingMembers(last, schema)
  const owned = withLeadingMembers(now, schema)
  yield
  const all = complete(merged)
  yield
  const untouched = complete(valueWithoutFields(schema, merged, dropped, undefined))
  yield
  const unowned = difference(all, union(untouched, owned))
  yield
  const kept = complete(valueWithoutFields(schema, merged, unowned, owned))
  yield
  return valueWithoutFields(schema, merged, intersection(difference(all, kept), dropped), owned)
}
