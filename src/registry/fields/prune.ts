import type { Schema } from '../../api/schema.ts'
import type { Steps } from '../../base/steps.ts'
import { difference, differenceSteps, type FieldSet, intersectionSteps, isEmptySet, union } from './field-set.ts'
import { appliedSetSteps, withLeadingMembers } from './fields-of.ts'
import { valueWithoutFields } from './remove-values.ts'

export interface ApplyOwnership {
  /** What the applier owned before. */
  readonly last: FieldSet
  /** What all managers own now, including the applier. */
  readonly now: FieldSet
}

/**
 * Removes what the applier owned and no longer mentions, unless another manager owns it. An item or object is removed
 * as a whole only if no manager owns anything in it; a field that never had an owner, such as a default, is removed
 * with the last owner of what contains it. Each step visits everything.
 */
export function* pruneSteps(schema: Schema, merged: unknown, { last, now }: ApplyOwnership): Steps<unknown> {
  if (isEmptySet(difference(last, now))) return merged
  yield
  const dropped = yield* withLeadingMembers(last, schema)
  const owned = yield* withLeadingMembers(now, schema)
  const all = yield* allFields(schema, merged)
  const rest = valueWithoutFields(schema, merged, dropped, undefined)
  yield
  const untouched = yield* allFields(schema, rest)
  const needed = union(untouched, owned)
  yield
  const unowned = yield* differenceSteps(all, needed)
  yield
  const keptValue = valueWithoutFields(schema, merged, unowned, owned)
  yield
  const kept = yield* allFields(schema, keptValue)
  const gone = yield* differenceSteps(all, kept)
  yield
  const taken = yield* intersectionSteps(gone, dropped)
  yield
  return valueWithoutFields(schema, merged, taken, owned)
}

function* allFields(schema: Schema, value: unknown): Steps<FieldSet> {
  return yield* withLeadingMembers(yield* appliedSetSteps(schema, value), schema)
}
